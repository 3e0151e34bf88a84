import SatchelModel

extension RecordDecoder {
  /// The keys of all kinds of lines together. Nothing else in a line is kept.
  static let shape = JSONShape(
    everything(keysOfLines) + [
      ("parts", .elements(shapeOfParts)),
      ("set", JSONShape(everything(keysOfChanges) + [("parts", .elements(shapeOfParts))])),
    ])

  static let shapeOfParts = JSONShape(everything(keysOfParts))

  /// Every key that a line, a part or the changes of an update may have.
  package static let keys = Set(keysOfLines + keysOfParts + keysOfChanges + ["parts", "set"])

  private static let keysOfLines =
    [
      "kind", "format", "version", "trailer", "counts", "sha256", "userID", "metadata", "identifier",
      "participants", "createdAt", "isDistinct", "conversation", "sender", "position", "sentAt", "receivedAt",
      "editedAt", "deletedAt", "updatedAt", "isSent", "isUnread", "recipientStatus", "message", "identity",
      "remoteID", "name", "from", "where", "columns", "unique", "fields", "type", "owner", "createdBy",
      "updatedBy", "record", "onDelete",
    ] + keysOfIdentities

  private static let keysOfParts = ["mimeType", "text", "base64", "url", "size", "transferStatus"]

  private static let keysOfChanges =
    [
      "position", "sentAt", "receivedAt", "editedAt", "deletedAt", "updatedAt", "isSent", "isUnread",
      "recipientStatus", "transferStatus", "participants",
      "metadata", "remoteID", "owner", "updatedBy", "fields",
    ]
    + keysOfIdentities

  private static let keysOfIdentities = ObjectField.ofIdentities.map { $0.description.name }

  private static func everything(_ keys: [String]) -> [(key: String, shape: JSONShape)] {
    keys.map { ($0, .everything) }
  }
}
