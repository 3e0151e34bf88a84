internal import LMDB
internal import RecordStore
internal import SatchelCoding

extension Snapshot {
  /// Returns the creation sequences, ascending, of the messages of a conversation that are not in the table of messages yet, or are about to
  /// be replaced or removed there; in a write, of all messages of the conversation.
  /// - Complexity: O(log n) and those sequences.
  package func sequencesAhead(of conversation: UInt32) throws -> [UInt64] {
    let first = MessageKey(conversation: conversation, sequence: 0)
    guard pending != nil else {
      let end = first.ofNextConversation ?? MessageKey(conversation: conversation, sequence: .max)
      return unsafe try tables.pendingKeys(.messages, from: first.bytes, before: end.bytes) { key in
        unsafe try sequence(key)
      }
    }
    var sequences: [UInt64] = []
    try scanMessages(from: first) { key, _ in
      guard key.conversation == conversation else { return false }
      sequences.append(key.sequence)
      return true
    }
    return sequences
  }

  fileprivate func sequence(_ key: UnsafeRawBufferPointer) throws -> UInt64 {
    try decoding("messages", "?") { () throws(CodingError) in unsafe try MessageKey(messages: key) }.sequence
  }
}

/// The creation sequences of the messages that the table has of a conversation, in either direction. Some of them may have been removed by what is
/// pending; those that are only there are not among them.
///
/// Not for a write, whose next change may move what a cursor is at.
package struct ConversationSequences: ~Copyable {
  /// The current one; nil before `begin`, and behind the last one.
  package private(set) var sequence: UInt64?

  private let snapshot: Snapshot
  private let conversation: UInt32
  private let isDescending: Bool
  private var cursor: Cursor
  private var moves = 0

  /// For so many steps a neighbour is nearer than a descent.
  private static let mostSteps = 6
  private static let movesBetweenChecks = 4096

  /// Stands before the first one: see ``begin()``.
  package init(of conversation: UInt32, descending: Bool, in snapshot: Snapshot) throws {
    let cursor = try snapshot.tables.baseCursor(.messages)
    self.snapshot = snapshot
    self.conversation = conversation
    isDescending = descending
    self.cursor = cursor
  }

  /// Moves to the first one, or to the last one if they descend.
  package mutating func begin() throws { try seek(isDescending ? .max : 0) }

  /// Moves to the first one that is not before a target, in the direction.
  package mutating func advance(to target: UInt64) throws {
    moves += 1
    if moves % Self.movesBetweenChecks == 0 { try snapshot.checkBounds() }
    var steps = 0
    while let current = sequence, isDescending ? current > target : current < target {
      steps += 1
      guard steps <= Self.mostSteps else { return try seek(target) }
      unsafe try take(isDescending ? cursor.previous() : cursor.next())
      guard let next = sequence, isDescending ? next >= current : next <= current else { continue }
      throw RecordError(
        "messages", "\(conversation)/\(next)", "it lies behind a key that is not before it")
    }
  }

  private mutating func seek(_ target: UInt64) throws {
    let key = MessageKey(conversation: conversation, sequence: target).bytes
    var entry = unsafe try cursor.seek(key)
    if isDescending {
      let isAtTarget = unsafe try entry.map { unsafe try isOfConversation($0.key, target) } ?? false
      if !isAtTarget { unsafe entry = try entry == nil ? cursor.last() : cursor.previous() }
    }
    unsafe try take(entry)
    guard let found = sequence, isDescending ? found > target : found < target else { return }
    throw RecordError("messages", "\(conversation)/\(found)", "it lies behind a key that is not before it")
  }

  private func isOfConversation(_ key: UnsafeRawBufferPointer, _ target: UInt64) throws -> Bool {
    unsafe try message(key) == MessageKey(conversation: conversation, sequence: target)
  }

  private mutating func take(_ entry: Cursor.Entry?) throws {
    guard let entry = unsafe entry, case let key = unsafe try message(entry.key),
      key.conversation == conversation
    else { return sequence = nil }
    sequence = key.sequence
  }

  private func message(_ key: UnsafeRawBufferPointer) throws -> MessageKey {
    try snapshot.decoding("messages", "?") { () throws(CodingError) in unsafe try MessageKey(messages: key) }
  }
}
