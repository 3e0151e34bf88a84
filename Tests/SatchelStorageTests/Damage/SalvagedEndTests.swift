import SatchelCare
import SatchelModel
import SatchelStorage
import StoreModel
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A salvage says which commits are gone: those by which an opening tells that the journal is damaged.
@Suite struct SalvagedEndTests {
  private let scene: StoreAtRest
  /// The commits that only the journal has.
  private let commits: ClosedRange<UInt64>

  init() throws {
    scene = try StoreAtRest(
      commits: 60,
      before: { store, number in
        if number == 20 { try store.checkpoint() }
      })
    let report = try Self.salvage(scene.path, scene)
    #expect(report.isComplete && report.lostCommits.isEmpty, "\(report.losses)")
    commits = try #require(report.journalCommits.first)
    try #require(report.journalCommits == [commits] && commits.count == 40)
  }

  private static func salvage(_ path: String, _ scene: StoreAtRest) throws -> SalvageReport {
    let directory = try TemporaryDirectory()
    let report = try Store.salvage(directory: path, into: directory.path + "/saved")
    let store = try Store.open(directory: directory.path + "/saved", user: "me")
    defer { store.close() }
    try expectSound(store)
    return report
  }

  /// Journals whose end is gone: cut off, or zeros.
  private func withoutTheirEnds() -> [(name: String, bytes: [UInt8])] {
    let journal = scene.journal
    return (0..<24).flatMap { index in
      let length = journal.count * index / 24 / (index % 2 == 0 ? 512 : 1) * (index % 2 == 0 ? 512 : 1)
      let zeros = [UInt8](repeating: 0, count: journal.count - length)
      return [
        ("cut to \(length) bytes", Array(journal[..<length])),
        ("zeros from \(length) on", journal[..<length] + zeros),
      ]
    }
  }

  /// The head says how far the journal had come, also in a directory that was put aside to work on.
  @Test(arguments: [false, true]) func everyCommitIsSavedOrToldToBeLost(isCopy: Bool) throws {
    var told = 0
    for (name, bytes) in withoutTheirEnds() {
      try scene.place(journal: bytes)
      let path = isCopy ? scene.directory.path + "/copy" : scene.path
      if isCopy { try JournaledStore.copy(StoreAtRest.files, from: scene.path, to: path) }
      let report = try Self.salvage(path, scene)
      let parts = (report.journalCommits + report.lostCommits).sorted { $0.lowerBound < $1.lowerBound }
      #expect(parts.flatMap(Array.init) == Array(commits), "\(name): \(report.losses)")
      for lost in report.lostCommits {
        let text = "commits \(lost.lowerBound) to \(lost.upperBound) are lost"
        #expect(report.losses.contains { $0.contains(text) }, "\(name): \(report.losses)")
      }
      if !report.lostCommits.isEmpty {
        #expect(!report.isComplete && report.lost == nil, "\(name)")
        told += 1
      }
    }
    #expect(told > 24)
  }

  /// Without a head, what is left of the journal has to tell it; and it does wherever an opening is refused because of it.
  @Test func whatIsRefusedIsNotSaidToBeWhole() throws {
    var generator = SeededGenerator()
    var damages = withoutTheirEnds()
    for _ in 0..<TestEnvironment.rounds(40) {
      var bytes = scene.journal
      for _ in 0...generator.draw(below: 3) {
        let place = generator.draw(below: bytes.count)
        switch generator.draw(below: 3) {
        case 0: bytes[place] ^= 1 << UInt8(generator.draw(below: 8))
        case 1:
          let end = min(bytes.count, place / 512 * 512 + 512 * (1 + generator.draw(below: 20)))
          for index in place / 512 * 512..<end { bytes[index] = 0 }
        default:
          let slots = (bytes.count - 4096) / 8192
          let from = 4096 + generator.draw(below: slots) * 8192
          let to = 4096 + generator.draw(below: slots) * 8192
          bytes.replaceSubrange(to..<to + 8192, with: scene.journal[from..<from + 8192])
        }
      }
      damages.append(("random", bytes))
    }
    var (refused, lost) = (0, 0)
    for (name, bytes) in damages {
      try scene.place(journal: bytes)
      unlink(scene.path + "/journal.head")
      var refusal: SatchelError?
      do { _ = try scene.open(readOnly: true) } catch let error as SatchelError { refusal = error }
      guard refusal != nil else { continue }
      refused += 1
      let report = try Self.salvage(scene.path, scene)
      let hasAll = report.journalCommits == [commits]
      #expect(!report.isComplete, "\(name): \(refusal as Any), and \(report.journalCommits)")
      #expect((report.lostCommits.last?.upperBound ?? 0) <= commits.upperBound, "\(name): \(report.losses)")
      if !hasAll { lost += 1 }
    }
    #expect(refused > 20 && lost > 20, "\(refused) refused, \(lost) have lost something")
  }

  /// A record that is not whole names its commits in bytes that nothing confirms.
  @Test func numbersOfADamagedRecordAreNotBelieved() throws {
    let journal = scene.journal
    // The last record: where its sequence is the last commit.
    let sequence: [UInt8] = withUnsafeBytes(of: commits.upperBound.littleEndian) { Array($0) }
    let places = Array(stride(from: 4096, to: journal.count, by: 512))
    let found: Int? = places.last { place in
      Array(journal[place + 8..<place + 16]) == sequence && journal[place + 16] == 1
    }
    let record = try #require(found)
    // Its sequence and its payload; the number of its members.
    for flips in [[(14, UInt8(64)), (50, 1)], [(16, 16), (50, 1)], [(14, 64)], [(16, 16)]] {
      var bytes = journal
      for (offset, bit) in flips { bytes[record + offset] ^= bit }
      try scene.place(journal: bytes)
      unlink(scene.path + "/journal.head")
      let report = try Self.salvage(scene.path, scene)
      #expect(report.journalCommits == [commits.lowerBound...commits.upperBound - 1])
      let expected = "behind commit \(commits.upperBound - 1) is damaged, or was never finished"
      #expect(report.losses.contains { $0.contains(expected) }, "\(report.losses)")
      let numbers = report.losses.flatMap { $0.split { !$0.isNumber }.compactMap { UInt64($0) } }
      #expect(numbers.allSatisfy { $0 <= commits.upperBound }, "\(report.losses)")
      #expect(report.lost == nil)
    }
  }
}
