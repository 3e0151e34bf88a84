/// The five kinds of objects that can be asked for.
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
