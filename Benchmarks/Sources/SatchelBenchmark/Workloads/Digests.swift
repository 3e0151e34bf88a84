import BenchmarkKit
import Engines
import Satchel

// Every object is held before it is digested; an answer then touches what a list would show of it: of a message its
// identifier, sender, time and text. What an engine leaves undecoded until it is asked for (Satchel the other properties,
// the relational ones metadata and recipients) stays so.

extension Answer {
  /// A whole number.
  mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }

  /// A number that may be missing.
  mutating func add(_ number: Int64?) { add(number.map(UInt64.init(bitPattern:)) ?? .max) }

  init(number: Int) {
    self.init()
    add(number)
  }

  init(sum: Int64, of count: Int) {
    self.init()
    add(count)
    add(sum)
  }

  init(texts: [String]) {
    self.init()
    for text in texts { add(text) }
  }

  init<Object>(ids: [ObjectID<Object>]) {
    self.init()
    for id in ids { add(id.rawValue) }
  }

  // MARK: Messages

  mutating func add(_ message: Message) {
    add(message.id.rawValue)
    add(message.sender.rawValue)
    add(message.sentTimestamp?.microseconds)
    add(message.text ?? "")
  }

  mutating func add(_ message: MessageValues) {
    add(message.identifier)
    add(message.sender)
    add(message.sentAt)
    add(message.text ?? "")
  }

  init(_ messages: [Message]) {
    self.init()
    for message in messages { add(message) }
  }

  init(_ messages: [MessageValues]) {
    self.init()
    for message in messages { add(message) }
  }

  mutating func add(_ state: LifeState) {
    add(state.identifier)
    add(state.remoteID ?? "")
    add(state.position)
    add(state.sentAt)
    add(state.isSent ? 1 : 0)
    add(state.isUnread ? 1 : 0)
    add(state.editedAt)
    add(state.deletedAt)
    add(state.partCount)
    add(state.text ?? "")
    add(state.lastMessage)
  }

  // MARK: Conversations

  init(_ conversations: [Conversation]) {
    self.init()
    for conversation in conversations {
      add(conversation.id.rawValue)
      add(conversation.participants.count)
      add(conversation.unreadCount)
      if let last = conversation.lastMessage { add(last) }
    }
  }

  init(_ conversations: [ConversationObject]) {
    self.init()
    for conversation in conversations {
      add(conversation.identifier)
      add(conversation.participants.count)
      add(conversation.unreadCount)
      if let last = conversation.lastMessage { add(last) }
    }
  }

  // MARK: Parts

  init(_ parts: [MessagePart]) {
    self.init()
    for part in parts {
      add(part.message.rawValue)
      add(part.index)
      add(part.size)
    }
  }

  init(_ parts: [(message: String, place: Int64, part: PartValues)]) {
    self.init()
    for (message, place, part) in parts {
      add(message)
      add(Int(place))
      add(part.size)
    }
  }
}

extension LoadedDataset {
  /// The contender of raw LMDB, where it is loaded.
  func floor(_ contender: (LMDBEngine) -> Contender) -> [Contender] { lmdb.map { [contender($0)] } ?? [] }
}
