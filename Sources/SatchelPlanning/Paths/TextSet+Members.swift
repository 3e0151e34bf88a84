package import SatchelQuery

extension TextSet {
  /// Returns whether the set contains the text with these UTF-8 bytes.
  package func contains(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    switch self {
    case .ranges(let ranges): unsafe ranges.contains(bytes)
    case .pattern(let pattern, let complement): unsafe pattern.matches(bytes) != complement
    }
  }

  /// Returns whether the set contains the text with these UTF-8 bytes.
  package func contains(_ bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBufferPointer { unsafe contains($0) }
  }
}

extension TextSet {
  /// Every text that is not in the set.
  package var complement: TextSet {
    switch self {
    case .ranges(let ranges): .ranges(ranges.complement)
    case .pattern(let pattern, let complement): .pattern(pattern, complement: !complement)
    }
  }
}
