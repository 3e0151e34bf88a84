import SatchelCoding

extension FuzzTarget {
  /// The keys of three databases: a key that is accepted is written again as the same bytes.
  static let keys = FuzzTarget("key", maximumBytes: 32) { bytes in
    let array = [UInt8](bytes)
    let keys = [
      (try? ObjectKey(bytes))?.bytes, (try? MessageKey(messages: bytes))?.bytes, (try? BodyKey(bytes))?.bytes,
    ].compactMap { $0 }
    for key in keys { try expect(key.array == array, "a key is written as \(String(hex: key.array))") }
    return !keys.isEmpty
  }
}
