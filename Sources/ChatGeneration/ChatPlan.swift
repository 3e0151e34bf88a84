/// How many objects of each kind a chat of a given number of messages has, and how long it lasts.
struct ChatPlan {
  let seed: UInt64
  /// Messages with a position.
  let sentCount: Int
  /// Messages of the authenticated user that are still waiting to be sent; they come last.
  let unsentCount: Int
  let announcementCount: Int
  let identityCount: Int
  let conversationCount: Int
  /// The time from the first message to the last, in microseconds.
  let duration: Int64

  /// When the last message is sent, in microseconds since 1970: 2026-06-30T12:00:00Z.
  static let end: Int64 = 1_782_820_800_000_000

  init(messages: Int, seed: UInt64) {
    self.seed = seed
    // Beyond 10^12 messages the calculations below could overflow, and no disk would hold the chat.
    let messages = min(max(0, messages), 1_000_000_000_000)
    unsentCount = min(4, messages / 50)
    sentCount = messages - unsentCount
    announcementCount = min(5, messages / 20)
    let root = Self.squareRoot(messages)
    identityCount = min(max(8, root), 1 << 16)
    // A state is kept for each conversation, so their number bounds the memory.
    conversationCount = min(max(5, messages / 60), 1 << 20)
    // A month for a thousand messages, two and a half years for a million, twenty at most.
    let day: Int64 = 86_400_000_000
    duration = min(Int64(root) * day * 30 / 31, 7_300 * day)
  }

  /// Returns the index of the message with which conversation `index` can begin. These messages are spread evenly
  /// over the chat; none is at its very end.
  func firstMessage(ofConversation index: Int) -> Int {
    (sentCount - sentCount / 32) * index / conversationCount
  }

  /// Returns the square root of a number below 2^62, rounded down.
  private static func squareRoot(_ value: Int) -> Int {
    var root = 0
    for bit in stride(from: 30, through: 0, by: -1) {
      let candidate = root | 1 << bit
      if candidate * candidate <= value { root = candidate }
    }
    return root
  }
}
