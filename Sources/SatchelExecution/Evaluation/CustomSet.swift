import SatchelModel
import SatchelPlanning
import SatchelQuery

/// A set of values of metadata, taken apart for tests of single values: a text is tested as it is in its record, without a
/// byte before it that says that it is a text.
struct CustomSet {
  private let texts: TextSet
  private let scalars: ByteRanges
  private let hasLists: Bool

  /// - Parameter values: A set of values of metadata, as `ValueKey` orders them.
  init(_ values: TextSet) {
    texts = values.texts
    scalars = values.scalars
    hasLists = values.hasLists
  }

  /// Whether a value, with a text in NFC, is in the set; nil if it is missing. A list is if one of its texts is.
  func contains(_ value: PropertyValue) -> Bool? {
    switch value {
    case .scalar(let scalar):
      guard let key = scalar.key else { return false }
      return unsafe key.withBytes { unsafe scalars.contains($0) }
    case .list(let list):
      if hasLists { return true }
      return unsafe list.contains { text in unsafe PropertyValue(text).canonical.isIn(texts) ?? false }
    case .reference(let bytes):
      // On the stack: there is one for each record that is tested.
      return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count + 1) { key in
        unsafe key.initializeElement(at: 0, to: ValueKey.Tag.reference)
        for index in bytes.indices { unsafe key.initializeElement(at: index + 1, to: bytes[index]) }
        return unsafe scalars.contains(UnsafeBufferPointer(key))
      }
    default: return value.isIn(texts)
    }
  }
}
