/// The key of a record of an application: the number of its type and its creation sequence, which no message or announcement has.
///
/// So the records of a type are one range of `objects`, in the order of their creation.
package struct TypedRecordKey: Sendable, Hashable {
  /// The number of the type.
  package let type: UInt32
  /// The number that the record got when it was added to the store, unique in the store.
  package let sequence: UInt64

  package init(type: UInt32, sequence: UInt64) {
    self.type = type
    self.sequence = sequence
  }

  /// The bytes of the key, in `objects`.
  package var bytes: KeyBytes { ObjectKey.record(self).bytes }
}

extension TypedRecordKey: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    (left.type, left.sequence) < (right.type, right.sequence)
  }
}
