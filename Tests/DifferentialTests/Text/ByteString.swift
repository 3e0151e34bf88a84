import Foundation

/// A text as its UTF-8 bytes. Two are equal when their bytes are: unlike `String`, which takes canonically equivalent
/// texts for one, this keeps "é" and "e" + U+0301 apart, as identifiers must be. The order is that of the bytes.
struct ByteString: Hashable, Comparable, Sendable {
  let utf8: [UInt8]

  init(utf8: [UInt8]) {
    self.utf8 = utf8
  }

  init(_ string: String) {
    utf8 = Array(string.utf8)
  }

  init(scalars: [Unicode.Scalar]) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(scalars.count)
    for scalar in scalars {
      bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
    utf8 = bytes
  }

  var string: String { String(decoding: utf8, as: UTF8.self) }

  var scalars: [Unicode.Scalar] { Array(string.unicodeScalars) }

  var isEmpty: Bool { utf8.isEmpty }

  var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }

  func hash(into hasher: inout Hasher) {
    utf8.withUnsafeBytes { hasher.combine(bytes: $0) }
  }

  static func < (left: ByteString, right: ByteString) -> Bool {
    left.utf8.withUnsafeBytes { left in
      right.utf8.withUnsafeBytes { right in
        let shared = min(left.count, right.count)
        if shared > 0, let a = left.baseAddress, let b = right.baseAddress {
          let order = memcmp(a, b, shared)
          if order != 0 { return order < 0 }
        }
        return left.count < right.count
      }
    }
  }

  static func == (left: ByteString, right: ByteString) -> Bool {
    left.utf8 == right.utf8
  }
}

extension ByteString: ExpressibleByStringLiteral, CustomStringConvertible {
  init(stringLiteral value: String) {
    self.init(value)
  }

  var description: String { string }
}

extension ByteString {
  func hasPrefix(_ prefix: ByteString) -> Bool {
    utf8.starts(with: prefix.utf8)
  }

  func hasSuffix(_ suffix: ByteString) -> Bool {
    utf8.count >= suffix.utf8.count && utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }

  /// Whether the bytes of `needle` stand somewhere in these bytes. UTF-8 makes that the same as the scalars doing so.
  func contains(_ needle: ByteString) -> Bool {
    if needle.utf8.isEmpty { return true }
    return utf8.withUnsafeBytes { text in
      needle.utf8.withUnsafeBytes { needle in
        guard text.count >= needle.count, let start = text.baseAddress else { return false }
        var from = 0
        let last = text.count - needle.count
        while from <= last {
          guard let hit = memchr(start + from, Int32(needle[0]), last - from + 1) else { return false }
          from = UnsafeRawPointer(hit) - start
          if memcmp(start + from, needle.baseAddress!, needle.count) == 0 { return true }
          from += 1
        }
        return false
      }
    }
  }
}
