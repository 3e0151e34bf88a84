internal import RankedKeys
import SatchelBytes

/// The insertion or removal of an entry, until the tree is flushed.
struct TextChange: Sendable {
  /// The group and the whole text.
  let bytes: [UInt8]
  let row: UInt64
  var kind: Kind
  /// The group, and the first eight bytes of the text, big-endian. They decide most comparisons of a sort.
  private let group: UInt64
  private let start: UInt64

  enum Kind: Sendable {
    case insert
    case remove
    /// Inserted and then removed: the tree must not have the entry.
    case absent
    /// Removed and then inserted: the tree must have the entry.
    case present

    /// Whether the tree must have the entry before the change.
    var needsEntry: Bool { self == .remove || self == .present }
    /// Whether the tree has the entry after the change.
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

  /// The key.
  var key: TextKey { TextKey(group: group, text: Array(bytes[TextLimit.groupBytes...]), row: row) }

  /// The number of the key's bytes that a node holds.
  var headCount: Int { min(bytes.count, TextLimit.headBytes) }

  /// Compares the keys. The result is negative, 0 or positive.
  func compare(_ other: TextChange) -> Int {
    if group != other.group { return group < other.group ? -1 : 1 }
    if start != other.start { return start < other.start ? -1 : 1 }
    let order = unsafe bytes.span.bytes.compare(other.bytes.span.bytes)
    if order != 0 { return order }
    return row == other.row ? 0 : row < other.row ? -1 : 1
  }

  /// The key as words, for an error.
  var words: [UInt64] { [group, start, row] }

  /// Sorts changes and combines the changes of each key into one. Returns the first change that contradicts the one
  /// before it, such as a second insert of one key; nil if there is none.
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
