import SatchelModel

extension RecordDecoder {
  /// The keys of all kinds of lines together. Nothing else in a line is kept.
  static let shape = JSONShape(
    keys(
      "kind", "format", "version", "trailer", "counts", "sha256", "userID", "metadata", "identifier",
      "participants", "createdAt", "isDistinct", "conversation", "sender", "position", "sentAt", "receivedAt",
      "isSent", "isUnread", "recipientStatus", "message", "identity")
      + keysOfIdentities
      + [
        ("parts", .elements(JSONShape(keys("mimeType", "text", "base64", "url", "size")))), ("set", changes),
      ])

  private static let changes = JSONShape(
    keys(
      "position", "sentAt", "receivedAt", "isSent", "isUnread", "recipientStatus", "participants", "metadata")
      + keysOfIdentities)

  private static let keysOfIdentities = Field.ofIdentities.map {
    (key: $0.description.name, shape: JSONShape.everything)
  }

  private static func keys(_ names: String...) -> [(key: String, shape: JSONShape)] {
    names.map { ($0, .everything) }
  }
}
