extension ObjectKind {
  /// The short names that patterns of full-text search have for texts, each with the key path of the property.
  private var searchedNames: [String: [String]] {
    switch self {
    case .conversations: ["title": ["metadata", "title"]]
    case .messages, .announcements: ["text": ["parts", "text"]]
    case .identities: ["name": ["displayName"]]
    case .parts, .records: [:]
    }
  }

  /// Whether a name is such a short name, of whatever objects.
  package static func isSearched(_ name: String) -> Bool {
    allCases.contains { $0.searchedNames[name] != nil }
  }

  /// Returns the key path that patterns mean by a name, which may be a short one.
  package func searchedPath(_ name: String) -> [String] {
    searchedNames[name] ?? name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  /// The texts that patterns may name, the most usual first, for errors. Of records, the type says more.
  package var searchedTexts: [String] {
    switch self {
    case .conversations: ["title", "metadata.KEY"]
    case .messages:
      ["text", "sender.displayName", "sender.userID", "conversation.metadata.title", "metadata.KEY"]
    case .announcements: ["text", "sender.displayName", "sender.userID", "metadata.KEY"]
    case .parts: ["text", "mimeType"]
    case .identities: ["name", "firstName", "lastName", "emailAddress", "userID", "metadata.KEY"]
    case .records: ["FIELD"]
    }
  }
}
