/// Equality, order and hashing of strings by their UTF-8 bytes. The order is also that of their Unicode scalars.
package enum UTF8Order {
  package static func areEqual(_ left: String, _ right: String) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    let isSame = unsafe left.utf8.withContiguousStorageIfAvailable { left in
      unsafe right.utf8.withContiguousStorageIfAvailable { right in
        unsafe areEqual(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
      }
    }
    return isSame.flatMap(\.self) ?? left.utf8.elementsEqual(right.utf8)
  }

  /// Compares equally many bytes, eight at a time.
  private static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    var offset = 0
    while left.count - offset >= 8 {
      let word = unsafe left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      guard unsafe word == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else { return false }
      offset += 8
    }
    while offset < left.count {
      guard unsafe left[offset] == right[offset] else { return false }
      offset += 1
    }
    return true
  }

  package static func isLess(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  package static func hash(_ string: String, into hasher: inout Hasher) {
    var string = string
    string.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

/// A string that is compared and hashed by its UTF-8 bytes: the key of dictionaries by identifier.
package struct ByteString: Hashable, Sendable {
  package let string: String

  package init(_ string: String) { self.string = string }

  package static func == (left: Self, right: Self) -> Bool { UTF8Order.areEqual(left.string, right.string) }

  package func hash(into hasher: inout Hasher) { UTF8Order.hash(string, into: &hasher) }

  /// Lets a `switch` call `==` at once: the generic operator of the standard library is not specialised for this type.
  package static func ~= (pattern: Self, value: Self) -> Bool { pattern == value }
}

/// Literals let a `switch` over a received text compare bytes.
extension ByteString: ExpressibleByStringLiteral {
  package init(stringLiteral string: String) { self.init(string) }
}
