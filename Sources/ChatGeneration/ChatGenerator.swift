/// Generates a chat in the interchange format: for trying a store out, for tests and for benchmarks.
///
/// The same number of messages and the same seed give the same bytes on every platform. The authenticated user, to
/// whom `isUnread` and `recipientStatus` refer, is always `alice`; she takes part in about nineteen of twenty
/// conversations. The lines of a chat are:
///
/// 1. the header;
/// 2. identities, about as many as the square root of the number of messages;
/// 3. conversations, one for every sixty messages and at least five, with sizes by about Zipf's law: groups of up to
///    thirty, some of them distinct pairs with `alice`, one in fifty without a message;
/// 4. messages in the order of time up to 2026-06-30T12:00:00Z, several conversations at once in bursts, in ten
///    languages and writing systems, with parts of seven MIME types; the last few are hers and unsent;
/// 5. a few announcements.
package struct ChatGenerator: Sendable {
  /// The user to whose store the chat belongs.
  package static let authenticatedUser = "alice"

  private let messages: Int
  private let seed: UInt64

  /// - Parameters:
  ///   - messages: The number of messages, without announcements. A number below 0 counts as 0, one above 10^12 as
  ///     10^12.
  ///   - seed: Selects one of many chats of that size.
  package init(messages: Int, seed: UInt64) {
    self.messages = messages
    self.seed = seed
  }

  /// Hands the chat to `output` in chunks of whole lines, about 64 KiB each.
  /// - Complexity: Time is linear in the messages. Memory is about a hundred bytes for each conversation, of which
  ///   there are 2^20 at most.
  package func generate(into output: ([UInt8]) throws -> Void) throws {
    var chat = Chat(plan: ChatPlan(messages: messages, seed: seed))
    try chat.write(to: output)
  }
}
