import Foundation
import GRDB

/// A message and its parts through GRDB's Codable records.
public struct CodableMessage: Sendable {
  /// The columns of the message's own table.
  public struct Columns: Codable, FetchableRecord, TableRecord, Sendable {
    public static let databaseTableName = "message"

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
    for part in parts where part.kind == PartValues.Kind.text.rawValue {
      if let text = part.text { return text }
    }
    return nil
  }
}

/// A part as a Codable record.
public struct CodablePart: Codable, FetchableRecord, Sendable {
  public var message: Int64
  public var mimeType: String
  public var kind: Int64
  public var size: Int64?
  public var text: String?
  public var data: Data?

  enum CodingKeys: String, CodingKey {
    case message, kind, size, text, data
    case mimeType = "mime_type"
  }

  /// The parts of the messages that a request for ids names; bytes that are too large to come with their message stay where they are.
  static func request(_ ids: String) -> String {
    """
    WITH page (id) AS (\(ids))
    SELECT p.message, p.mime_type, p.kind, p.size,
      CASE WHEN p.kind <> 1 THEN p.content END AS text,
      CASE WHEN p.kind = 1 AND p.size <= \(PartValues.inlineBytes) THEN p.content END AS data
    FROM page CROSS JOIN part AS p ON p.id BETWEEN page.id * 1024 AND page.id * 1024 + 1023
    """
  }
}

extension GRDBEngine {
  /// The latest messages of a conversation, by GRDB's query interface and Codable.
  public func codableLatest(_ conversation: ConversationKey, limit: Int) throws -> [CodableMessage] {
    try codable(
      CodableMessage.Columns.filter(Column("conversation") == conversation.row)
        .order(Column("position").desc, Column("id").desc).limit(limit),
      ids: "SELECT id FROM message WHERE conversation = ? ORDER BY position DESC, id DESC LIMIT \(limit)",
      conversation)
  }

  /// All messages of a conversation by position, by GRDB's query interface and Codable.
  public func codableMessages(of conversation: ConversationKey) throws -> [CodableMessage] {
    try codable(
      CodableMessage.Columns.filter(Column("conversation") == conversation.row)
        .order(Column("position"), Column("id")),
      ids: "SELECT id FROM message WHERE conversation = ? ORDER BY position, id LIMIT -1", conversation)
  }

  /// Messages and their parts: two requests, as GRDB makes them of an association with many.
  private func codable(
    _ request: QueryInterfaceRequest<CodableMessage.Columns>, ids: String, _ conversation: ConversationKey
  ) throws -> [CodableMessage] {
    try pool.read { db in
      let messages = try request.fetchAll(db)
      let statement = try db.cachedStatement(sql: CodablePart.request(ids))
      var parts = try CodablePart.fetchAll(statement, arguments: [conversation.row])[...]
      return messages.map { message in
        // Both are in the same order.
        let own = parts.prefix { $0.message == message.id }
        parts = parts.dropFirst(own.count)
        return CodableMessage(message: message, parts: Array(own))
      }
    }
  }
}
