internal import SatchelBytes
package import SatchelCoding

/// The names of records that the current transaction has added or removed, which reads of the index of names need not know yet: a
/// look-up there would sort all that has been added since the last one, and `save` looks up each name before it adds it.
package struct PendingRecordNames: Sendable {
  private struct Name: Hashable {
    let type: UInt32
    let identifier: HashedBytes
  }

  /// The sequences of the records of these names; nil where there is none any more.
  private var sequences: [Name: UInt64?] = [:]

  /// The most names that are kept; each takes about 100 bytes.
  private static let maximum = 65_536

  package init() {}

  /// Whether so many are kept that the index should know them, after which they can be forgotten.
  package var isFull: Bool { sequences.count >= Self.maximum }

  /// What the transaction has made of a name.
  package enum Change {
    case added(TypedRecordKey)
    case removed
  }

  /// Returns what the transaction has made of a name last; nil if nothing is known, and the index knows it.
  package func change(of identifier: [UInt8], ofType type: UInt32) -> Change? {
    guard !sequences.isEmpty, let known = sequences[Name(type: type, identifier: HashedBytes(identifier))]
    else { return nil }
    return known.map { .added(TypedRecordKey(type: type, sequence: $0)) } ?? .removed
  }

  package mutating func add(_ key: TypedRecordKey, named identifier: [UInt8]) {
    sequences.updateValue(key.sequence, forKey: Name(type: key.type, identifier: HashedBytes(identifier)))
  }

  package mutating func remove(_ key: TypedRecordKey, named identifier: [UInt8]) {
    sequences.updateValue(.none, forKey: Name(type: key.type, identifier: HashedBytes(identifier)))
  }

  /// Forgets all, which the index knows.
  package mutating func removeAll() { sequences.removeAll(keepingCapacity: true) }
}
