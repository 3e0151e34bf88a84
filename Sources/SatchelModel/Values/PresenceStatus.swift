/// Whether a user can be reached, as the service says or the user wants it to be said.
public enum PresenceStatus: UInt8, Sendable, Hashable, CaseIterable, NamedValue {
  /// Not connected.
  case offline
  /// Connected, and to be disturbed.
  case available
  /// Connected, and not to be disturbed.
  case busy
  /// Connected, and not at the device.
  case away
  /// Connected, and shown to others as offline.
  case invisible

  /// The status as the interchange format and the predicate language spell it.
  public var name: String {
    switch self {
    case .offline: "offline"
    case .available: "available"
    case .busy: "busy"
    case .away: "away"
    case .invisible: "invisible"
    }
  }
}
