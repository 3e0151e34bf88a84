import Foundation
import Satchel
import Testing

/// A store of alice, opened as the articles open it, that is removed with this value; with short ways to write what
/// chats write.
///
/// Everything is synchronous: a test that runs on an actor writes without leaving it.
final class GuideStore: Sendable {
  let store: MessageStore
  let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory.appending(
      path: "satchel-guide-\(UUID().uuidString)")
    store = try MessageStore(at: directory, user: "alice")
  }

  deinit {
    store.close()
    try? FileManager.default.removeItem(at: directory)
  }

  @discardableResult
  func write<Result>(_ body: (WriteTransaction) throws -> Result) throws -> Result { try store.write(body) }

  /// Creates a conversation with messages of its first participant: "1", "2" … at these positions.
  func chat(
    _ id: Conversation.ID, with users: [Identity.ID] = ["bob"], metadata: Metadata = [:], messages: Int
  ) throws {
    try write { transaction in
      try transaction.createConversation(with: users, id: id, metadata: metadata)
      for number in 1...messages {
        try transaction.receive(
          [.text("\(number)")], in: id, from: users[0], id: Message.ID("\(id)-\(number)"),
          position: Int64(number), sentAt: Self.date(number), receivedAt: Self.date(number))
      }
    }
  }

  /// Adds a message at a position, and at a date of as many minutes.
  @discardableResult
  func receive(
    _ text: String, in conversation: Conversation.ID, from sender: Identity.ID = "bob",
    id: Message.ID? = nil, at number: Int
  ) throws -> Message.ID {
    try write { transaction in
      try transaction.receive(
        [.text(text)], in: conversation, from: sender, id: id, position: Int64(number),
        sentAt: Self.date(number), receivedAt: Self.date(number))
    }
  }

  /// Returns a date, given by a number of minutes.
  static func date(_ minutes: Int) -> Date {
    Date(timeIntervalSince1970: 1_700_000_000 + 60 * Double(minutes))
  }
}

/// Waits until something is true. If it never becomes true, the test fails; nothing depends on how long it takes.
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
