/// The kinds of objects that a query can ask for.
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
  /// Records of one of the application's own types.
  case records
}

extension ObjectKind {
  /// The kinds whose objects every store may have: all but the records, whose types have names of their own.
  package static let builtIn = allCases.filter { $0 != .records }

  /// The spellings of the built-in kinds, for the text of an error.
  package static var names: String { builtIn.map(\.rawValue).joined(separator: ", ") }
}
