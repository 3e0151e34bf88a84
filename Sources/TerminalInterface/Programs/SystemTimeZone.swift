#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The time zones that the system has files of.
package enum SystemTimeZone {
  /// Where systems keep them.
  private static let directories = ["/usr/share/zoneinfo", "/var/db/timezone/zoneinfo", "/usr/lib/zoneinfo"]

  /// Returns by how many seconds clocks of a zone are ahead of UTC, at a number of seconds since 1970; nil if the system has no such zone.
  ///
  /// The zone becomes that of the process: there is one at a time.
  package static func offset(of name: String) -> (@Sendable (Int64) -> Int64)? {
    if name == "UTC" { return { _ in 0 } }
    guard isZone(name), unsafe setenv("TZ", ":" + name, 1) == 0 else { return nil }
    tzset()
    return { second in
      var (time, local) = unsafe (time_t(second), tm())
      return unsafe localtime_r(&time, &local) == nil ? 0 : Int64(local.tm_gmtoff)
    }
  }

  /// Whether there is a file of that name that has a zone: with any other name clocks would show UTC.
  private static func isZone(_ name: String) -> Bool {
    guard !name.isEmpty, !name.utf8.contains(0), !name.hasPrefix("/") else { return false }
    guard !name.split(separator: "/").contains("..") else { return false }
    return directories.contains { directory in
      guard let file = unsafe fopen(directory + "/" + name, "rb") else { return false }
      defer { unsafe fclose(file) }
      var bytes = [UInt8](repeating: 0, count: magic.count)
      return unsafe fread(&bytes, 1, bytes.count, file) == bytes.count && bytes == magic
    }
  }

  /// What a file of a zone begins with (RFC 9636).
  private static let magic = Array("TZif".utf8)
}
