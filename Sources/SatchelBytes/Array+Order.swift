extension [UInt8] {
  /// Compares in byte order, as `RawSpan.compare` does.
  @inlinable
  package func compare(_ other: [UInt8]) -> Int { unsafe span.bytes.compare(other.span.bytes) }

  /// Returns whether these bytes begin with others.
  @inlinable
  package func begins(with prefix: [UInt8]) -> Bool {
    guard count >= prefix.count else { return false }
    return unsafe span.bytes.extracting(first: prefix.count).compare(prefix.span.bytes) == 0
  }
}
