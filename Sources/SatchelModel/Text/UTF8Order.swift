/// Equality, order and hashing of strings by their UTF-8 bytes, which is also the order of their Unicode scalars.
package enum UTF8Order {
  package static func areEqual(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8)
  }

  package static func isLess(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  package static func hash(_ string: String, into hasher: inout Hasher) {
    var string = string
    string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

/// A string that is compared and hashed by its UTF-8 bytes: the key type of dictionaries of identifiers.
package struct ByteString: Hashable, Sendable {
  package let string: String

  package init(_ string: String) { self.string = string }

  package static func == (left: Self, right: Self) -> Bool { UTF8Order.areEqual(left.string, right.string) }

  package func hash(into hasher: inout Hasher) { UTF8Order.hash(string, into: &hasher) }
}
