package import RankedKeys
package import SatchelCoding
package import SatchelPlanning
package import SatchelReading

/// One row while it is tested: its index entry, and the records that have been read for it so far.
package struct RowContext {
  package private(set) var reference = RowReference(sequence: 0)
  /// The entry of the index that the row came from; zeros if it came from none.
  package private(set) var words = Words(repeating: 0)
  private var messageRecord: MessageView?
  /// The number of the write's changes when the message's record was read; 0 in a read.
  private var changes = 0
  private var conversationRecord: ConversationView?
  private var identityRecord: IdentityView?
  private var record: RecordView?

  package init() {}

  /// Begins the next row.
  package mutating func begin(_ reference: RowReference, _ words: Words) {
    self.reference = reference
    self.words = words
    messageRecord = nil
    conversationRecord = nil
    identityRecord = nil
    record = nil
  }

  /// Begins the next row, which comes without an index entry.
  package mutating func begin(_ reference: RowReference) { begin(reference, Words(repeating: 0)) }

  /// Begins the next row, a message whose record has been read already.
  package mutating func begin(_ record: MessageView) {
    begin(RowReference(sequence: record.key.sequence, conversation: record.key.conversation))
    messageRecord = record
  }

  /// Goes on to a part of the current message, and keeps the message's record.
  package mutating func enterPart(_ index: Int, in snapshot: Snapshot) {
    reference.part = UInt32(truncatingIfNeeded: index)
    // Who was given the part before may have changed the write, after which the record's memory is not valid.
    if changes != snapshot.changes { messageRecord = nil }
  }

  /// Returns the record of the row's message; for a part, of the message that it belongs to.
  package mutating func message(_ snapshot: Snapshot) throws -> MessageView {
    if let messageRecord { return messageRecord }
    let record = try snapshot.message(conversation: reference.conversation, sequence: reference.sequence)
    messageRecord = record
    changes = snapshot.changes
    return record
  }

  /// Returns the record of the row's announcement.
  package mutating func announcement(_ snapshot: Snapshot) throws -> MessageView {
    if let messageRecord { return messageRecord }
    let record = try snapshot.announcement(reference.sequence)
    messageRecord = record
    return record
  }

  /// Returns the record of the row's conversation.
  package mutating func conversation(_ snapshot: Snapshot) throws -> ConversationView {
    if let conversationRecord { return conversationRecord }
    let record = try snapshot.conversation(UInt32(truncatingIfNeeded: reference.sequence))
    conversationRecord = record
    return record
  }

  /// Returns the application's record that the row is.
  package mutating func record(_ snapshot: Snapshot) throws -> RecordView {
    if let record { return record }
    let found = try snapshot.record(
      TypedRecordKey(type: reference.conversation, sequence: reference.sequence))
    record = found
    return found
  }

  /// Returns the record of the row's identity; nil for a member of a conversation who has none.
  package mutating func identity(_ snapshot: Snapshot) throws -> IdentityView? {
    if let identityRecord { return identityRecord }
    let record =
      if let user = reference.member { try snapshot.identity(ofUser: user) } else {
        try snapshot.identity(UInt32(truncatingIfNeeded: reference.sequence))
      }
    identityRecord = record
    return record
  }
}
