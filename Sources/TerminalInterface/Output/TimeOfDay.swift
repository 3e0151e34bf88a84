#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The local time of day.
package enum TimeOfDay {
  /// The time from hours to milliseconds, such as `14:03:22.123`.
  package static var now: String {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    var parts = unsafe tm()
    unsafe localtime_r(&now.tv_sec, &parts)
    let time = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map { digits($0, 2) }
    return time.joined(separator: ":") + "." + digits(now.tv_nsec / 1_000_000, 3)
  }

  private static func digits(_ number: some BinaryInteger, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}
