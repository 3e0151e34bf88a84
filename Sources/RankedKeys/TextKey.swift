internal import SatchelBytes

/// The id and name of a string tree: an ordered, counted set of `TextKey`s.
package struct TextTreeSchema: Sendable, Hashable {
  /// Stored in every node of the tree. Numeric and string trees share one range of ids.
  package let id: UInt16
  /// The name of the tree in reports and errors.
  package let name: String

  @inlinable package init(id: UInt16, name: String) {
    self.id = id
    self.name = name
  }
}

/// An entry of a string tree. Entries are ordered by group, then by the bytes of the text (unsigned, a prefix before
/// longer texts), then by row.
package struct TextKey: Sendable, Hashable {
  /// The group of the text, such as an interned key path. A range of texts lies within one group.
  package var group: UInt64
  /// Any bytes, of any length up to some MiB. The tree gives them no meaning; the store writes UTF-8 in NFC.
  package var text: [UInt8]
  /// The row of the object that has the text. It is the last part of the key: equal texts are distinct entries, in
  /// the order of their rows.
  package var row: UInt64

  @inlinable package init(group: UInt64, text: [UInt8], row: UInt64) {
    self.group = group
    self.text = text
    self.row = row
  }

  @inlinable package init(group: UInt64, text: String, row: UInt64) {
    self.init(group: group, text: Array(text.utf8), row: row)
  }
}

extension TextKey: Comparable {
  package static func < (left: TextKey, right: TextKey) -> Bool {
    if left.group != right.group { return left.group < right.group }
    let order = unsafe left.text.span.bytes.compare(right.text.span.bytes)
    return order == 0 ? left.row < right.row : order < 0
  }
}

/// The limits of a key inside a node.
@usableFromInline package enum TextLimit {
  /// The number of bytes of the group. The group, big-endian, begins every key of a node, so that one comparison of
  /// bytes orders group and text.
  @inlinable package static var groupBytes: Int { 8 }
  /// The number of bytes of a text that a node holds. The rest is the continuation of the text, in the side table.
  /// With this limit a key takes at most 300 bytes of a node, so that even the smallest page holds 8.
  @inlinable package static var textBytes: Int { 240 }
  /// The number of bytes of a key that a node holds.
  @inlinable package static var headBytes: Int { groupBytes + textBytes }
}

extension [UInt8] {
  /// Creates the bytes that order a key: its group, then its text.
  @inlinable package init(group: UInt64, text: some Collection<UInt8>) {
    self = []
    reserveCapacity(TextLimit.groupBytes + text.count + 1)
    var shift = 56
    while shift >= 0 {
      append(UInt8(truncatingIfNeeded: group &>> UInt64(shift)))
      shift &-= 8
    }
    append(contentsOf: text)
  }

  /// The group at the start of a key's bytes; 0 if there are fewer than eight bytes.
  @inlinable package var leadingGroup: UInt64 {
    guard count >= TextLimit.groupBytes else { return 0 }
    return unsafe UInt64(bigEndian: span.bytes.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt64.self))
  }
}
