import RankedKeys
import SatchelIndexing
import SatchelJoins
import SatchelPlanning

/// A bound between two entries of an index at which a scan begins, towards greater or smaller entries.
enum ScanCut {
  case words(KeyCut)
  case texts(TextCut)
  case rows(RowCut)
}

/// A bound between two entries of a string tree.
struct TextCut {
  private let bound: TextBound
  /// The group that the bound is in, if the runs may be in several; nil if all are in one.
  private let group: UInt64?

  /// The bound before or after an object's entry among the values of one property.
  init(_ key: TextKey, isAfter: Bool) {
    bound = isAfter ? .after(key) : .before(key)
    group = key.group
  }

  /// The bound before or after an object's entry in a declared index.
  init(_ entry: DeclaredKey, _ row: RowReference, of index: DeclaredIndex, isAfter: Bool) {
    let key = TextKey(group: DeclaredKey.group(of: index.id), text: entry.bytes, row: row.sequence)
    bound = isAfter ? .after(key) : .before(key)
    group = nil
  }

  /// The bound before or after all entries of a declared index whose first columns are given.
  init(_ columns: DeclaredKey, of index: DeclaredIndex, isAfter: Bool) {
    let group = DeclaredKey.group(of: index.id)
    bound =
      isAfter
      ? .afterPrefix(group: group, prefix: columns.bytes) : .before(group: group, text: columns.bytes)
    self.group = nil
  }

  /// Returns the part of a run on the side of the bound that is scanned; nil if it is empty.
  func cutting(_ range: TextRange, descending: Bool) -> TextRange? {
    if let group, let other = range.lower.entry?.group, other != group {
      // What is no text has a group behind that of the texts, and comes before them in the order of the values.
      return (other > group) == descending ? range : nil
    }
    var part = range
    if descending {
      if bound.precedes(range.upper) { part.upper = bound }
    } else if range.lower.precedes(bound) {
      part.lower = bound
    }
    return part.lower.precedes(part.upper) ? part : nil
  }
}

extension TextBound {
  func precedes(_ other: TextBound) -> Bool {
    guard let bytes else { return false }
    guard let others = other.bytes else { return true }
    return bytes == others ? row < other.row : bytes.lexicographicallyPrecedes(others)
  }
}
