/// Makes up a chat in the interchange format: for trying a store out, for tests and for benchmarks.
///
/// The same number of messages and the same seed give the same bytes on every platform. The authenticated user, for
/// whom `isUnread` and `recipientStatus` are meant, is always `alice`; about nineteen in twenty conversations are
/// hers. What is in it, line by line:
///
/// 1. the header;
/// 2. identities, about as many as the square root of the messages;
/// 3. conversations, one for every sixty messages and at least five, their sizes about Zipf's: groups of up to
///    thirty, some of them distinct pairs with `alice`, one in fifty without a message;
/// 4. messages in the order of time up to 2026-06-30T12:00:00Z, several conversations at once in bursts, in ten
///    languages and writing systems, with parts of seven MIME types; the last few are hers and unsent;
/// 5. a few announcements.
package struct ChatGenerator: Sendable {
  /// The user whose store the chat is.
  package static let authenticatedUser = "alice"

  private let messages: Int
  private let seed: UInt64

  /// - Parameters:
  ///   - messages: how many messages, not counting announcements; below 0 is 0,
  ///     and a million millions are the most.
  ///   - seed: chooses one of many chats of that size.
  package init(messages: Int, seed: UInt64) {
    self.messages = messages
    self.seed = seed
  }

  /// Hands the chat to `output` in chunks of whole lines, about 64 KiB each.
  ///
  /// Time is linear in the messages. Memory is about a hundred bytes for every conversation, of which there are a
  /// million at most.
  package func generate(into output: ([UInt8]) throws -> Void) throws {
    var chat = Chat(plan: ChatPlan(messages: messages, seed: seed))
    try chat.write(to: output)
  }
}
