import GRDB

/// A message, its sender's identity and its parts through GRDB's Codable records and an association.
public struct CodableSentMessage: Sendable {
  /// The identity's own table.
  public struct Sender: Codable, FetchableRecord, TableRecord, Sendable {
    public static let databaseTableName = "identity"

    public var user: String
    public var displayName: String?
    public var firstName: String?
    public var lastName: String?
    public var emailAddress: String?
    public var phoneNumber: String?
    public var avatarURL: String?
    public var metadata: String?

    enum CodingKeys: String, CodingKey {
      case user, metadata
      case displayName = "display_name"
      case firstName = "first_name"
      case lastName = "last_name"
      case emailAddress = "email_address"
      case phoneNumber = "phone_number"
      case avatarURL = "avatar_url"
    }
  }

  /// What a request that includes the sender gives.
  struct Fetched: Decodable, FetchableRecord {
    var message: CodableMessage.Columns
    var author: Sender?
  }

  public var message: CodableMessage.Columns
  /// Nil if there is none.
  public var sender: Sender?
  public var parts: [CodablePart]

  /// The first part that is a text and comes with its message.
  public var text: String? { CodableMessage(message: message, parts: parts).text }
}

extension CodableMessage.Columns {
  /// Not `sender`, which is a column.
  static let author = belongsTo(
    CodableSentMessage.Sender.self, key: "author", using: ForeignKey(["sender"], to: ["user"]))
}

extension GRDBEngine {
  /// The latest messages of a conversation with their senders: an association to one, and the parts by a second request.
  public func codableLatestWithSenders(
    _ conversation: ConversationKey, limit: Int
  ) throws -> [CodableSentMessage] {
    try pool.read { db in
      let rows = try CodableMessage.Columns.filter(Column("conversation") == conversation.row)
        .including(optional: CodableMessage.Columns.author)
        .order(Column("position").desc, Column("id").desc).limit(limit)
        .asRequest(of: CodableSentMessage.Fetched.self).fetchAll(db)
      let ids = "SELECT id FROM message WHERE conversation = ? ORDER BY position DESC, id DESC LIMIT \(limit)"
      let statement = try db.cachedStatement(sql: CodablePart.request(ids))
      var parts = try CodablePart.fetchAll(statement, arguments: [conversation.row])[...]
      return rows.map { row in
        // Both are in the same order.
        let own = parts.prefix { $0.message == row.message.id }
        parts = parts.dropFirst(own.count)
        return CodableSentMessage(message: row.message, sender: row.author, parts: Array(own))
      }
    }
  }
}
