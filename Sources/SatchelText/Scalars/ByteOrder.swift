#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The lexicographic order of strings of unsigned bytes.
package enum ByteOrder {
  package static func isLess(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    unsafe right.withUnsafeBufferPointer { unsafe compare(left, $0) < 0 }
  }

  /// Compares bytes. The result is less than, equal to or greater than zero if the left bytes sort before, with or
  /// after the right bytes.
  package static func compare(_ left: [UInt8], _ right: UnsafeBufferPointer<UInt8>) -> Int {
    let common = min(left.count, right.count)
    if common > 0, let base = right.baseAddress {
      let order = unsafe left.withUnsafeBytes { unsafe memcmp($0.baseAddress!, base, common) }
      if order != 0 { return Int(order) }
    }
    return left.count - right.count
  }

  /// Returns the later of two ends of ranges; nil is a range without an end.
  package static func laterEnd(_ left: [UInt8]?, _ right: [UInt8]?) -> [UInt8]? {
    guard let left, let right else { return nil }
    return isLess(left, right) ? right : left
  }
}
