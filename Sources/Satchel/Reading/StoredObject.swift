import SatchelCoding
import SatchelPlanning
import SatchelReading
import SatchelStorage

/// A type of object that a store keeps and can return: ``Conversation``, ``Message``, ``MessagePart``, ``Announcement``
/// ``Identity`` or ``Record``.
public protocol StoredObject: Queryable, Equatable {
  /// Reads the object that a reader refers to. Only the store calls it.
  /// - Throws: ``SatchelError`` `corrupted`.
  static func read(from reader: ObjectReader) throws -> Self

  /// Reads the objects of several rows, and calls `body` with each. Only the store calls it.
  /// - Throws: ``SatchelError`` `corrupted`; what `body` throws is passed on.
  static func read(all rows: ObjectRows, _ body: (Self) throws -> Void) throws
}

extension StoredObject {
  /// Reads the objects of several rows one by one. Only the store calls it.
  public static func read(all rows: ObjectRows, _ body: (Self) throws -> Void) throws {
    for place in 0..<rows.count {
      let reader = ObjectReader(
        snapshot: rows.snapshot, reference: rows[place], along: rows.along)
      try body(read(from: reader))
    }
  }
}

/// A reference to one result of a query, from which its object is read. Only the store makes one.
public struct ObjectReader {
  let snapshot: StoreSnapshot
  let reference: RowReference
  /// What comes with the object.
  var along = Accompaniment()
}

/// References to results of a query, from which their objects are read. Only the store makes them.
public struct ObjectRows {
  let snapshot: StoreSnapshot
  private let rows: [RowReference]
  /// The indices of the rows in the order in which their objects are read; nil for the order of the rows.
  private let order: [Int]?
  /// What comes with the objects.
  let along: Accompaniment

  init(_ snapshot: StoreSnapshot, _ rows: [RowReference], order: [Int]?, _ along: Accompaniment) {
    self.snapshot = snapshot
    self.rows = rows
    self.order = order
    self.along = along
  }

  var count: Int { rows.count }

  /// Returns the index, among the rows, of the one that is read at a place.
  @inline(__always)
  func index(_ place: Int) -> Int { order.map { $0[place] } ?? place }

  /// The row that is read at a place.
  subscript(place: Int) -> RowReference { rows[index(place)] }
}

extension Conversation: StoredObject {
  /// Reads the conversation that a reader refers to. Only the store calls it.
  public static func read(from reader: ObjectReader) throws -> Conversation {
    try reader.snapshot.base.makeConversation(
      UInt32(truncatingIfNeeded: reader.reference.sequence), reader.along)
  }

  /// Reads the conversations of several rows, and their last messages into blocks. Only the store calls it.
  public static func read(all rows: ObjectRows, _ body: (Conversation) throws -> Void) throws {
    try rows.snapshot.base.makeConversations(
      rows.count, rows.along, { UInt32(truncatingIfNeeded: rows[$0].sequence) },
      give: body)
  }
}

extension Message: StoredObject {
  /// Reads the message that a reader refers to. Only the store calls it.
  public static func read(from reader: ObjectReader) throws -> Message {
    let row = reader.reference
    return try reader.snapshot.base.makeMessage(
      conversation: row.conversation, sequence: row.sequence, reader.along)
  }

  /// Reads the messages of several rows, into blocks. Only the store calls it.
  public static func read(all rows: ObjectRows, _ body: (Message) throws -> Void) throws {
    try rows.snapshot.base.makeMessages(
      rows.count, rows.along, { rows[$0].messageKey }, give: body)
  }
}

extension MessagePart: StoredObject {
  /// Reads the part that a reader refers to. Only the store calls it.
  public static func read(from reader: ObjectReader) throws -> MessagePart {
    let row = reader.reference
    let snapshot = reader.snapshot.base
    let view = try snapshot.message(conversation: row.conversation, sequence: row.sequence)
    guard let part = try snapshot.makePart(view, index: Int(row.part), reader.along)
    else {
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
    try reader.snapshot.base.makeAnnouncement(reader.reference.sequence, reader.along)
  }
}

extension Identity: StoredObject {
  /// Reads the identity that a reader refers to. Only the store calls it.
  public static func read(from reader: ObjectReader) throws -> Identity {
    let row = reader.reference
    if let member = row.member { return try reader.snapshot.base.makeIdentity(ofUser: member) }
    return try reader.snapshot.base.makeIdentity(UInt32(truncatingIfNeeded: row.sequence))
  }
}

extension Record: StoredObject {
  /// Reads the record that a reader refers to. Only the store calls it.
  public static func read(from reader: ObjectReader) throws -> Record {
    let row = reader.reference
    return try reader.snapshot.base.makeRecord(row.recordKey, reader.along)
  }

  /// Reads the records of several rows. Only the store calls it.
  public static func read(all rows: ObjectRows, _ body: (Record) throws -> Void) throws {
    let (snapshot, along) = (rows.snapshot.base, rows.along)
    for place in 0..<rows.count { try body(snapshot.makeRecord(rows[place].recordKey, along)) }
  }
}

extension RowReference {
  /// The key of the message that the row is, or is a part of.
  fileprivate var messageKey: MessageKey { MessageKey(conversation: conversation, sequence: sequence) }

  /// The key of the application's record that the row is.
  fileprivate var recordKey: TypedRecordKey { TypedRecordKey(type: conversation, sequence: sequence) }
}
