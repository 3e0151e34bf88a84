import SatchelPlanning
import SatchelStorage

/// A type of object that a store keeps and can return: ``Conversation``, ``Message``, ``MessagePart``, ``Announcement``
/// or ``Identity``.
public protocol StoredObject: Queryable, Identifiable, Equatable where ID == ObjectID<Self> {
  /// Reads the object that a reader refers to. Only the store calls it.
  /// - Throws: ``SatchelError`` `corrupted`.
  static func read(from reader: ObjectReader) throws -> Self
}

/// A reference to one result of a query, from which its object is read. Only the store makes one.
public struct ObjectReader {
  let snapshot: StoreSnapshot
  let reference: RowReference
}

extension Conversation: StoredObject {
  /// Reads the conversation that a reader refers to. Only the store calls it.
  public static func read(from reader: ObjectReader) throws -> Conversation {
    try reader.snapshot.base.makeConversation(UInt32(truncatingIfNeeded: reader.reference.sequence))
  }
}

extension Message: StoredObject {
  /// Reads the message that a reader refers to. Only the store calls it.
  public static func read(from reader: ObjectReader) throws -> Message {
    let row = reader.reference
    return try reader.snapshot.base.makeMessage(conversation: row.conversation, sequence: row.sequence)
  }
}

extension MessagePart: StoredObject {
  /// Reads the part that a reader refers to. Only the store calls it.
  public static func read(from reader: ObjectReader) throws -> MessagePart {
    let row = reader.reference
    let snapshot = reader.snapshot.base
    let view = try snapshot.message(conversation: row.conversation, sequence: row.sequence)
    guard let part = try snapshot.makePart(view, index: Int(row.part)) else {
      throw SatchelError(
        .corrupted, "An index names a part that its message does not have",
        [
          "conversation": String(row.conversation), "sequence": String(row.sequence),
          "part": String(row.part),
        ])
    }
    return part
  }
}

extension Announcement: StoredObject {
  /// Reads the announcement that a reader refers to. Only the store calls it.
  public static func read(from reader: ObjectReader) throws -> Announcement {
    try reader.snapshot.base.makeAnnouncement(reader.reference.sequence)
  }
}

extension Identity: StoredObject {
  /// Reads the identity that a reader refers to. Only the store calls it.
  public static func read(from reader: ObjectReader) throws -> Identity {
    try reader.snapshot.base.makeIdentity(UInt32(truncatingIfNeeded: reader.reference.sequence))
  }
}
