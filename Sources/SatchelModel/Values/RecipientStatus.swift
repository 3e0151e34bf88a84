/// How far a message has come on its way to one recipient.
public enum RecipientStatus: UInt8, Sendable, Hashable, CaseIterable, Codable {
  /// Not yet sent to the service.
  case pending
  /// Accepted by the service.
  case sent
  /// On a device of the recipient.
  case delivered
  /// Read by the recipient.
  case read

  /// The spelling of the interchange format and the predicate language.
  public var name: String {
    switch self {
    case .pending: "pending"
    case .sent: "sent"
    case .delivered: "delivered"
    case .read: "read"
    }
  }

  /// The status of that spelling.
  public init?(name: String) {
    guard let status = Self.allCases.first(where: { UTF8Order.areEqual($0.name, name) }) else { return nil }
    self = status
  }
}
