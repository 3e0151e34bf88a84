/// Names a string tree: an ordered, counted set of `TextKey`s.
package struct TextTreeSchema: Sendable, Hashable {
  /// Stands in every node of the tree. Numeric and string trees share one range of ids.
  package let id: UInt16
  /// What reports and errors call the tree.
  package let name: String

  package init(id: UInt16, name: String) {
    self.id = id
    self.name = name
  }
}

/// An entry of a string tree. Entries are ordered by group, then by the bytes of the text (unsigned, the shorter of
/// two that begin alike first), then by row.
package struct TextKey: Sendable, Hashable {
  /// What the text belongs to, such as an interned key path: ranges of texts never leave a group.
  package var group: UInt64
  /// Any bytes, of any length up to some MiB. The tree gives them no meaning; the store writes UTF-8 in NFC.
  package var text: [UInt8]
  /// Whose text it is. It ends the key, so equal texts are distinct entries in the order of their rows.
  package var row: UInt64

  package init(group: UInt64, text: [UInt8], row: UInt64) {
    self.group = group
    self.text = text
    self.row = row
  }

  package init(group: UInt64, text: String, row: UInt64) {
    self.init(group: group, text: Array(text.utf8), row: row)
  }
}

extension TextKey: Comparable {
  package static func < (left: TextKey, right: TextKey) -> Bool {
    if left.group != right.group { return left.group < right.group }
    let order = left.text.span.bytes.compare(right.text.span.bytes)
    return order == 0 ? left.row < right.row : order < 0
  }
}

/// Limits of a key's form inside a node.
enum TextLimit {
  /// The group, in big-endian bytes, begins every key of a node: then one comparison of bytes orders both.
  static let groupBytes = 8
  /// Bytes of a text that a node holds. What follows is its continuation, in the side table. With this a key costs a
  /// node at most 300 bytes, so that even the smallest page holds 8.
  static let textBytes = 240
  /// Bytes of a key that a node holds.
  static let headBytes = groupBytes + textBytes
}

extension [UInt8] {
  /// The bytes that order a key: its group, then its text.
  init(group: UInt64, text: some Collection<UInt8>) {
    self = []
    reserveCapacity(TextLimit.groupBytes + text.count + 1)
    var shift = 56
    while shift >= 0 {
      append(UInt8(truncatingIfNeeded: group &>> UInt64(shift)))
      shift &-= 8
    }
    append(contentsOf: text)
  }

  /// The group that begins a key's bytes; 0 if there are fewer than eight.
  var leadingGroup: UInt64 {
    guard count >= TextLimit.groupBytes else { return 0 }
    return UInt64(bigEndian: span.bytes.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt64.self))
  }
}
