import SatchelInterchange
import SatchelModel
import SatchelStorage
import SatchelWriting
import Testing

/// What comes into a store, or is deleted there, while a file is imported that has the same objects: with a policy for what is there
/// already the store ends as if that had been before the import.
@Suite struct ArrivalsDuringImportTests {
  private static func message(_ number: Int, in conversation: String = "c") -> String {
    #"{"kind":"message","identifier":"m\#(number)","remoteID":"srv-\#(number)","conversation":"\#(conversation)","sender":"bob","position":\#(number),"sentAt":"2026-01-02T00:00:00Z","receivedAt":"2026-01-02T00:00:00Z","isUnread":true,"recipientStatus":{"alice":"delivered"},"metadata":{"from":"file","a":{"b":"c"}},"parts":[{"mimeType":"text/plain","text":"\#(number) of the file"},{"mimeType":"image/png","base64":"AAEC"}]}"#
  }

  private static let start = [
    ImporterTests.header, #"{"kind":"conversation","identifier":"c","participants":["alice","bob"]}"#,
  ]

  /// More than one batch, so that the others come between what is staged and the last commit.
  private static let file =
    [
      ImporterTests.header, #"{"kind":"identity","userID":"carol","displayName":"Carol","firstName":"C"}"#,
      #"{"kind":"conversation","identifier":"d","remoteID":"srv-d","participants":["alice","bob"],"metadata":{"title":"D"}}"#,
      #"{"kind":"announcement","identifier":"n","sender":"bob","position":1,"parts":[{"mimeType":"text/plain","text":"News"}]}"#,
    ] + (0..<20).map { message($0) } + (20..<40).map { message($0, in: "d") }
    + (40..<2600).map { message($0) }

  /// What somebody else does meanwhile.
  private static func write(_ writer: Writer, _ number: Int) throws {
    func receive(_ id: Message.ID, in conversation: Conversation.ID?) throws {
      let draft = MessageDraft(
        identifier: id, sender: "bob", position: 9, parts: [.text("beside")],
        metadata: ["from": "beside", "own": "1"])
      _ = try writer.insertMessage(draft, in: conversation)
    }
    switch number {
    case 0:
      for id in ["m3", "m5", "srv-7"] as [Message.ID] { try receive(id, in: "c") }
      try receive("n", in: nil)
    case 1: try writer.putIdentity(Identity(userID: "carol", displayName: "Carol B.", lastName: "B"))
    case 2:
      _ = try writer.createConversation(
        ConversationDraft(
          identifier: "d", participants: ["alice", "bob", "carol"],
          createdAt: Timestamp(microseconds: 1_700_000_000_000_000), metadata: ["own": "1"]))
      try receive("m21", in: "d")
    case 3:
      try receive("m6", in: "c")
      try writer.deleteMessage("m6")
      try receive("n", in: nil)
      try writer.deleteMessage("n")
    default:
      try receive("m8", in: "c")
      var update = MessageUpdate()
      update.deletedAt = .set(Timestamp(microseconds: 1_800_000_000_000_000))
      try writer.updateMessage("m8", update)
    }
  }

  private static func imported(
    _ lines: [String], _ existing: ExistingMessage, into store: TemporaryStore,
    meanwhile: @escaping () throws -> Void = {}
  ) throws -> Importer.Summary {
    let file = try TemporaryFile(Array((lines.joined(separator: "\n") + "\n").utf8))
    var isFirst = true
    let importer = Importer(
      .descriptor(file.descriptor), existing: existing,
      onBatch: { progress in
        guard isFirst, progress.lines > 1000 else { return }
        isFirst = false
        try meanwhile()
      })
    let summary = try importer.run(into: store.path, user: "alice")
    #expect(!isFirst)
    return summary
  }

  private static func write(_ number: Int, to store: TemporaryStore) throws {
    let store = try Store.open(directory: store.path, user: nil)
    defer { store.close() }
    try store.write { try write($0, number) }
  }

  @Test(arguments: [ExistingMessage.ignore, .merge], 0..<5)
  func theStoreEndsAsIfTheyHadComeBefore(_ existing: ExistingMessage, _ number: Int) throws {
    let (before, during) = (try TemporaryStore(), try TemporaryStore())
    for store in [before, during] { _ = try ExistingObjectsTests.run(Self.start, .fail, into: store) }
    try Self.write(number, to: before)
    let expected = try Self.imported(Self.file, existing, into: before)
    let summary = try Self.imported(Self.file, existing, into: during) { try Self.write(number, to: during) }
    #expect(summary == expected)
    // Orders of creation differ, and with them the order of lines and the dates of the last change.
    let (found, wanted) = (try Self.content(of: during), try Self.content(of: before))
    #expect(found.count == wanted.count)
    #expect(Set(found).subtracting(wanted).sorted() == [])
    #expect(Set(wanted).subtracting(found).sorted() == [])
    #expect(try during.verify() == 0 && before.verify() == 0)
  }

  private static func content(of store: TemporaryStore) throws -> [String] {
    // The last line has the hash of the others.
    try store.export().dropLast().map { $0.replacing(/"updatedAt":"[^"]*",?/, with: "") }
  }

  /// Without a policy a file that has what has come is refused, and nothing of it is there.
  @Test func withoutAPolicyTheFileIsRefused() throws {
    let store = try TemporaryStore()
    _ = try ExistingObjectsTests.run(Self.start, .fail, into: store)
    #expect(throws: Importer.Failure.self) {
      try Self.imported(Self.file, .fail, into: store) { try Self.write(0, to: store) }
    }
    #expect(try store.export().filter { $0.contains("of the file") }.isEmpty)
    #expect(try store.verify() == 0)
  }
}
