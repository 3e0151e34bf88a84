import SatchelModel
import SatchelRecords
import Testing

/// Records of the library's types that cannot be: the error names each field that is wrong, and what would be right.
@Suite struct LibraryRecordTests {
  private static let message = MetadataValue.reference(Message.ID("m"))
  private static let conversation = MetadataValue.reference(Conversation.ID("c"))
  private static let bob = MetadataValue.reference(Identity.ID("bob"))
  private static let carol = MetadataValue.reference(Identity.ID("carol"))
  private static let date = MetadataValue.date(Timestamp(microseconds: 0))

  private static func error(_ feature: StoreFeature, _ name: String, _ fields: Metadata) -> SatchelError? {
    do {
      try feature.recordType.check(Record(feature.recordType, name: name, fields))
      return nil
    } catch { return error as? SatchelError }
  }

  @Test func whatIsRightIsTaken() {
    for (feature, name, fields) in [
      (.reactions, "m/x/bob", ["message": Self.message, "user": Self.bob, "kind": "x", "state": "sent"]),
      (.threads, "m", ["message": Self.message]),
      (.threads, "m", ["message": Self.message, "parent": .reference(Message.ID("n"))]),
      (
        .relations, "following/bob/carol",
        ["kind": "following", "from": Self.bob, "to": Self.carol, "inverse": "following/carol/bob"]
      ),
      (
        .participations, "c/bob",
        [
          "conversation": Self.conversation, "user": Self.bob, "isPinned": true, "pinnedAt": Self.date,
          "isMuted": true, "mutedUntil": Self.date, "isArchived": false,
        ]
      ),
    ] as [(StoreFeature, String, Metadata)] {
      #expect(Self.error(feature, name, fields) == nil, "\(fields)")
      let other = Self.error(feature, name + "?", fields)
      #expect(other?.context["expected"] == name && other?.context["found"] == name + "?")
    }
  }

  /// Of a type that is declared otherwise, what differs.
  @Test func whatIsDeclaredOtherwiseIsNamed() {
    let (message, parent) = (
      "message: reference to messages, onDelete: ", "parent: reference to messages, onDelete: nullify"
    )
    for (type, found, expected) in [
      (
        RecordType("_reply") {
          $0.reference("message", to: Reference.messages)
          $0.reference("parent", to: Reference.messages)
        }, message + "nullify", message + "cascade"
      ),
      (
        RecordType("_reply") { $0.reference("message", to: Reference.messages, onDelete: .cascade) },
        "no other fields", parent
      ),
      (
        RecordType("_reply") {
          $0.reference("message", to: Reference.messages, onDelete: .cascade)
          $0.text("parent")
          $0.integer("order")
        }, "order: integer; parent: text", parent
      ),
      (RecordType("_reply"), "no other fields", message + "cascade; " + parent),
    ] {
      let error = #expect(throws: SatchelError.self) { try type.validate() }
      #expect(error?.code == .invalidKey && error?.context["recordType"] == "_reply")
      #expect(error?.context["found"] == found && error?.context["expected"] == expected, "\(type)")
    }
  }

  @Test func fieldsThatAreWrongAreNamed() {
    let message = "message: a reference, such as messages/NAME"
    let user = "user: a reference, such as identities/NAME"
    let conversation = "conversation: a reference, such as conversations/NAME"
    for (feature, fields, expected) in [
      (.reactions, [:], "\(message); \(user); kind: a text that is not empty; state: pending or sent"),
      (
        .reactions, ["message": Self.message, "user": Self.bob, "kind": "", "state": "seen"],
        "kind: a text that is not empty; state: pending or sent"
      ),
      (.threads, ["parent": Self.message], message),
      (.threads, ["message": Self.message, "parent": Self.message], "parent: another message, or none"),
      (
        .relations, ["kind": "a b", "from": Self.bob, "to": Self.bob],
        "kind: 1 to 64 of A-Z a-z 0-9 _ -; to: another user than from"
      ),
      (
        .relations, ["kind": "friend", "from": Self.bob, "to": Self.carol, "inverse": "friend/bob/carol"],
        "inverse: friend/carol/bob"
      ),
      (
        .participations, ["pinnedAt": Self.date],
        "\(conversation); \(user); pinnedAt: none, as isPinned is not true"
      ),
      (
        .participations,
        [
          "conversation": Self.conversation, "user": Self.bob, "isPinned": true, "isArchived": true,
          "mutedUntil": Self.date,
        ],
        "pinnedAt: a date, as isPinned is true; archivedAt: a date, as isArchived is true; mutedUntil: none, as isMuted is not true"
      ),
    ] as [(StoreFeature, Metadata, String)] {
      let error = Self.error(feature, "name", fields)
      #expect(error?.code == .invalidValue && error?.context["expected"] == expected, "\(fields)")
      #expect(error?.context["recordType"] == feature.recordType.name)
    }
  }
}
