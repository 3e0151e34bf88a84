import SatchelModel
import SatchelStorage
import StoreModel
import TestSupport
import Testing

/// The disk loses what a sync should have written to the journal: no commit that has returned is only in what was lost.
@Suite struct LostJournalTests {
  /// Several calls in a row fail: those that would mend the first failure do so too.
  @Test(arguments: 1...3) func whatWasLostIsWrittenAgain(failures: Int) throws {
    let whole = try run(failing: 0..<0)
    #expect(whole.refused == 0)
    #expect(whole.calls > 20)
    var refused = 0
    for call in 0..<whole.calls { refused += try run(failing: call..<call + failures).refused }
    #expect(refused > 0)
  }

  /// Makes commits, and cuts the power after each of them.
  private func run(failing: Range<Int>) throws -> (calls: Int, refused: Int) {
    let disk = LosingDisk(failing: failing)
    let directory = try TemporaryDirectory()
    let path = directory.path + "/store"
    var options = Store.Options()
    options.journal.commitsBefore = 0
    options.journal.checkpointCommits = 5
    options.journal.limits.segmentSize = 4096
    options.writerEnvironment.journalStorage = disk.interposer
    let store = try Store.open(directory: path, user: "me", options: options)
    defer { store.close() }
    var acknowledged: [Int] = []
    var refused: [Int: SatchelError] = [:]
    for number in 0..<14 {
      do {
        try store.write { try $0.setFollowed(true, Identity.ID("user \(number)")) }
        acknowledged.append(number)
      } catch let error as SatchelError {
        refused[number] = error
      }
      let copy = directory.path + "/left \(number)"
      try JournaledStore.copy(["data.mdb"], from: path, to: copy)
      try JournaledStore.writeFile(disk.bytes, to: copy + "/journal")
      let left = try Store.open(directory: copy, user: nil)
      defer { left.close() }
      let found = try left.read { snapshot in
        try (0...number).filter { try snapshot.users.number(of: "user \($0)") != nil }
      }
      let lost = Set(acknowledged).subtracting(found)
      #expect(lost.isEmpty, "calls \(failing): lost \(lost)")
      let excess = Set(found).subtracting(acknowledged).filter { refused[$0]?.code != .outcomeUnknown }
      #expect(excess.isEmpty, "calls \(failing): refused, and there all the same: \(excess)")
    }
    #expect(
      acknowledged.count + refused.count == 14 && refused.count <= failing.count,
      "calls \(failing): \(refused)")
    return (disk.calls, refused.count)
  }
}
