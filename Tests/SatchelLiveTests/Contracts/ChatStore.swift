import Foundation
import Satchel
import SatchelLive
import Testing

/// A store of alice that is gone with this value, with short ways to write what chats write.
///
/// All of it is synchronous: a test that runs on an actor writes without leaving it.
final class ChatStore: Sendable {
  let store: MessageStore
  let directory: URL
  /// An identity that nothing else is about: what is shown of it says how far live queries have come.
  private let sentinel: QueryController<Identity>

  init() throws {
    directory = FileManager.default.temporaryDirectory.appending(path: "satchel-chat-\(UUID().uuidString)")
    store = try MessageStore(at: directory, user: "alice", options: Self.options)
    sentinel = store.controller(for: Identity.filter { $0.userID == "sentinel" })
    try sentinel.execute()
  }

  deinit {
    store.close()
    try? FileManager.default.removeItem(at: directory)
  }

  static var options: MessageStore.Options {
    var options = MessageStore.Options()
    options.durability = .relaxed
    // Commits go to the journal, and on from there every few of them.
    options.journal.use = .always
    options.journal.commitsBefore = 0
    options.journal.mostCommits = 7
    // There are no commits but those that a test makes.
    options.purgePause = nil
    return options
  }

  @discardableResult
  func write<Result>(_ body: (WriteTransaction) throws -> Result) throws -> Result { try store.write(body) }

  func fetch<Object: StoredObject>(_ query: Query<Object>) throws -> [Object] { try store.fetch(query) }

  /// A conversation with bob, or with others, and so many messages of the other's: "1", "2", … at these positions.
  @discardableResult
  func chat(
    _ id: Conversation.ID, with users: [Identity.ID] = ["bob"], metadata: Metadata = [:],
    messages: Int = 0
  ) throws -> Conversation.ID {
    try write { transaction in
      try transaction.createConversation(with: users, id: id, metadata: metadata)
      for number in 0..<messages {
        try transaction.receive(
          [.text("\(number + 1)")], in: id, from: users.first ?? "alice",
          id: Message.ID("\(id)-\(number + 1)"), position: Int64(number + 1), sentAt: Self.date(number + 1),
          receivedAt: Self.date(number + 1))
      }
    }
    return id
  }

  /// A message of bob's, or of another user's.
  @discardableResult
  func receive(
    _ text: String, in conversation: Conversation.ID, from sender: Identity.ID = "bob",
    id: Message.ID? = nil, at number: Int? = nil, isUnread: Bool = true
  ) throws -> Message.ID {
    try write { transaction in
      try transaction.receive(
        [.text(text)], in: conversation, from: sender, id: id, position: number.map { Int64($0) },
        sentAt: number.map(Self.date), receivedAt: number.map(Self.date), isUnread: isUnread)
    }
  }

  /// A date, by a number of minutes.
  static func date(_ minutes: Int) -> Date {
    Date(timeIntervalSince1970: 1_700_000_000 + 60 * Double(minutes))
  }

  /// Returns when live queries have taken in every commit so far.
  @MainActor
  func settled() async throws {
    let name = UUID().uuidString
    try synchronously { try write { try $0.put(Identity(userID: "sentinel", displayName: name)) } }
    await eventually("live queries take in what was written") { sentinel.list.first?.displayName == name }
    // The lists of a batch come one after the other: this waits for the last of them.
    store.live.catchUp()
  }
}

/// Says in an asynchronous function that the synchronous form of a function is meant.
func synchronously<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }

/// Waits until something is true. What never becomes true is an issue; nothing depends on how long it takes.
@MainActor
func eventually(
  _ what: String, _ location: SourceLocation = #_sourceLocation, _ condition: () throws -> Bool
) async rethrows {
  for _ in 0..<30_000 {
    if try condition() { return }
    try? await Task.sleep(for: .milliseconds(1))
  }
  Issue.record("never: \(what)", sourceLocation: location)
}
