internal import SatchelModel

/// The keys of objects whose values are kept. The value of any other key is checked to be JSON and skipped: it takes
/// no memory, however long it is.
final class JSONShape: Sendable {
  /// A key whose value is kept.
  struct Entry: Sendable {
    let hash: UInt64
    let key: String
    let known: KnownKey?
    /// The shape of the key's values.
    let shape: JSONShape

    /// Whether these bytes are the key's.
    @inline(__always)
    func isNamed(by bytes: RawSpan) -> Bool {
      guard key.utf8.count == bytes.byteCount else { return false }
      var offset = 0
      for byte in key.utf8 {
        if byte != bytes[offset] { return false }
        offset &+= 1
      }
      return true
    }
  }

  /// Whether every key of an object is kept.
  let isOpen: Bool
  /// A hash table of keys. A key is in the slot of its hash or in one of the slots after it.
  private let slots: [Entry?]
  private let elementShape: JSONShape?

  private init(isOpen: Bool, _ slots: [Entry?], _ elementShape: JSONShape?) {
    self.isOpen = isOpen
    self.slots = slots
    self.elementShape = elementShape
  }

  /// The shape that keeps everything.
  static let everything = JSONShape(isOpen: true, [], nil)

  /// Creates a shape for objects that keeps the values of some keys.
  convenience init(_ members: [(key: String, shape: JSONShape)]) {
    var count = 8
    while count < 4 * members.count { count *= 2 }
    var slots = [Entry?](repeating: nil, count: count)
    for member in members {
      let hash = unsafe JSONReader.hash(Array(member.key.utf8).span.bytes)
      var slot = Int(truncatingIfNeeded: hash) & (count - 1)
      while slots[slot] != nil { slot = (slot + 1) & (count - 1) }
      slots[slot] = Entry(
        hash: hash, key: member.key, known: KnownKey(rawValue: member.key), shape: member.shape)
    }
    self.init(isOpen: false, slots, nil)
  }

  /// Returns the shape of arrays whose elements have the given shape.
  static func elements(_ shape: JSONShape) -> JSONShape { JSONShape(isOpen: false, [], shape) }

  /// The shape of an array's elements.
  var elements: JSONShape { elementShape ?? (isOpen ? self : .everything) }

  /// Whether the shape says nothing of objects, so that all of them are kept.
  var keepsObjects: Bool { isOpen || slots.isEmpty }

  /// Returns the entry of a key, given by its bytes and their hash; nil if its value is not kept.
  @inline(__always)
  func entry(of bytes: RawSpan, hash: UInt64) -> Entry? {
    guard !slots.isEmpty else { return nil }
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while let entry = slots[slot] {
      if entry.hash == hash { return entry.isNamed(by: bytes) ? entry : nil }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }
}
