#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// One start of a machine: what was not synced, and locks, do not outlive it.
package struct BootIdentity: Sendable, Hashable {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The start that this process runs in; nil if the system does not tell, as where `/proc` is not there.
  package static let current = BootIdentity(text: systemText)

  /// Reads the 32 hexadecimal digits of a UUID, whatever stands between them. Nil if there are fewer or more.
  package init?(text: some Sequence<UInt8>) {
    var digits: [UInt64] = []
    for byte in text {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(UInt64(byte - UInt8(ascii: "0")))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digits.append(UInt64(byte - UInt8(ascii: "a") + 10))
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digits.append(UInt64(byte - UInt8(ascii: "A") + 10))
      default: break
      }
    }
    guard digits.count == 32 else { return nil }
    high = digits[..<16].reduce(0) { $0 << 4 | $1 }
    low = digits[16...].reduce(0) { $0 << 4 | $1 }
  }

  /// What the system says of its start, as text; empty if it says nothing.
  private static var systemText: [UInt8] {
    var text = [UInt8](repeating: 0, count: 64)
    #if canImport(Darwin)
      var size = text.count
      let code = unsafe text.withUnsafeMutableBytes { buffer in
        unsafe sysctlbyname("kern.bootsessionuuid", buffer.baseAddress, &size, nil, 0)
      }
      return code == 0 ? Array(text.prefix(size)) : []
    #else
      let file = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return [] }
      defer { close(file) }
      let count = unsafe text.withUnsafeMutableBytes { buffer in
        unsafe read(file, buffer.baseAddress, buffer.count)
      }
      return Array(text.prefix(max(0, count)))
    #endif
  }
}
