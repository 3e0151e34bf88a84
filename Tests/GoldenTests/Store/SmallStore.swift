import SatchelModel
import SatchelReading
import SatchelStorage
import SatchelWriting
import Synchronization

/// A store of two conversations, three messages, an identity and an announcement: the same bytes at every time and
/// place.
enum SmallStore {
  /// Calls `body` with the store after its last commit.
  static func withSnapshot<R>(_ body: (Snapshot) throws -> R) throws -> R {
    let directory = try ScratchDirectory()
    var options = Store.Options()
    options.writerEnvironment = environment()
    options.durability = .temporaryImport
    let store = try Store.open(directory: directory.path + "/store", user: "alice", options: options)
    defer { store.close() }
    try store.write(fill)
    try store.write(send)
    return try store.read(body)
  }

  /// Times a second apart, numbers that count up.
  private static func environment() -> WriterEnvironment {
    let ticks = Counter()
    let numbers = Counter()
    return WriterEnvironment(
      clock: { Timestamp(microseconds: 1_700_000_000_000_000 + Int64(ticks.next()) * 1_000_000) },
      random: { 0x0123_4567_89AB_CDEF &+ numbers.next() &* 0x1111_1111_1111_1111 })
  }

  private final class Counter: Sendable {
    private let value = Atomic<UInt64>(0)
    func next() -> UInt64 { value.wrappingAdd(1, ordering: .relaxed).oldValue }
  }

  private static func fill(_ writer: Writer) throws {
    try writer.insertIdentity(
      Identity(
        userID: "bob", displayName: "Bob", emailAddress: "bob@example.org", metadata: ["team": "Zürich"]))
    _ = try writer.insertConversation(
      ConversationDraft(
        identifier: "lunch", participants: ["alice", "bob"],
        createdAt: Timestamp(microseconds: 1_699_999_000_000_000),
        isDistinct: true,
        metadata: ["title": "Lunch", "theme": ["color": "red"], "priority": 5, "muted": true]))
    // A title of which a node holds 240 bytes; the rest is in `texts`.
    _ = try writer.insertConversation(
      ConversationDraft(
        identifier: "plans", participants: ["alice", "bob", "carol"],
        metadata: ["title": .text(String(repeating: "All our plans. ", count: 17))]))
    _ = try writer.insertMessage(
      MessageDraft(
        identifier: "m-1", sender: "bob", position: 5, sentAt: Timestamp(microseconds: 1_699_999_100_000_000),
        receivedAt: Timestamp(microseconds: 1_699_999_100_250_000), isUnread: true, parts: [.text("Noon?")]),
      in: "lunch")
    _ = try writer.insertMessage(
      MessageDraft(
        identifier: "m-2", sender: "carol", position: -1,
        sentAt: Timestamp(microseconds: 1_699_999_200_000_000),
        isUnread: true,
        parts: [
          .text("The map"), .url("https://example.org/map.png", mimeType: "image/png", size: 1 << 20),
        ],
        recipientStatus: [
          RecipientStatusEntry(user: "alice", status: .read),
          RecipientStatusEntry(user: "bob", status: .delivered),
        ],
        metadata: [
          "source": ["app": "web"], "draft": "", "due": Timestamp(microseconds: 1_700_000_000_000_000),
        ]), in: "plans")
    _ = try writer.insertAnnouncement(
      MessageDraft(
        identifier: "a-1", sender: "service", position: 1,
        sentAt: Timestamp(microseconds: 1_699_999_300_000_000),
        isUnread: true, parts: [.data([0x89, 0x50, 0x4E, 0x47], mimeType: "image/png")]))
  }

  /// The third message waits to be sent; its content is too large for its record. The first one has been read.
  private static func send(_ writer: Writer) throws {
    _ = try writer.send(
      [.text(String(repeating: "A long story. ", count: 50))], to: "lunch", metadata: ["kind": "story"])
    try writer.markRead(["m-1"])
    try writer.updateConversation(
      "lunch",
      update {
        $0.metadata = [
          .set("Late lunch", at: MetadataPath(dotted: "title")),
          .set(2.5, at: MetadataPath(dotted: "priority")),
        ]
      })
  }

  private static func update(_ change: (inout ConversationUpdate) -> Void) -> ConversationUpdate {
    var update = ConversationUpdate()
    change(&update)
    return update
  }
}
