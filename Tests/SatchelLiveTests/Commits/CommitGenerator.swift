import Satchel
import SatchelStorage
import TestSupport

/// Makes random commits in a store, mostly of things that are there, and remembers what it has made: visible or not.
struct CommitGenerator {
  /// What a store holds, as far as the generator needs to know.
  struct Contents {
    /// The messages of each conversation, by age.
    var messages: [String: [String]] = [:]
    /// The conversations, by age.
    var conversations: [String] = []
    var announcements: [String] = []
    var identities: [String] = []
    /// Names of messages that were deleted, to be given again.
    var free: [String] = []
    /// Messages by what a server calls them.
    var remote: [String: String] = [:]
    /// Names of conversations that were deleted.
    var freeConversations: [String] = []
    var created = 0

    var messageCount: Int { messages.values.reduce(0) { $0 + $1.count } }
  }

  /// About how many messages a store has.
  static let size = 220
  /// About how many conversations a store has.
  static let conversationCount = 14

  var random: SeededGenerator
  var contents = Contents()
  /// Whether reactions, replies, participants' states and relations come and go as well.
  var keepsResponses = false
  /// What is thrown to undo a write.
  private struct Undone: Error {}

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Makes one commit; now and then one that changes nothing, or none at all because it is undone.
  mutating func commit(to store: MessageStore) throws {
    let before = contents
    let isUndone = random.percent(2)
    let steps = random.pick(weighted: [(4, 0), (46, 1), (26, 2), (14, 4), (8, 10), (2, 40)])
    do {
      try store.write { transaction in
        for _ in 0..<steps { try step(transaction) }
        if isUndone { throw Undone() }
      }
    } catch is Undone {
      contents = before
    }
  }

  /// One change; one that the store refuses is none.
  mutating func step(_ transaction: WriteTransaction) throws {
    let before = contents
    do { try change(transaction) } catch is SatchelError { contents = before }
  }

  private mutating func change(_ transaction: WriteTransaction) throws {
    let isFull = contents.messageCount > Self.size
    switch random.below(keepsResponses ? 134 : 114) {
    case 114...: try changeResponses(transaction)
    case 102...: try changeRecords(transaction)
    case 100...: try comeAndGo(transaction)
    case 0..<4:
      if contents.conversations.count > Self.conversationCount {
        try deleteConversation(transaction)
      } else {
        try createConversation(transaction)
      }
    case 4..<14: try changeParticipants(transaction)
    case 14..<38: if isFull { try deleteMessage(transaction) } else { try createMessage(transaction) }
    case 38..<44: try createMessage(transaction)
    case 44..<68: try updateMessage(transaction)
    case 68..<72: try markAsRead(transaction)
    case 72..<77: try deleteMessage(transaction)
    case 77..<82: try changeAnnouncements(transaction)
    case 82..<89: try changeIdentities(transaction)
    default: try changeMetadata(transaction)
    }
  }

  // MARK: What there is

  mutating func newName(_ prefix: String) -> String {
    contents.created += 1
    return "\(prefix)\(contents.created)"
  }

  mutating func conversation() -> String? {
    contents.conversations.isEmpty ? nil : random.pick(contents.conversations)
  }

  /// One of the messages, more often a young one.
  mutating func message() -> String? {
    for _ in 0..<4 {
      guard let conversation = conversation(), let messages = contents.messages[conversation],
        !messages.isEmpty
      else { continue }
      let last = messages.count - 1
      return messages[
        random.percent(50) ? last - random.below(min(4, messages.count)) : random.below(last + 1)]
    }
    return nil
  }

  mutating func users(_ most: Int) -> [Identity.ID] {
    (0..<random.below(most + 1)).map { _ in Identity.ID(random.user()) }
  }

  mutating func metadata() -> Metadata {
    var metadata: Metadata = [:]
    for _ in 0..<random.pick([0, 0, 1, 1, 2]) {
      let isNested = random.percent(35)
      let value = random.metadataValue()
      let other: Metadata =
        isNested ? ["theme": ["color": value]] : [random.pick(["title", "tag", "a.b"]): value]
      metadata = Metadata(
        metadata.entries.map { ($0.key, $0.value) } + other.entries.map { ($0.key, $0.value) })
    }
    return metadata
  }
}
