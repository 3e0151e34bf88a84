/// A commit of a chat as a user's years bring it.
public enum AgeingCommit: Sendable {
  case add(NewMessage)
  /// All messages of a conversation are read.
  case read(ConversationKey)
  /// One message is read.
  case readOne(AgeingMessage)
  case rename(ConversationKey, title: String)
  /// The text of a message is replaced.
  case edit(AgeingMessage, text: String, at: Int64)
  case delete(AgeingMessage)
  case begin(ConversationValues)
  case end(ConversationKey)
}

/// A message that came while the chat aged, by its name.
public struct AgeingMessage: Sendable {
  public let identifier: String
  public let conversation: ConversationKey
}

/// The commits of a user's chats over years, on top of what was loaded, the same for every engine: messages that are received and
/// sent, a few conversations by far the busiest and others becoming so, reads, marks, titles, edits, deletions, conversations that
/// begin and are deleted. It is the mix of Tests/Ageing/ChatLife.swift.
public struct AgeingChat: Sequence, IteratorProtocol {
  private struct Conversation {
    let key: ConversationKey
    /// The last messages that came to it, the newest last.
    var recent: [String] = []
  }

  private var random = SplitMix(seed: 20_261_127)
  private var conversations: [Conversation]
  private let texts: Tail
  private var left: Int
  private var made = 0
  private var begun = 0

  /// - Parameter commits: How many there are.
  public init(_ keys: Keys, commits: Int) {
    conversations = keys.conversations.map { Conversation(key: $0) }
    texts = Tail(keys, "age")
    left = commits
  }

  /// The identifiers of the conversations that are there.
  public var there: Set<String> { Set(conversations.map(\.key.identifier)) }

  /// The next commit; nil after the last one.
  public mutating func next() -> AgeingCommit? {
    guard left > 0, !conversations.isEmpty else { return nil }
    left -= 1
    made += 1
    let place = somePlace()
    let key = conversations[place].key
    defer {
      // Some become busier, others less.
      if made % 50 == 0 {
        conversations.swapAt(random.below(conversations.count), random.below(conversations.count))
      }
    }
    // What is done to a message is done to one that came before, if there is one; else a message comes.
    switch random.below(1000) {
    case 0..<120: return .read(key)
    case 120..<160: if let message = some(of: place) { return .readOne(message) }
    case 160..<170: return .rename(key, title: "Plans \(made)")
    case 170..<185:
      if let message = some(of: place) {
        let text = texts.message(made + 1_000_000_000).record.parts[0].text ?? ""
        return .edit(message, text: text, at: Self.date(made))
      }
    case 185..<219: if let message = some(of: place, isTaken: true) { return .delete(message) }
    case 219..<222: return begin()
    case 222..<225 where conversations.count > 1:
      conversations.swapAt(place, conversations.count - 1)
      return .end(conversations.removeLast().key)
    default: break
    }
    return add(to: place)
  }

  /// Microseconds since 1970 at a commit: later than all that was loaded.
  private static func date(_ commit: Int) -> Int64 { 1_782_820_800_000_000 + Int64(commit) * 1_000_000 }

  /// A place in the list, the first ones by far the most often.
  private mutating func somePlace() -> Int {
    let share = Double(random.next() >> 11) / Double(1 << 53)
    return Int(share * share * share * Double(conversations.count))
  }

  private mutating func some(of place: Int, isTaken: Bool = false) -> AgeingMessage? {
    let count = conversations[place].recent.count
    guard count > 0 else { return nil }
    let index = random.below(count)
    let name = conversations[place].recent[index]
    if isTaken { conversations[place].recent.remove(at: index) }
    return AgeingMessage(identifier: name, conversation: conversations[place].key)
  }

  private mutating func add(to place: Int) -> AgeingCommit {
    let new = texts.message(made)
    var record = new.record
    record.conversation = conversations[place].key.identifier
    conversations[place].recent.append(record.identifier)
    if conversations[place].recent.count > 30 { conversations[place].recent.removeFirst() }
    return .add(NewMessage(conversation: conversations[place].key, record: record))
  }

  private mutating func begin() -> AgeingCommit {
    begun += 1
    var values = ConversationValues()
    values.identifier = "age-\(begun)"
    values.participants = ["alice", "noah", "olivia"]
    values.createdAt = Self.date(made)
    values.metadata = #"{"title":"Begun \#(begun)"}"#
    values.metadataTexts = [("title", "Begun \(begun)")]
    // Who keeps rows gives it one when it is made.
    let key = ConversationKey(identifier: values.identifier, row: 0, messageCount: 0, unreadCount: 0)
    conversations.append(Conversation(key: key))
    conversations.swapAt(random.below(conversations.count), conversations.count - 1)
    return .begin(values)
  }
}
