/// What a change does to the entry of a key.
enum ChangeKind: UInt8 {
  case insert = 0
  case remove = 1
  case replace = 2

  /// By how much a change of this kind changes the number of entries.
  var sign: Int {
    switch self {
    case .insert: 1
    case .remove: -1
    case .replace: 0
    }
  }

  /// Combines this change with a pending one of the same key that came before it and that it does not contradict.
  /// Returns nil if nothing is left of both: an entry that was inserted and then removed. Otherwise the earlier kind
  /// tells whether what lies below, the tree or the tree with the large run, holds the key, and the result says the
  /// same: an insert stays an insert until the rows are in the tree, and what is removed and inserted again is replaced,
  /// or as it was if entries have no payload.
  @inline(__always)
  func folded(onto earlier: Self, havePayload: Bool) -> Self? {
    switch (earlier, self) {
    case (.insert, .remove): nil
    case (.insert, _): .insert
    case (_, .remove): .remove
    default: havePayload ? .replace : nil
    }
  }

  /// What is wrong with a change of this kind that contradicts what is known of its key.
  var contradiction: String {
    switch self {
    case .insert: "inserted twice"
    case .remove: "removed twice"
    case .replace: "replaced after it was removed"
    }
  }
}
