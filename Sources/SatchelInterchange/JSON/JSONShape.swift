/// The keys of objects whose values are kept. The value of any other key is checked to be JSON and skipped: it takes
/// no memory, however long it is.
///
/// A key is recognized by its hash. A foreign key may have the same hash: then its value is read in vain.
final class JSONShape: Sendable {
  private let isOpen: Bool
  /// A hash table from keys to the shapes of their values. A hash is in its own slot or in one of the slots after it.
  private let slots: [(hash: UInt64, shape: JSONShape)?]
  private let elementShape: JSONShape?

  private init(isOpen: Bool, _ slots: [(hash: UInt64, shape: JSONShape)?], _ elementShape: JSONShape?) {
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
    var slots = [(hash: UInt64, shape: JSONShape)?](repeating: nil, count: count)
    for member in members {
      let hash = unsafe JSONReader.hash(Array(member.key.utf8).span.bytes)
      var slot = Int(truncatingIfNeeded: hash) & (count - 1)
      while slots[slot] != nil { slot = (slot + 1) & (count - 1) }
      slots[slot] = (hash, member.shape)
    }
    self.init(isOpen: false, slots, nil)
  }

  /// Returns the shape of arrays whose elements have the given shape.
  static func elements(_ shape: JSONShape) -> JSONShape { JSONShape(isOpen: false, [], shape) }

  /// The shape of an array's elements.
  var elements: JSONShape { elementShape ?? (isOpen ? self : .everything) }

  /// Returns the shape of a key's value; nil if the value is not kept.
  @inline(__always)
  func shape(ofKey hash: UInt64) -> JSONShape? {
    if isOpen { return self }
    guard !slots.isEmpty else { return .everything }
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while let entry = slots[slot] {
      if entry.hash == hash { return entry.shape }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }
}
