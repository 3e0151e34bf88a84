internal import SatchelModel

/// The conversations of a block's messages: one for each run of messages of the same conversation. Nil stands for none,
/// which announcements have.
struct BlockConversations: Sendable {
  /// Most blocks are of one conversation, and need no array.
  private var first: Conversation.ID?
  private var others: [Conversation.ID?] = []
  private(set) var count = 0

  init() {}

  init(_ conversation: Conversation.ID?) {
    first = conversation
    count = 1
  }

  mutating func append(_ conversation: Conversation.ID?) {
    if count == 0 { first = conversation } else { others.append(conversation) }
    count += 1
  }

  subscript(index: Int) -> Conversation.ID? { index == 0 ? first : others[index - 1] }
}
