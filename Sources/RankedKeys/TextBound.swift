/// A boundary between entries of a string tree.
///
/// Every kind of bound is stored in one form: the least pair (bytes, row) after the boundary, where the bytes are the
/// group followed by the text. A tree therefore needs only one kind of search.
package struct TextBound: Sendable, Hashable {
  /// The group in big-endian bytes, then the text. Empty bytes are before the first entry; nil is after the last.
  package let bytes: [UInt8]?
  /// Of the entries with exactly these bytes, those from this row on come after the boundary.
  package let row: UInt64

  /// The group and the text of the entries that the boundary is at; nil before all groups and behind all.
  package var entry: (group: UInt64, text: [UInt8])? {
    guard let bytes, bytes.count >= TextLimit.groupBytes else { return nil }
    let group = bytes.prefix(TextLimit.groupBytes).reduce(0) { $0 << 8 | UInt64($1) }
    return (group, Array(bytes.dropFirst(TextLimit.groupBytes)))
  }

  @inlinable init(bytes: [UInt8]?, row: UInt64 = 0) {
    self.bytes = bytes
    self.row = row
  }

  /// The boundary before every entry.
  @inlinable package static var start: TextBound { TextBound(bytes: []) }
  /// The boundary after every entry.
  @inlinable package static var end: TextBound { TextBound(bytes: nil) }

  @inlinable package static func before(group: UInt64) -> TextBound {
    TextBound(bytes: Array(group: group, text: EmptyCollection()))
  }

  @inlinable package static func after(group: UInt64) -> TextBound {
    group == .max ? .end : before(group: group + 1)
  }

  /// Returns the boundary before the entries of this text.
  @inlinable package static func before(group: UInt64, text: [UInt8]) -> TextBound {
    TextBound(bytes: Array(group: group, text: text))
  }

  /// Returns the boundary after the entries of exactly this text, and before longer texts that begin with it.
  @inlinable package static func after(group: UInt64, text: [UInt8]) -> TextBound {
    var bytes = Array(group: group, text: text)
    bytes.append(0)
    return TextBound(bytes: bytes)
  }

  /// Returns the boundary after the entries of a group and a text that follow one another in `head`.
  @inlinable package static func after(entriesOf head: [UInt8]) -> TextBound {
    TextBound(bytes: head + CollectionOfOne(0))
  }

  /// Returns the boundary before an object's entry of the text that this boundary is at.
  @inlinable package func before(row: UInt64) -> TextBound { TextBound(bytes: bytes, row: row) }

  /// Returns the boundary after the entries whose text begins with `prefix`. The boundary before these entries is
  /// `before(group:text:)` of the prefix.
  @inlinable package static func afterPrefix(group: UInt64, prefix: [UInt8]) -> TextBound {
    var bytes = Array(group: group, text: prefix)
    while let last = bytes.popLast() {
      if last < 0xFF {
        bytes.append(last + 1)
        // If the carry has reached the group, the bytes are too short: with zeros they are the next group's.
        while bytes.count < TextLimit.groupBytes { bytes.append(0) }
        return TextBound(bytes: bytes)
      }
    }
    return .end
  }

  @inlinable package static func before(_ key: TextKey) -> TextBound {
    TextBound(bytes: Array(group: key.group, text: key.text), row: key.row)
  }

  @inlinable package static func after(_ key: TextKey) -> TextBound {
    if key.row == .max { return after(group: key.group, text: key.text) }
    return TextBound(bytes: Array(group: key.group, text: key.text), row: key.row + 1)
  }
}

/// The entries between two bounds; none if the upper bound is not after the lower one.
package struct TextRange: Sendable, Hashable {
  package var lower: TextBound
  package var upper: TextBound

  @inlinable package init(lower: TextBound, upper: TextBound) {
    self.lower = lower
    self.upper = upper
  }

  /// Every entry.
  @inlinable package static var all: TextRange { TextRange(lower: .start, upper: .end) }

  @inlinable package static func group(_ group: UInt64) -> TextRange {
    TextRange(lower: .before(group: group), upper: .after(group: group))
  }

  /// Returns the range of the entries of exactly this text.
  @inlinable package static func text(_ text: [UInt8], group: UInt64) -> TextRange {
    TextRange(lower: .before(group: group, text: text), upper: .after(group: group, text: text))
  }

  /// Returns the range of the entries whose text begins with `prefix`.
  @inlinable package static func prefix(_ prefix: [UInt8], group: UInt64) -> TextRange {
    TextRange(
      lower: .before(group: group, text: prefix), upper: .afterPrefix(group: group, prefix: prefix))
  }
}
