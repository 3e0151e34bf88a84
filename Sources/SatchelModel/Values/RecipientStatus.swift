/// How far a message has been delivered to one recipient.
public enum RecipientStatus: UInt8, Sendable, Hashable, CaseIterable {
  /// Not yet sent to the service.
  case pending
  /// Accepted by the service.
  case sent
  /// Delivered to a device of the recipient.
  case delivered
  /// Read by the recipient.
  case read

  /// The status as the interchange format and the predicate language spell it.
  public var name: String {
    switch self {
    case .pending: "pending"
    case .sent: "sent"
    case .delivered: "delivered"
    case .read: "read"
    }
  }

  /// Makes the status with this spelling; nil if there is none.
  public init?(name: String) {
    guard let status = Self.named(name) else { return nil }
    self = status
  }
}

extension RecipientStatus: NamedValue {}
