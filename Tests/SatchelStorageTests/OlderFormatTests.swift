import LMDB
import SatchelCoding
import SatchelIndexing
import SatchelModel
import SatchelStorage
import SatchelWriting
import StoreModel
import Testing

/// Stores of formats before the last set of indexes.
@Suite struct OlderFormatTests {
  /// A store as a program of an earlier set of indexes leaves it.
  /// - Parameters:
  ///   - set: The first of the sets that it lacks.
  ///   - isRaised: Whether a later program had raised the format meanwhile, and this one did not look.
  private func makeOlderStore(_ path: String, without set: UInt16 = 2, isRaised: Bool = false) throws {
    let store = try openStore(path, journaled: false)
    defer { store.close() }
    try store.write { writer in
      for (name, other) in [("c", Identity.ID("x")), ("d", "y")] {
        let conversation = Conversation.ID(name)
        _ = try writer.createConversation(ConversationDraft(identifier: conversation, participants: [other]))
        for number in 0..<300 {
          let draft = MessageDraft(
            identifier: Message.ID("\(name)\(number)"), sender: number % 3 == 0 ? "me" : other,
            position: Int64(number),
            isSent: number % 100 > 0, isUnread: number % 3 == 1, parts: [.text("a")])
          _ = try writer.insertMessage(draft, in: conversation)
        }
      }
    }
    let counts = try OlderStore.withdrawLaterIndexes(of: store, from: set, isRaised: isRaised)
    #expect(counts.allSatisfy { $0 > 0 })
  }

  /// The entries of the later indexes, then of those that some of them are made from.
  private static let counts = [600, 200, 6, 600, 600, 600, 200]

  private func counts(_ store: Store) throws -> [Int] {
    try store.read { snapshot in
      let indexes = IndexCatalog.later + IndexCatalog.later.compactMap(\.source)
      return try indexes.map { try snapshot.forest.count($0.tree) }
    }
  }

  @Test(arguments: [2, 3] as [UInt16]) func getsTheLaterIndexesWhenItIsOpenedForWriting(_ set: UInt16) throws
  {
    let directory = try TemporaryDirectory()
    try makeOlderStore(directory.path, without: set)
    let store = try openStore(directory.path, journaled: false)
    #expect(try counts(store) == Self.counts)
    try expectSound(store)
    store.close()
    let again = try openStore(directory.path, journaled: false)
    var versions = StoreHeader.Versions.current
    versions.optionalIndexes = .messageMetadata
    #expect(again.header.versions == versions)
    // Built once: opening it again commits nothing.
    let sequence = try again.sequence()
    again.close()
    #expect(try openStore(directory.path, journaled: false).sequence() == sequence)
  }

  @Test func getsWhatAnOlderProgramHasNotKept() throws {
    let directory = try TemporaryDirectory()
    try makeOlderStore(directory.path, isRaised: true)
    let store = try openStore(directory.path, journaled: false)
    #expect(try counts(store) == Self.counts)
    try expectSound(store)
  }

  /// A program looks at the format in every write, not only when it opens the store.
  @Test func aWriterMeetsAFormatThatHasBeenRaised() throws {
    let directory = try TemporaryDirectory()
    let store = try openStore(directory.path, journaled: false)
    _ = try store.write { try $0.createConversation(ConversationDraft(identifier: "c", participants: ["x"])) }
    try store.environment.write { transaction in
      let objects = try store.environment.database("objects")
      var header = store.header
      header.versions.format = 99
      header.versions.minimumReader = 99
      try ObjectKey.header.bytes.withUnsafeBytes { key in
        try header.encode().withUnsafeBytes { try transaction.put(objects, key, $0) }
      }
    }
    #expect(code { _ = try store.write { try $0.send([.text("hello")], to: "c") } } == .newerFormat)
  }

  @Test func isReadAsItIs() throws {
    let directory = try TemporaryDirectory()
    try makeOlderStore(directory.path)
    var options = Store.Options()
    options.readOnly = true
    let store = try Store.open(directory: directory.path, user: nil, options: options)
    #expect(try counts(store) == [0, 0, 0, 0, 0, 600, 200])
    #expect(store.header.versions.format == 3)
    try expectSound(store)
  }
}
