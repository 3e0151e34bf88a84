internal import SatchelCoding
internal import SatchelReading

/// The declared indexes of a write, and what the entries of the objects of a flush were made of.
struct DeclaredChanges {
  /// The indexes whose entries are kept; nil until they are asked for.
  var indexes: [Index]?
  /// The objects of the flush that are to get their new entries at its end, when all records are in the tables.
  private(set) var pending: [Pending] = []
  /// What no other object may have, by unique indexes: looked at when the write ends, so that objects may change places.
  var claims: [IndexClaim] = []
  /// The sums of lengths of the indexes of words among them.
  var totals = WordTotals()

  /// An index, with what says which entries objects have in the states of one flush.
  struct Index {
    let record: DeclaredIndexRecord
    let dependsOnReading: Bool
    var entries: (any IndexEntries)?
  }

  /// An object, and what its entries in one index were made of.
  struct Pending {
    let object: ObjectRow
    /// The place of the index among `indexes`.
    let index: Int
    let before: [[UInt8]]
    /// Whether the object has entries in the state after the flush, if it meets the predicate.
    let isThere: Bool
  }

  var isEmpty: Bool { pending.isEmpty }

  mutating func append(_ change: Pending) { pending.append(change) }

  /// Returns the changes, and forgets them.
  mutating func take() -> [Pending] {
    defer { pending.removeAll(keepingCapacity: true) }
    return pending
  }

  /// Forgets what was prepared for a state that has changed.
  mutating func forgetState() {
    guard var indexes else { return }
    for place in indexes.indices { indexes[place].entries = nil }
    self.indexes = indexes
  }
}
