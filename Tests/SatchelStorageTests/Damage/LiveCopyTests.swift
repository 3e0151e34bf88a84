import SatchelModel
import SatchelStorage
import StoreModel
import TestSupport
import Testing

/// Copies of a directory whose store is being written to: made file by file, in any order, each file at a moment of its own.
@Suite struct LiveCopyTests {
  /// A copy shows all that was acknowledged before the copying began, or is refused by name; and no commit is missing before one that
  /// it shows.
  @Test func aCopyShowsWhatWasAcknowledgedBeforeOrIsRefused() throws {
    var generator = SeededGenerator()
    var (shown, refused) = (0, 0)
    for round in 0..<TestEnvironment.rounds(60) {
      let copy = try Copying(round, &generator)
      for readOnly in [true, false] {
        do {
          let found = try copy.open(readOnly: readOnly)
          #expect(found >= copy.acknowledged, "\(copy.description), read only: \(readOnly)")
          shown += 1
        } catch let error as SatchelError {
          #expect(
            [.corrupted, .foreignJournal, .journalMissing, .notAStore].contains(error.code),
            "\(copy.description): \(error)")
          refused += 1
        }
      }
    }
    #expect(shown > 0 && refused > 0, "\(shown) shown, \(refused) refused")
  }
}

/// One copy, made while commits, checkpoints, writes past the journal and changes of the writing process went on.
private struct Copying {
  static let commits = 60

  let path: String
  /// The commits that had been acknowledged when the first file was copied.
  let acknowledged: Int
  /// What happened, in order.
  let description: String

  init(_ round: Int, _ generator: inout SeededGenerator) throws {
    let directory = try TemporaryDirectory()
    path = directory.path + "/copy"
    let source = directory.path + "/store"
    try JournaledStore.copy([], from: source, to: path)
    var left = ["data.mdb", "journal", "journal.head", "lock.mdb"]
    var moments = (0..<left.count).map { _ in generator.draw(below: Self.commits) }
    // One copy in three is made within a few commits: a tool is fast.
    if round % 3 == 0 { moments = moments.map { min(Self.commits, moments[0] + $0 % 4) } }

    var options = Store.Options()
    options.durability = .temporaryImport
    options.journal.use = .always
    options.journal.commitsBefore = round % 4
    options.journal.limits.segmentSize = 8192
    options.journal.maximumRecordBytes = 4000
    var store = try Store.open(directory: source, user: "me", options: options)
    var events: [String] = []
    var first: Int?
    for number in 0...Self.commits {
      for _ in moments.filter({ $0 == number }) {
        let name = left.remove(at: generator.draw(below: left.count))
        first = first ?? number
        events.append("\(number): copy \(name)")
        if TemporaryDirectory.exists(source + "/" + name) {
          try JournaledStore.writeFile(
            JournaledStore.readFile(source + "/" + name), to: path + "/" + name)
        }
      }
      guard number < Self.commits else { break }
      switch generator.draw(below: 30) {
      case 0, 1:
        events.append("\(number): checkpoint")
        try store.checkpoint()
      case 2:
        events.append("\(number): past the journal")
        try store.write { writer in
          for other in 0..<200 { try writer.setFollowed(true, Identity.ID("other \(number) \(other)")) }
        }
      case 3:
        events.append("\(number): closed and opened")
        store.close()
        store = try Store.open(directory: source, user: "me", options: options)
      default: break
      }
      try store.write { try $0.setFollowed(true, Identity.ID("user \(number)")) }
    }
    store.close()
    acknowledged = try #require(first)
    description = "round \(round): " + events.joined(separator: ", ")
  }

  /// Opens the copy, and returns how many commits it shows.
  func open(readOnly: Bool) throws -> Int {
    var options = Store.Options()
    options.create = false
    options.readOnly = readOnly
    let store = try Store.open(directory: path, user: nil, options: options)
    defer { store.close() }
    let found = try store.read { snapshot in
      try (0..<Self.commits).filter { try snapshot.users.number(of: "user \($0)") != nil }
    }
    #expect(found == Array(0..<found.count), "not without gaps: \(found), \(description)")
    try expectSound(store)
    return found.count
  }
}
