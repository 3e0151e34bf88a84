import SatchelCoding
import SatchelExecution
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading

/// What is watched of related objects, in the terms of the log.
struct WatchedRelations: Sendable {
  /// The watched properties of the conversations that messages belong to.
  let conversation: LoggedProperties
  /// True if the names of senders are watched.
  let names: Bool
  /// True if the last messages of messages' conversations are watched; these may change without the messages.
  let lastMessages: Bool
  /// The watched properties of what records refer to.
  let referenced: [ObjectProperty]

  init(_ watched: WatchedProperties, of kind: ObjectKind) {
    conversation = watched.conversationProperties
    names = watched.looks(through: .sender)
    lastMessages = kind != .conversations && watched.looks(through: .lastMessage)
    referenced = watched.referenced
  }
}

/// Decides which rows of a list may show something else after a batch, because their objects have changed, or a watched
/// property of a related object, or an object that comes along.
struct Touched {
  private let batch: CommitBatch
  private let kind: ObjectKind
  /// The objects that the log lists.
  private let touched: [RowReference]
  private let relations: WatchedRelations
  private let looksAtNames: Bool
  private let looksAtLast: Bool
  /// True if something changed that comes with rows: it is not known with which.
  private let looksAtIncluded: Bool
  /// The records that refer to an object with watched properties that has changed, or the conversations of which that is said.
  private let referring: Set<RowReference>

  /// - Parameter included: What may come with the rows.
  init(
    _ batch: CommitBatch, _ question: Question, _ relations: WatchedRelations, _ included: IncludedReferences
  ) throws {
    self.batch = batch
    kind = question.kind
    touched = try batch.touched(question)
    self.relations = relations
    looksAtNames =
      relations.names && batch.identities.values.contains { $0.concerns(.init(.displayName)) }
    looksAtLast = relations.lastMessages && !batch.messages.isEmpty
    let dependents = batch.dependents(on: relations.referenced, ofType: question.recordType)
    referring = Set(dependents ?? [])
    looksAtIncluded = try dependents == nil || batch.concerns(included)
  }

  func contains(_ row: RowReference) -> Bool {
    if !batch.listsAll || looksAtNames || looksAtIncluded { return true }
    switch kind {
    case .messages, .parts:
      return batch.change(of: row, .messages) != nil || batch.ranges.contains(row.conversation)
        || isTouched(conversation: row.conversation)
    case .conversations:
      return referring.contains(row)
        || batch.conversations[UInt32(truncatingIfNeeded: row.sequence)] != nil
        || batch.ranges.contains(UInt32(truncatingIfNeeded: row.sequence))
        || batch.holdsMessages(of: UInt32(truncatingIfNeeded: row.sequence))
    case .records: return batch.change(of: row, kind) != nil || referring.contains(row)
    case .announcements, .identities: return batch.change(of: row, kind) != nil
    }
  }

  private func isTouched(conversation row: UInt32) -> Bool {
    if looksAtLast, batch.holdsMessages(of: row) { return true }
    guard !relations.conversation.isEmpty, let change = batch.conversations[row] else { return false }
    return change.concerns(relations.conversation)
  }

  /// Returns whether any of a list's rows is touched. It may return true without a touched row if the log has ranges.
  /// - Parameters:
  ///   - rows: The rows; for parts, their messages.
  ///   - conversations: The rows' conversations, if these are watched.
  func hasSome(of rows: Set<RowReference>, conversations: Set<UInt32>) -> Bool {
    guard !rows.isEmpty else { return false }
    if !batch.listsAll || looksAtNames || looksAtIncluded || !batch.ranges.isEmpty { return true }
    if touched.count <= rows.count {
      if touched.contains(where: rows.contains) { return true }
    } else if rows.contains(where: contains) {
      return true
    }
    if !referring.isDisjoint(with: rows) { return true }
    if looksAtLast, conversations.contains(where: batch.holdsMessages) { return true }
    guard !relations.conversation.isEmpty, !conversations.isEmpty else { return false }
    return batch.conversations.contains { row, change in
      conversations.contains(row) && change.concerns(relations.conversation)
    }
  }
}

extension WatchedProperties {
  /// The watched properties of the conversations that messages belong to, in the terms of the log.
  fileprivate var conversationProperties: LoggedProperties {
    items.reduce(into: LoggedProperties()) { $0.formUnion(Self.ofConversation($1)) }
  }

  private static func ofConversation(_ item: Item) -> LoggedProperties {
    switch item {
    case .through(.message, let inner): return ofConversation(inner)
    case .through(.conversation, .participants): return .init(.participantSet)
    case .through(.conversation, .metadata): return .init(.metadata)
    case .through(.conversation, .property(let property)): return property.logged(of: .conversations)
    case .through(.conversation, _): return .all
    case .property(let property):
      return property.stripping(.conversation).map { $0.logged(of: .conversations) }
        ?? property.stripping(.message).map { ofConversation(.property($0)) } ?? []
    case .participants, .recipients, .transfers, .metadata, .contents, .preview, .through: return []
    }
  }
}
