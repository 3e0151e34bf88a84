public import Satchel
import SatchelCoding
public import SatchelModel
public import SatchelQuery
import SatchelReading
public import SatchelRecords

/// The messages that answer one message.
public struct MessageThread: Hashable, Sendable {
  /// How many messages answer it.
  public let replyCount: Int
  /// Which of them was the last of which the store was told that it answers the message; nil if none does.
  public let lastReply: Message.ID?
  /// The senders of the replies, each once, in the order of their first replies.
  public let participants: [Identity.ID]
}

extension StoreSnapshot {
  /// Returns the query for the records of the reactions to a message, in the order in which the store was told of them: a value,
  /// which is filtered, sorted, counted and watched as any query for records.
  ///
  /// ```swift
  /// let thumbs = try store.reactions(to: message).filter { $0.kind == "👍" }.including(\.user)
  /// for reaction in try store.fetch(thumbs.limit(50)) {
  ///   print(reaction.included("user", as: Identity.self)?.displayName ?? reaction.id.name)
  /// }
  /// ```
  /// - Parameter message: The message, by any of its identifiers. Of one that is not there there are none.
  /// - Throws: ``SatchelError`` `unknownRecordType` if reactions are off in the store; as `fetch(_:)`.
  /// - Complexity: O(1).
  public func reactions(to message: Message.ID) throws -> Query<Record> {
    _ = try perform { try base.recordType(of: .reactions) }
    return Reaction.recordType.filter { $0.message == Reference(message) }
  }

  /// Returns the reactions to a message, counted by kind. For a page of messages, include them: `including(\.reactions)`.
  /// - Parameter message: The message, by any of its identifiers. Of one that is not there there are none.
  /// - Throws: ``SatchelError`` `unknownRecordType` if reactions are off in the store; as `fetch(_:)`.
  /// - Complexity: O(log n) for the message and for each kind. Reads no record of a reaction.
  public func reactionSummary(of message: Message.ID) throws -> ReactionSummary {
    try perform {
      let type = try base.recordType(of: .reactions)
      return try ReactionReader(base, ofType: type)
        .reactions(to: Array(base.names(of: Reference(message))[0].utf8))
    }
  }

  /// Returns the query for the records of the replies to a message, in the order in which the store was told that they are replies: a
  /// value, which is filtered, sorted, counted, paged and watched as any query for records. Each refers to its message, which comes along
  /// on request:
  ///
  /// ```swift
  /// let replies = try store.replies(to: message).including(\.message)
  /// for reply in try store.fetch(replies.limit(20)) {
  ///   print(reply.included("message", as: Message.self)?.text ?? "")
  /// }
  /// ```
  /// - Parameter message: The message, by any of its identifiers. It need not be there, and may be an announcement.
  /// - Throws: ``SatchelError`` `unknownRecordType` if threads are off in the store; as `fetch(_:)`.
  /// - Complexity: O(1). A page in the order of creation is read by rank, O(log n + page); in another order, O(replies).
  public func replies(to message: Message.ID) throws -> Query<Record> {
    _ = try perform { try base.recordType(of: .threads) }
    return Reply.recordType.filter { $0.parent == Reference(message) }
  }

  /// Returns how many messages answer a message, who has sent them, and which was the last. For a page of messages, include the number
  /// and the last one: `including(\.replies)`.
  /// - Parameter message: The message, by any of its identifiers. It need not be there, and may be an announcement.
  /// - Throws: ``SatchelError`` `unknownRecordType` if threads are off in the store; as `fetch(_:)`.
  /// - Complexity: O(k log n) for k replies, whose senders are read.
  public func thread(of message: Message.ID) throws -> MessageThread {
    let replies = try replies(to: message)
    return try perform {
      let type = try base.recordType(of: .threads)
      let summary = try base.thread(
        of: Array(base.names(of: Reference(message))[0].utf8), ofType: type,
        group: base.groupOfParents(ofType: type))
      var participants: [Identity.ID] = []
      var met: Set<Identity.ID> = []
      if summary.replyCount > 0 {
        for reply in try identifiers(replies) {
          guard let sender = try base.sender(ofMessage: reply.name) else { continue }
          if met.insert(sender).inserted { participants.append(sender) }
        }
      }
      return MessageThread(
        replyCount: summary.replyCount, lastReply: summary.lastReply, participants: participants)
    }
  }

  /// Returns the message that a message answers; nil if it answers none, or if that one was deleted. It may be the identifier of an
  /// announcement.
  /// - Throws: ``SatchelError`` `unknownRecordType` if threads are off in the store; as `fetch(_:)`.
  /// - Complexity: O(log n).
  public func parent(of message: Message.ID) throws -> Message.ID? {
    try perform {
      _ = try base.recordType(of: .threads)
      let id = Record.ID(type: Reply.recordType.name, name: message.rawValue)
      return try record(id)?.value(as: Reply.self).parent
    }
  }
}

extension Snapshot {
  /// Returns who has sent a message; nil if there is none.
  fileprivate func sender(ofMessage name: String) throws -> Identity.ID? {
    guard let key = try locateMessage(name), let view = try message(key) else { return nil }
    return Identity.ID(try users.text(view.sender))
  }
}
