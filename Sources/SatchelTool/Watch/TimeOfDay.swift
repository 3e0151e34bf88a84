#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The local time of day.
enum TimeOfDay {
  /// The time from hours to milliseconds, such as `14:03:22.123`.
  static var now: String {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    var parts = tm()
    localtime_r(&now.tv_sec, &parts)
    return [digits(parts.tm_hour, 2), digits(parts.tm_min, 2), digits(parts.tm_sec, 2)].joined(separator: ":")
      + "." + digits(now.tv_nsec / 1_000_000, 3)
  }

  private static func digits(_ number: some BinaryInteger, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}
