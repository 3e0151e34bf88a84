import SatchelBytes

/// An entry that a write adds or removes, until the tree is flushed.
struct TextChange: Sendable {
  /// The group and the whole text.
  let bytes: [UInt8]
  let row: UInt64
  var kind: Kind
  /// The first eight bytes of the text, big-endian: with the group they decide most comparisons of a sort.
  private let group: UInt64
  private let start: UInt64

  enum Kind: Sendable {
    case insert
    case remove
    /// Inserted and removed again: the tree must not have it.
    case absent
    /// Removed and inserted again: the tree must have it.
    case present

    /// Whether the tree must have the entry before.
    var needsEntry: Bool { self == .remove || self == .present }
    /// Whether the tree has the entry afterwards.
    var leavesEntry: Bool { self == .insert || self == .present }
  }

  init(_ key: TextKey, isInsertion: Bool) {
    bytes = Array(group: key.group, text: key.text)
    row = key.row
    kind = isInsertion ? .insert : .remove
    group = key.group
    var start: UInt64 = 0
    for index in 0..<8 { start = start << 8 | (index < key.text.count ? UInt64(key.text[index]) : 0) }
    self.start = start
  }

  /// The bytes that a node holds.
  var headCount: Int { min(bytes.count, TextLimit.headBytes) }

  /// Orders by key: negative, 0 or positive.
  func compare(_ other: TextChange) -> Int {
    if group != other.group { return group < other.group ? -1 : 1 }
    if start != other.start { return start < other.start ? -1 : 1 }
    let order = bytes.span.bytes.compare(other.bytes.span.bytes)
    if order != 0 { return order }
    return row == other.row ? 0 : row < other.row ? -1 : 1
  }

  /// The key, for an error.
  var words: [UInt64] { [group, start, row] }

  /// Sorts changes and leaves one for each key. Returns the first that contradicts the one before it, such as a second
  /// insert of one key.
  static func settle(_ changes: inout [TextChange]) -> TextChange? {
    // Swift's sort is stable: changes of one key stay in the order in which they were made.
    changes.sort { $0.compare($1) < 0 }
    var kept = 0
    for index in changes.indices {
      if kept > 0, changes[kept - 1].compare(changes[index]) == 0 {
        let before = changes[kept - 1].kind
        let next = changes[index].kind
        if before.leavesEntry != next.needsEntry { return changes[index] }
        changes[kept - 1].kind =
          switch (before.needsEntry, next.leavesEntry) {
          case (false, true): .insert
          case (false, false): .absent
          case (true, true): .present
          case (true, false): .remove
          }
      } else {
        if kept != index { changes[kept] = changes[index] }
        kept += 1
      }
    }
    changes.removeLast(changes.count - kept)
    return nil
  }
}
