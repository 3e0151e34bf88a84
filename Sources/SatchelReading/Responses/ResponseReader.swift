package import SatchelCoding
package import SatchelModel
internal import SatchelRecords

/// Reads what others say to messages in one read of one state.
package final class ResponseReader {
  private let kinds: ResponseKinds
  private let snapshot: Snapshot
  private let reactions: ReactionReader?
  private let replyType: UInt32?
  private let groupOfParents: UInt64?
  /// What has been looked for so far.
  private(set) var responded: RespondedMessages

  /// - Throws: ``SatchelError`` `unknownRecordType`, which names the call that switches it on, if the store does not keep what is to
  ///   be read.
  init(_ kinds: ResponseKinds, in snapshot: Snapshot) throws {
    self.kinds = kinds
    self.snapshot = snapshot
    responded = try RespondedMessages(kinds, in: snapshot)
    reactions = try responded.reactionType.map { try ReactionReader(snapshot, ofType: $0) }
    replyType = responded.replyType
    groupOfParents = try replyType.flatMap { try snapshot.groupOfParents(ofType: $0) }
  }

  /// Returns what others say to a message.
  /// - Complexity: O(log n) for its replies, for its reactions, and for each kind of these.
  func responses(to message: MessageView) throws -> IncludedResponses {
    let name = unsafe [UInt8](message.identifierBytes)
    responded.names.insert(name)
    var responses = IncludedResponses()
    responses.reactions = try reactions?.reactions(to: name)
    if let replyType {
      responses.thread = try snapshot.thread(of: name, ofType: replyType, group: groupOfParents)
    }
    return responses
  }
}

/// The messages of which it was asked what others say to them.
package struct RespondedMessages: Sendable {
  fileprivate let reactionType: UInt32?
  fileprivate let replyType: UInt32?
  /// The identifiers of the messages.
  fileprivate(set) var names: Set<[UInt8]> = []

  /// Of no messages yet.
  /// - Throws: As `ResponseReader`.
  package init(_ kinds: ResponseKinds, in snapshot: Snapshot) throws {
    reactionType = kinds.contains(.reactions) ? try snapshot.recordType(of: .reactions) : nil
    replyType = kinds.contains(.replies) ? try snapshot.recordType(of: .threads) : nil
  }

  /// Of whom more or less is said, or something else.
  package enum Concern {
    case nobody
    /// The message of an identifier.
    case message([UInt8])
    /// It is not known of whom.
    case anybody
  }

  package var count: Int { names.count }

  mutating func formUnion(_ others: RespondedMessages) { names.formUnion(others.names) }

  /// Whether a record is a reaction or a reply that was asked for.
  package func isOfResponses(_ key: TypedRecordKey) -> Bool {
    key.type == reactionType || key.type == replyType
  }

  /// Whether a change of a reaction or a reply may change what is said to one of the messages.
  /// - Parameter snapshot: The state after the change.
  package func areConcerned(
    by action: LoggedChange.Action, of key: TypedRecordKey, in snapshot: Snapshot
  ) throws -> Bool {
    switch try concern(of: action, of: key, in: snapshot) {
    case .nobody: false
    case .message(let name): names.contains(name)
    case .anybody: true
    }
  }

  /// Returns of which message what is said may be something else after a change of a reaction or a reply.
  /// - Parameter snapshot: The state after the change.
  package func concern(
    of action: LoggedChange.Action, of key: TypedRecordKey, in snapshot: Snapshot
  ) throws -> Concern {
    switch action {
    // The log has no name of one that is gone.
    case .deleted: return .anybody
    // A reply may have had another parent; what is counted of a reaction never changes.
    case .updated: return key.type == replyType ? .anybody : .nobody
    case .created:
      let record = try snapshot.record(key)
      let name: [UInt8]?
      if key.type == reactionType {
        name = ReactionName.message(of: Array(try snapshot.identifier(of: record).utf8))
      } else {
        name = try snapshot.value(of: Array("parent".utf8), in: record)?.referenceValue
          .map { Array($0.name.utf8) }
      }
      return name.map { .message($0) } ?? .nobody
    }
  }
}
