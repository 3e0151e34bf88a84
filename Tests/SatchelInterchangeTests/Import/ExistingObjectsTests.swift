import SatchelInterchange
import SatchelModel
import SatchelStorage
import Testing

/// Lines of objects that are there already, in a store that is new and in one that is not.
@Suite struct ExistingObjectsTests {
  static let file = [
    ImporterTests.header,
    #"{"kind":"identity","userID":"bob","displayName":"Bob"}"#,
    #"{"kind":"conversation","identifier":"c","remoteID":"srv-c","participants":["alice","bob"],"metadata":{"title":"C"}}"#,
    #"{"kind":"message","identifier":"m","remoteID":"srv-m","conversation":"c","sender":"bob","position":1,"isUnread":true,"parts":[{"mimeType":"text/plain","text":"Noon?"}],"metadata":{"a":"b"}}"#,
    #"{"kind":"message","identifier":"n","conversation":"c","sender":"bob","position":2,"deletedAt":"2026-01-01T00:00:00Z"}"#,
    #"{"kind":"announcement","identifier":"a","sender":"bob","parts":[{"mimeType":"text/plain","text":"Closed"}]}"#,
  ]

  static func run(
    _ lines: [String], _ existing: ExistingMessage, into store: TemporaryStore, skipsInvalid: Bool = false,
    rejected: @escaping (Int, String) -> Void = { _, _ in }
  ) throws -> Importer.Summary {
    let file = try TemporaryFile(Array((lines.joined(separator: "\n") + "\n").utf8))
    let importer = Importer(
      .descriptor(file.descriptor), skipsInvalid: skipsInvalid, existing: existing, onRejection: rejected)
    return try importer.run(into: store.path, user: "alice")
  }

  @Test(arguments: [ExistingMessage.ignore, .merge])
  func whatWasDeletedIsNotDeletedOnceMore(_ existing: ExistingMessage) throws {
    let store = try TemporaryStore()
    let deletions = [
      #"{"kind":"delete","message":"m"}"#, #"{"kind":"delete","message":"a"}"#,
      #"{"kind":"delete","conversation":"srv-c"}"#,
    ]
    #expect(try Self.run(Self.file + deletions, existing, into: store).deletions == 3)
    let before = try store.export()
    let updates = [
      #"{"kind":"update","message":"srv-m","set":{"position":7}}"#,
      #"{"kind":"update","conversation":"c","metadata":{"merge":{"title":"D"}}}"#,
    ]
    let again = try Self.run([ImporterTests.header] + deletions + updates, existing, into: store)
    #expect(again.deletions == 0 && again.updates == 0 && again.ignored == 5)
    #expect(try store.export() == before)
    #expect(throws: Importer.Failure.self) {
      try Self.run([ImporterTests.header] + deletions, .fail, into: store)
    }
    for update in updates {
      #expect(throws: Importer.Failure.self) {
        try Self.run([ImporterTests.header, update], .fail, into: store)
      }
    }
  }

  /// The same file twice changes nothing, and what it has more the second time comes.
  @Test(arguments: [ExistingMessage.ignore, .merge])
  func theSameFileTwice(_ existing: ExistingMessage) throws {
    let store = try TemporaryStore()
    #expect(
      try Self.run(Self.file, existing, into: store)
        == Importer.Summary(messages: 2, conversations: 1, identities: 1, announcements: 1))
    let before = try store.export()
    let more = #"{"kind":"message","identifier":"o","conversation":"srv-c","sender":"bob","position":3}"#
    var summary = try Self.run(Self.file + [more], existing, into: store)
    #expect(summary.messages == 1 && (existing == .merge ? summary.merged : summary.ignored) == 5)
    let after = try store.export()
    #expect(after.count == before.count + 1 && Set(before.dropLast()).isSubset(of: after))
    // Behind an update every line is carried out in the last commit; so it is there, too.
    let update = #"{"kind":"update","message":"srv-m","set":{"position":7}}"#
    summary = try Self.run([ImporterTests.header, update] + Self.file.dropFirst(), existing, into: store)
    #expect(summary.updates == 1 && (existing == .merge ? summary.merged : summary.ignored) == 5)
    // In a store that is new, by its own lines.
    let new = try TemporaryStore()
    summary = try Self.run(Self.file + Self.file.dropFirst() + [more], existing, into: new)
    #expect(summary.messages == 3 && (existing == .merge ? summary.merged : summary.ignored) == 5)
    #expect(try new.export() == after)
  }

  @Test func theyAreRefusedUnlessAskedFor() throws {
    let store = try TemporaryStore()
    _ = try Self.run(Self.file, .fail, into: store)
    let before = try store.export()
    #expect(throws: Importer.Failure.self) { _ = try Self.run(Self.file, .fail, into: store) }
    #expect(try store.export() == before)
  }

  @Test func aMergeTakesWhatALineSays() throws {
    let store = try TemporaryStore()
    _ = try Self.run(Self.file, .fail, into: store)
    let summary = try Self.run(
      [
        ImporterTests.header,
        #"{"kind":"identity","userID":"bob","firstName":"Robert"}"#,
        #"{"kind":"conversation","identifier":"srv-c","participants":["alice","carol"],"metadata":{"x":"y"}}"#,
        #"{"kind":"message","identifier":"srv-m","conversation":"srv-c","sender":"bob","position":4,"editedAt":"2026-01-01T00:00:00Z","parts":[{"mimeType":"text/plain","text":"One?"}],"metadata":{"c":"d"}}"#,
        #"{"kind":"message","identifier":"n","conversation":"c","sender":"bob","parts":[{"mimeType":"text/plain","text":"back"}]}"#,
        #"{"kind":"announcement","identifier":"a","sender":"bob","deletedAt":"2026-01-02T00:00:00Z"}"#,
        #"{"kind":"message","identifier":"new","remoteID":"n","conversation":"c","sender":"bob","position":9}"#,
      ], .merge, into: store)
    #expect(summary == Importer.Summary(merged: 6))
    let lines = try store.export()
    func line(_ start: String) -> String { lines.first { $0.contains(start) } ?? "" }
    #expect(line(#""userID":"bob""#).contains(#""displayName":"Bob","firstName":"Robert""#))
    let conversation = line(#""identifier":"c""#)
    #expect(conversation.contains(#""participants":["alice","carol"]"#))
    #expect(conversation.contains(#""metadata":{"title":"C","x":"y"}"#))
    let message = line(#""identifier":"m""#)
    #expect(message.contains("One?") && message.contains(#""position":4"#) && !message.contains("isUnread"))
    #expect(message.contains(#""metadata":{"a":"b","c":"d"}"#))
    let deleted = line(#""identifier":"n""#)
    #expect(deleted.contains(#""position":9"#) && !deleted.contains("back"))
    let announcement = line(#""identifier":"a""#)
    #expect(announcement.contains("deletedAt") && !announcement.contains("Closed"))
  }

  /// What the store's user has deleted stays deleted; the first line beyond a deleted conversation brings it back.
  @Test(arguments: [ExistingMessage.ignore, .merge])
  func whatWasDeletedStaysDeleted(_ existing: ExistingMessage) throws {
    let store = try TemporaryStore()
    _ = try Self.run(Self.file, .fail, into: store)
    _ = try Self.run([ImporterTests.header, #"{"kind":"delete","message":"m"}"#], .fail, into: store)
    let before = try store.export()
    var summary = try Self.run(Self.file, existing, into: store)
    #expect(summary.ignored == (existing == .merge ? 1 : 5) && summary.messages == 0)
    #expect(try store.export() == before)
    _ = try Self.run([ImporterTests.header, #"{"kind":"delete","conversation":"c"}"#], .fail, into: store)
    summary = try Self.run(Self.file, existing, into: store)
    #expect(summary.messages == 0 && summary.conversations == 0)
    #expect(try store.export().count == 4)
    let newer = #"{"kind":"message","identifier":"o","conversation":"c","sender":"bob","position":3}"#
    summary = try Self.run(Self.file + [newer], existing, into: store)
    #expect(summary.messages == 1 && summary.conversations == 0)
    let after = try store.export()
    #expect(after.contains { $0.contains(#""remoteID":"srv-c""#) } && after.count == 6)
    // A plain import takes it all: it is no delivery.
    _ = try Self.run([Self.file[0], Self.file[4]], .fail, into: store)
    #expect(try store.export().count == 7)
  }

  @Test func anotherSenderOrConversationIsRefused() throws {
    let store = try TemporaryStore()
    _ = try Self.run(Self.file, .fail, into: store)
    let before = try store.export()
    var reasons: [String] = []
    let summary = try Self.run(
      [
        ImporterTests.header,
        #"{"kind":"message","identifier":"m","conversation":"c","sender":"eve"}"#,
        #"{"kind":"announcement","identifier":"m","sender":"bob"}"#,
        #"{"kind":"message","identifier":"m","remoteID":"n","conversation":"c","sender":"bob"}"#,
      ], .merge, into: store, skipsInvalid: true, rejected: { reasons.append("\($0): \($1)") })
    #expect(summary == Importer.Summary(rejected: 3) && reasons.count == 3, "\(reasons)")
    #expect(try store.export() == before)
  }
}
