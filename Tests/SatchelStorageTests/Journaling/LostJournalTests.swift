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

  /// A relaxed store may lose its last commits, and nothing before them. It is no damaged one: also if it was a checkpoint whose sync
  /// failed, beside a writer whose next one does not.
  @Test(arguments: 1...3) func aRelaxedStoreIsAnEarlierState(failures: Int) throws {
    let calls = try run(failing: 0..<0, isRelaxed: true).calls
    #expect(calls > 20)
    for call in 0..<calls { _ = try run(failing: call..<call + failures, isRelaxed: true) }
  }

  private func opened(_ path: String, _ failing: Range<Int>) throws -> Store? {
    do { return try Store.open(directory: path, user: nil) } catch {
      Issue.record("calls \(failing): \(error)")
      return nil
    }
  }

  /// Makes commits, and cuts the power after each of them.
  private func run(failing: Range<Int>, isRelaxed: Bool = false) throws -> (calls: Int, refused: Int) {
    let disk = LosingDisk(failing: failing)
    let directory = try TemporaryDirectory()
    let path = directory.path + "/store"
    var options = Store.Options()
    options.journal.commitsBefore = 0
    options.journal.checkpointCommits = 5
    options.journal.limits.segmentSize = 4096
    if isRelaxed {
      options.durability = .relaxed
      options.journal.checkpointCommits = 3
      options.journal.waitsForCheckpoint = true
    }
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
      // The disk may have written what follows a sync that has lost what was before it.
      try JournaledStore.writeFile(isRelaxed ? disk.written : disk.bytes, to: copy + "/journal")
      guard let left = try opened(copy, failing) else { continue }
      defer { left.close() }
      let found = try left.read { snapshot in
        try (0...number).filter { try snapshot.users.number(of: "user \($0)") != nil }
      }
      let lost = isRelaxed ? Set(acknowledged.prefix(found.count)) : Set(acknowledged)
      #expect(lost.isSubset(of: found), "calls \(failing): lost \(lost.subtracting(found))")
      let excess = Set(found).subtracting(acknowledged).filter { refused[$0]?.code != .outcomeUnknown }
      #expect(excess.isEmpty, "calls \(failing): refused, and there all the same: \(excess)")
    }
    #expect(
      acknowledged.count + refused.count == 14 && refused.count <= failing.count,
      "calls \(failing): \(refused)")
    return (disk.calls, refused.count)
  }
}
