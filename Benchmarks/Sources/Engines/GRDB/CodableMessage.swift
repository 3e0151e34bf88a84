import Foundation
import GRDB

/// A message and its parts as GRDB's documentation suggests them: Codable records with an association.
public struct CodableMessage: Decodable, FetchableRecord, Sendable {
  /// The columns of the message's own table.
  public struct Columns: Codable, FetchableRecord, TableRecord, Sendable {
    public static let databaseTableName = "message"
    static let parts = hasMany(CodablePart.self).order(Column("place")).forKey("parts")

    public var id: Int64
    public var identifier: String
    public var conversation: Int64
    public var position: Int64
    public var sender: String
    public var sentAt: Int64?
    public var receivedAt: Int64?
    public var isSent: Bool
    public var isUnread: Bool
    public var recipientStatus: String?
    public var metadata: String?

    enum CodingKeys: String, CodingKey {
      case id, identifier, conversation, position, sender, metadata
      case sentAt = "sent_at"
      case receivedAt = "received_at"
      case isSent = "is_sent"
      case isUnread = "is_unread"
      case recipientStatus = "recipient_status"
    }
  }

  public var message: Columns
  public var parts: [CodablePart]

  /// The first part that is a text and comes with its message.
  public var text: String? {
    for part in parts where part.kind == PartRecord.Kind.text.rawValue {
      if let text = part.text { return text }
    }
    return nil
  }
}

/// A part as a Codable record.
public struct CodablePart: Codable, FetchableRecord, TableRecord, Sendable {
  public static let databaseTableName = "part"
  /// What is too large to come with its message stays where it is.
  public static var databaseSelection: [any SQLSelectable] {
    [
      Column("message"), Column("place"), Column("mime_type"), Column("kind"), Column("size"),
      GRDB.SQL("CASE WHEN kind = 2 OR kind = 0 AND size <= 2048 THEN content END").forKey("text"),
      GRDB.SQL("CASE WHEN kind = 1 AND size <= 2048 THEN content END").forKey("data"),
    ]
  }

  public var place: Int64
  public var mimeType: String
  public var kind: Int64
  public var size: Int64?
  public var text: String?
  public var data: Data?

  enum CodingKeys: String, CodingKey {
    case place, kind, size, text, data
    case mimeType = "mime_type"
  }
}

extension GRDBEngine {
  /// The latest messages of a conversation, by GRDB's query interface and Codable.
  public func codableLatest(_ conversation: ConversationKey, limit: Int) throws -> [CodableMessage] {
    try pool.read { db in
      try CodableMessage.Columns
        .filter(Column("conversation") == conversation.row)
        .order(Column("position").desc, Column("id").desc)
        .limit(limit)
        .including(all: CodableMessage.Columns.parts)
        .asRequest(of: CodableMessage.self)
        .fetchAll(db)
    }
  }

  /// All messages of a conversation by position, by GRDB's query interface and Codable.
  public func codableMessages(of conversation: ConversationKey) throws -> [CodableMessage] {
    try pool.read { db in
      try CodableMessage.Columns
        .filter(Column("conversation") == conversation.row)
        .order(Column("position"), Column("id"))
        .including(all: CodableMessage.Columns.parts)
        .asRequest(of: CodableMessage.self)
        .fetchAll(db)
    }
  }
}
