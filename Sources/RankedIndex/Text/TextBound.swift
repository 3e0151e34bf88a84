/// A place between two entries of a string tree.
///
/// Every kind of bound is brought to one form when it is made: the least (bytes, row) that stands after the place,
/// where the bytes are the group and the text in one. So a tree needs one search only.
package struct TextBound: Sendable, Hashable {
  /// The group in big-endian bytes and the text; empty before the first entry; nil behind the last.
  let bytes: [UInt8]?
  /// Entries of exactly these bytes stand after the bound from this row on.
  let row: UInt64

  private init(bytes: [UInt8]?, row: UInt64 = 0) {
    self.bytes = bytes
    self.row = row
  }

  /// Before every entry.
  package static let start = TextBound(bytes: [])
  /// After every entry.
  package static let end = TextBound(bytes: nil)

  package static func before(group: UInt64) -> TextBound {
    TextBound(bytes: Array(group: group, text: EmptyCollection()))
  }

  package static func after(group: UInt64) -> TextBound {
    group == .max ? .end : before(group: group + 1)
  }

  /// Before the entries of this text.
  package static func before(group: UInt64, text: [UInt8]) -> TextBound {
    TextBound(bytes: Array(group: group, text: text))
  }

  /// After the entries of exactly this text, and before those it is a prefix of.
  package static func after(group: UInt64, text: [UInt8]) -> TextBound {
    var bytes = Array(group: group, text: text)
    bytes.append(0)
    return TextBound(bytes: bytes)
  }

  /// After the entries whose text begins with `prefix`; they stand behind `before(group:text:)` of the prefix.
  package static func afterPrefix(group: UInt64, prefix: [UInt8]) -> TextBound {
    var bytes = Array(group: group, text: prefix)
    while let last = bytes.popLast() {
      if last < 0xFF {
        bytes.append(last + 1)
        // A carry into the group has shortened the bytes: the place is before the next group.
        while bytes.count < TextLimit.groupBytes { bytes.append(0) }
        return TextBound(bytes: bytes)
      }
    }
    return .end
  }

  package static func before(_ key: TextKey) -> TextBound {
    TextBound(bytes: Array(group: key.group, text: key.text), row: key.row)
  }

  package static func after(_ key: TextKey) -> TextBound {
    if key.row == .max { return after(group: key.group, text: key.text) }
    return TextBound(bytes: Array(group: key.group, text: key.text), row: key.row + 1)
  }
}

/// The entries between two bounds; none if the upper one stands before the lower.
package struct TextRange: Sendable, Hashable {
  package var lower: TextBound
  package var upper: TextBound

  package init(lower: TextBound, upper: TextBound) {
    self.lower = lower
    self.upper = upper
  }

  /// Every entry.
  package static let all = TextRange(lower: .start, upper: .end)

  package static func group(_ group: UInt64) -> TextRange {
    TextRange(lower: .before(group: group), upper: .after(group: group))
  }

  /// The entries of exactly this text.
  package static func text(_ text: [UInt8], group: UInt64) -> TextRange {
    TextRange(lower: .before(group: group, text: text), upper: .after(group: group, text: text))
  }

  /// The entries whose text begins with `prefix`.
  package static func prefix(_ prefix: [UInt8], group: UInt64) -> TextRange {
    TextRange(
      lower: .before(group: group, text: prefix), upper: .afterPrefix(group: group, prefix: prefix))
  }
}
