import SatchelPlanning
import SatchelStorage

/// A kind of object that a store keeps and can give back.
public protocol StoredObject: Queryable, Identifiable, Equatable where ID == ObjectID<Self> {
  /// Reads one of them; called by the store alone.
  static func read(from reader: ObjectReader) throws -> Self
}

/// The object that a query has come to, to be read as what it is.
public struct ObjectReader {
  let snapshot: StoreSnapshot
  let reference: RowReference
}

extension Conversation: StoredObject {
  public static func read(from reader: ObjectReader) throws -> Conversation {
    try reader.snapshot.base.makeConversation(UInt32(truncatingIfNeeded: reader.reference.sequence))
  }
}

extension Message: StoredObject {
  public static func read(from reader: ObjectReader) throws -> Message {
    let row = reader.reference
    return try reader.snapshot.base.makeMessage(conversation: row.conversation, sequence: row.sequence)
  }
}

extension MessagePart: StoredObject {
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
  public static func read(from reader: ObjectReader) throws -> Announcement {
    try reader.snapshot.base.makeAnnouncement(reader.reference.sequence)
  }
}

extension Identity: StoredObject {
  public static func read(from reader: ObjectReader) throws -> Identity {
    try reader.snapshot.base.makeIdentity(UInt32(truncatingIfNeeded: reader.reference.sequence))
  }
}
