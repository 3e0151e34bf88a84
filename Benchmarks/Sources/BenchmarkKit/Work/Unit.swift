/// What a figure counts. Lower is better in every one of them.
public enum Unit: String, Codable, Sendable, CaseIterable {
  case nanoseconds = "ns"
  case microseconds = "µs"
  case milliseconds = "ms"
  case seconds = "s"
  case bytes = "B"
  case megabytes = "MB"
  case pages
  case records

  /// How many nanoseconds one of this unit has; nil where it is no time.
  public var inNanoseconds: Double? {
    switch self {
    case .nanoseconds: 1
    case .microseconds: 1e3
    case .milliseconds: 1e6
    case .seconds: 1e9
    case .bytes, .megabytes, .pages, .records: nil
    }
  }
}
