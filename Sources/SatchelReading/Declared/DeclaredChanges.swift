package import SatchelCoding

/// The declared indexes of a write, and what the entries of the objects of a flush were made of.
package struct DeclaredChanges {
  /// The indexes whose entries are kept; nil until they are asked for.
  package var indexes: [Index]?
  /// The objects of the flush that are to get their new entries at its end, when all records are in the tables.
  package private(set) var pending: [Pending] = []
  /// What no other object may have, by unique indexes: looked at when the write ends, so that objects may change places.
  package var claims: [IndexClaim] = []
  /// The sums of lengths of the indexes of words among them.
  package var totals = WordTotals()
  /// The messages that were taken out of the indexes of words before the flush, because contents of theirs have been removed.
  package var left: Set<MessageKey> = []

  /// An index, with what says which entries objects have in the states of one flush.
  package struct Index {
    package let record: DeclaredIndexRecord
    package let dependsOnReading: Bool
    package var entries: (any IndexEntries)?

    package init(_ record: DeclaredIndexRecord, dependsOnReading: Bool) {
      self.record = record
      self.dependsOnReading = dependsOnReading
    }

    /// Whether it may have entries of an object.
    package func takes(_ object: ObjectRow) -> Bool {
      record.kind == IndexedKind(object) && record.entry.holds(object.number)
    }
  }

  /// An object, and what its entries in one index were made of.
  package struct Pending {
    package let object: ObjectRow
    /// The place of the index among `indexes`.
    package let index: Int
    package let before: [[UInt8]]
    /// Whether the object has entries in the state after the flush, if it meets the predicate.
    package let isThere: Bool

    package init(_ object: ObjectRow, at index: Int, before: [[UInt8]], isThere: Bool) {
      self.object = object
      self.index = index
      self.before = before
      self.isThere = isThere
    }
  }

  package init() {}

  package mutating func append(_ change: Pending) { pending.append(change) }

  /// Returns the changes, and forgets them.
  package mutating func take() -> [Pending] {
    defer { pending.removeAll(keepingCapacity: true) }
    return pending
  }

  /// Forgets what was prepared for a state that has changed.
  package mutating func forgetState() {
    guard var indexes else { return }
    for place in indexes.indices { indexes[place].entries = nil }
    self.indexes = indexes
  }
}
