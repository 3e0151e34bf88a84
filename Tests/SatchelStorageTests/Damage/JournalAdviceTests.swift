import Journal
import SatchelBytes
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

/// A damaged journal that data.mdb needs is called that, whatever of it is damaged, and nobody is told to move it away: its commits
/// would go with it.
@Suite struct JournalAdviceTests {
  /// What somebody asks of the store.
  enum Use: CaseIterable {
    case reading, writing, checking
  }

  /// One damage to the journal's file.
  struct Damage: CustomTestStringConvertible {
    let testDescription: String
    /// Whether all commits are there nevertheless.
    var leavesAll = false
    let apply: @Sendable (_ journal: [UInt8], _ record: Int) -> [UInt8]

    static func flip(_ byte: Int) -> Damage {
      Damage(testDescription: "a bit of byte \(byte)", leavesAll: true) { journal, _ in
        var journal = journal
        journal[byte] ^= 4
        return journal
      }
    }

    static func cut(_ length: Int) -> Damage {
      Damage(testDescription: "cut to \(length) bytes") { journal, _ in Array(journal[..<length]) }
    }
  }

  /// The header: its mark, version, segment size, owner, first point, reserved bytes, checksum. Its end. The records.
  static let damages: [Damage] =
    [0, 8, 13, 20, 33, 41, 100, 511].map { .flip($0) }
    + [0, 1, 300, 511, 512, 4095, 4096, 4097, 4608, 8192].map { .cut($0) } + [
      Damage(testDescription: "zeros instead of the header", leavesAll: true) { journal, _ in
        [UInt8](repeating: 0, count: 4096) + journal[4096...]
      },
      Damage(testDescription: "a text") { _, _ in Array("not a journal".utf8) },
      Damage(testDescription: "zeros") { journal, _ in [UInt8](repeating: 0, count: journal.count) },
      Damage(testDescription: "cut before the store's record") { journal, record in Array(journal[..<record])
      },
      Damage(testDescription: "cut in the store's record") { journal, record in
        Array(journal[..<(record + 100)])
      },
    ]

  private let scene: StoreAtRest
  /// Where the record begins that `data.mdb` has taken last.
  private let record: Int
  private let commits: ClosedRange<UInt64>

  init() throws {
    scene = try StoreAtRest(
      commits: 30,
      before: { store, number in
        if number == 12 { try store.checkpoint() }
      })
    let directory = try TemporaryDirectory()
    let report = try Store.salvage(directory: scene.path, into: directory.path + "/saved")
    commits = try #require(report.journalCommits.first)
    let sequence: [UInt8] = withUnsafeBytes(of: (commits.lowerBound - 1).littleEndian) { Array($0) }
    let journal = scene.journal
    let places = Array(stride(from: 4096, to: journal.count, by: 512))
    let found: Int? = places.first { place in
      Array(journal[place + 8..<place + 16]) == sequence && journal[place + 16] == 1
    }
    record = try #require(found)
    // In the middle of a segment, or it is cut at its end.
    try #require((record - 4096) % 8192 > 512)
  }

  private func ask(_ use: Use) throws -> SatchelError? {
    var options = Store.Options()
    options.create = false
    options.readOnly = use != .writing
    do {
      let store = try Store.open(directory: scene.path, user: nil, options: options)
      defer { store.close() }
      if use == .checking { _ = try store.verify() }
      return nil
    } catch {
      return error as? SatchelError
    }
  }

  @Test(arguments: damages, [false, true]) func damageIsNamed(damage: Damage, isCopy: Bool) throws {
    let journal = damage.apply(scene.journal, record)
    for use in Use.allCases {
      try scene.place(journal: journal)
      if isCopy { unlink(scene.path + "/journal.head") }
      let error = try #require(try ask(use), "\(use)")
      #expect(error.code == .corrupted, "\(use): \(error)")
      let text = error.description
      #expect(text.contains("satchel salvage") && text.contains(scene.path + "/journal:"), "\(text)")
      #expect(text.contains("intact copy") && !text.contains("move"), "\(text)")
      #expect(error.context["wholeThrough"] == String(commits.lowerBound - 1), "\(text)")
      let last = isCopy ? "an unknown one" : String(commits.upperBound)
      #expect(error.context["missing"] == "\(commits.lowerBound) to \(last)", "\(text)")
      #expect(try JournaledStore.readFile(scene.path + "/journal") == journal)
    }
    let saved = try TemporaryDirectory()
    let report = try Store.salvage(directory: scene.path, into: saved.path + "/saved")
    // Without the head nothing shows that there were no more.
    #expect(report.isComplete == (damage.leavesAll && !isCopy), "\(report.losses)")
    if damage.leavesAll { #expect(report.journalCommits == [commits]) }
  }

  /// What cannot be read is given up, and kept aside.
  @Test(arguments: damages) func aRepairGivesUpWhatCannotBeRead(damage: Damage) throws {
    let journal = damage.apply(scene.journal, record)
    try scene.place(journal: journal)
    let report = try Store.repair(directory: scene.path)
    #expect(report.actions.contains { $0.contains("journal.damaged") }, "\(report.actions)")
    #expect(try JournaledStore.readFile(scene.path + "/journal.damaged") == journal)
    #expect(try scene.open(readOnly: true) == 12)
    var options = Store.Options()
    options.journal.commitsBefore = 0
    for name in ["a", "b"] {
      let store = try Store.open(directory: scene.path, user: "me", options: options)
      defer { store.close() }
      try store.write { try $0.setFollowed(true, Identity.ID(name)) }
      try expectSound(store)
    }
  }

  /// Where data.mdb has everything, what is under the journal's name may be moved away.
  @Test func whatIsNotNeededMayBeMovedAway() throws {
    let store = try Store.open(directory: scene.path, user: nil)
    store.close()
    try JournaledStore.writeFile(Array("not a journal".utf8), to: scene.path + "/journal")
    let error = try #require(try ask(.reading))
    #expect(error.code == .foreignJournal && error.description.contains("move it away"), "\(error)")
    let other = try StoreAtRest(commits: 3)
    try JournaledStore.writeFile(other.journal, to: scene.path + "/journal")
    let second = try #require(try ask(.writing))
    #expect(second.code == .foreignJournal && second.description.contains("move the journal away"))
  }

  /// The journal of another store is whole, and not this store's.
  @Test func anotherStoresJournalIsNoDamage() throws {
    let other = try StoreAtRest(commits: 3)
    for use in Use.allCases {
      try scene.place(journal: other.journal)
      let error = try #require(try ask(use))
      #expect(error.code == .foreignJournal, "\(error)")
      #expect(!error.message.contains("move") && error.message.contains("salvage"), "\(error)")
    }
  }

  /// A version that is not known is no damage either.
  @Test func anUnknownVersionIsNoDamage() throws {
    var journal = scene.journal
    journal[8] = 99
    let owner = unsafe JournalOwner(high: journal.span.bytes.be64(16), low: journal.span.bytes.be64(24))
    let checksum = Checksum.hash(Array(journal[..<504]), seed: owner.seed)
    for index in 0..<8 { journal[504 + index] = UInt8(truncatingIfNeeded: checksum >> UInt64(8 * index)) }
    for use in Use.allCases {
      try scene.place(journal: journal)
      let error = try #require(try ask(use))
      #expect(error.code == .newerFormat && error.description.contains("version 99"), "\(error)")
    }
  }
}
