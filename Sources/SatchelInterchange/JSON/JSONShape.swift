/// Which keys of objects somebody will look at. What other keys have is checked to be JSON and passed over: it takes no
/// memory, however much there is of it.
///
/// A key is told by its hash, which a stranger's key may share: that one is read for nothing.
final class JSONShape: Sendable {
  private let isOpen: Bool
  /// The hashes of the keys and what is looked at in their values; a hash is in its slot or in one of those behind it.
  private let slots: [(hash: UInt64, shape: JSONShape)?]
  private let elementShape: JSONShape?

  private init(isOpen: Bool, _ slots: [(hash: UInt64, shape: JSONShape)?], _ elementShape: JSONShape?) {
    self.isOpen = isOpen
    self.slots = slots
    self.elementShape = elementShape
  }

  /// Everything is looked at.
  static let everything = JSONShape(isOpen: true, [], nil)

  /// Objects of which some keys are looked at.
  convenience init(_ members: [(key: String, shape: JSONShape)]) {
    var count = 8
    while count < 4 * members.count { count *= 2 }
    var slots = [(hash: UInt64, shape: JSONShape)?](repeating: nil, count: count)
    for member in members {
      let hash = JSONReader.hash(Array(member.key.utf8).span.bytes)
      var slot = Int(truncatingIfNeeded: hash) & (count - 1)
      while slots[slot] != nil { slot = (slot + 1) & (count - 1) }
      slots[slot] = (hash, member.shape)
    }
    self.init(isOpen: false, slots, nil)
  }

  /// Arrays whose elements have a shape.
  static func elements(_ shape: JSONShape) -> JSONShape { JSONShape(isOpen: false, [], shape) }

  /// What is looked at in the elements of an array.
  var elements: JSONShape { elementShape ?? (isOpen ? self : .everything) }

  /// What is looked at in the value of a key; nil where nothing is.
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
