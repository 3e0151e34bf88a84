/// The five kinds of objects that a query can ask for.
public enum ObjectKind: String, Sendable, Hashable, CaseIterable, Codable {
  /// ``Conversation``.
  case conversations
  /// ``Message``.
  case messages
  /// ``MessagePart``.
  case parts
  /// ``Announcement``.
  case announcements
  /// ``Identity``.
  case identities
}

extension ObjectKind {
  /// All spellings, for the text of an error.
  package static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
