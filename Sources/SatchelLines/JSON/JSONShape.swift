internal import SatchelModel

/// The keys of objects whose values are kept. The value of any other key is checked to be JSON and skipped: it takes
/// no memory, however long it is.
final class JSONShape: Sendable {
  /// A key whose value is kept.
  final class Entry: Sendable {
    let key: String
    let known: KnownKey?
    /// The shape of the key's values.
    let shape: JSONShape

    init(_ key: String, _ shape: JSONShape) {
      self.key = key
      known = KnownKey(named: key)
      self.shape = shape
    }
  }

  /// A slot of the hash table.
  private struct Slot {
    var hash: UInt64 = 0
    /// The key's bytes; no key is longer than these.
    var bytes: (UInt64, UInt64) = (0, 0)
    /// The key's length; 0 in a free slot.
    var count = 0
    /// The key's place in `entries`.
    var entry = 0
    var known: KnownKey?
  }

  /// Whether every key of an object is kept.
  let isOpen: Bool
  /// A hash table of keys. A key is in the slot of its hash or in one of the slots after it.
  private let slots: [Slot]
  private let entries: [Entry]
  private let elementShape: JSONShape?

  private init(isOpen: Bool, _ slots: [Slot], _ entries: [Entry], _ elementShape: JSONShape?) {
    self.isOpen = isOpen
    self.slots = slots
    self.entries = entries
    self.elementShape = elementShape
  }

  /// The shape that keeps everything.
  static let everything = JSONShape(isOpen: true, [], [], nil)

  /// Creates a shape for objects that keeps the values of some keys.
  convenience init(_ members: [(key: String, shape: JSONShape)]) {
    var count = 8
    while count < 4 * members.count { count *= 2 }
    var slots = [Slot](repeating: Slot(), count: count)
    for (entry, member) in members.enumerated() {
      let key = Array(member.key.utf8)
      let hash = unsafe JSONReader.hash(key.span.bytes)
      var slot = Int(truncatingIfNeeded: hash) & (count - 1)
      while slots[slot].count > 0 { slot = (slot + 1) & (count - 1) }
      precondition((1...16).contains(key.count), "a key of the format has at most 16 bytes")
      slots[slot] = unsafe Slot(
        hash: hash, bytes: Self.words(key.span.bytes), count: key.count, entry: entry,
        known: KnownKey(named: member.key))
    }
    self.init(isOpen: false, slots, members.map { Entry($0.key, $0.shape) }, nil)
  }

  /// Returns the shape of arrays whose elements have the given shape.
  static func elements(_ shape: JSONShape) -> JSONShape { JSONShape(isOpen: false, [], [], shape) }

  /// The shape of an array's elements.
  var elements: JSONShape { elementShape ?? (isOpen ? self : .everything) }

  /// Whether the shape says nothing of objects, so that all of them are kept.
  var keepsObjects: Bool { isOpen || slots.isEmpty }

  /// Returns the entry of a key, given by its bytes and their hash; nil if its value is not kept.
  func entry(of bytes: RawSpan, hash: UInt64) -> Entry? {
    slot(of: bytes, hash: hash).map { entries[slots[$0].entry] }
  }

  /// Returns the known key with these bytes; nil if the shape does not name it.
  func known(_ bytes: RawSpan, hash: UInt64) -> KnownKey? {
    slot(of: bytes, hash: hash).flatMap { slots[$0].known }
  }

  @inline(__always)
  private func slot(of bytes: RawSpan, hash: UInt64) -> Int? {
    guard !slots.isEmpty, bytes.byteCount <= 16 else { return nil }
    var index = Int(truncatingIfNeeded: hash) & (slots.count &- 1)
    while slots[index].count > 0 {
      if slots[index].hash == hash, slots[index].count == bytes.byteCount,
        slots[index].bytes == Self.words(bytes)
      {
        return index
      }
      index = (index &+ 1) & (slots.count &- 1)
    }
    return nil
  }

  /// Returns the first and the last eight of at most 16 bytes, or all of fewer than eight.
  @inline(__always)
  private static func words(_ bytes: RawSpan) -> (UInt64, UInt64) {
    let count = bytes.byteCount
    if count >= 8 { return (bytes.word(at: 0), bytes.word(at: count &- 8)) }
    var word: UInt64 = 0
    for offset in 0..<count { word = word &<< 8 | UInt64(bytes[offset]) }
    return (word, 0)
  }
}
