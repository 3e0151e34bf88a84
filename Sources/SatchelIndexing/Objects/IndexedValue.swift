package import RankedKeys
package import SatchelModel
import SatchelText

/// A metadata value as the indexes hold it.
package struct IndexedValue: Sendable, Hashable {
  /// The interned key path.
  package let path: UInt32
  package let value: Value

  /// A value in the form in which it compares.
  package enum Value: Sendable, Hashable {
    /// The UTF-8 bytes of a text in NFC.
    case text([UInt8])
    /// A value of another type, or that there is a list.
    case scalar(ValueKey)
    /// The bytes of a reference: `Reference.keyBytes`.
    case reference([UInt8])

    /// Returns the forms of a value: one; of a list that there is one, and each of its texts once; none of a dictionary.
    package static func all(_ value: MetadataValue) -> [Value] {
      switch value {
      case .text(let text): [.text(NFC.bytes(text))]
      case .list(let texts): [.scalar(.list)] + ListElements.distinct(texts).map { .text($0) }
      case .reference(let reference): [.reference(reference.keyBytes)]
      default: MetadataScalar(value)?.key.map { [.scalar($0)] } ?? []
      }
    }
  }

  package init(path: UInt32, value: Value) {
    self.path = path
    self.value = value
  }

  /// Returns the group of a key path's values in a tree of metadata.
  ///
  /// Texts and other values have groups of their own, so that texts need no mark that they are texts: a tree that a program of
  /// a format before 11 has written holds the same entries.
  package static func group(ofPath path: UInt32, texts: Bool) -> UInt64 {
    texts ? UInt64(path) : UInt64(path) | scalarGroups
  }

  /// Returns the group of the texts, or of the other values, of the key path that a group belongs to: of metadata or of a record's fields.
  package static func group(besides group: UInt64, texts: Bool) -> UInt64 {
    texts ? group & ~scalarGroups : group | scalarGroups
  }

  /// Returns the key path that a group belongs to, and whether it is that of the path's texts.
  package static func path(ofGroup group: UInt64) -> (path: UInt32, isOfTexts: Bool) {
    (UInt32(truncatingIfNeeded: group), group & scalarGroups == 0)
  }

  /// The least group of values that are no texts.
  package static let scalarGroups: UInt64 = 1 << 32
}

extension [IndexedValue] {
  /// Returns the entries of these values in a metadata tree.
  package func keys(row: UInt64) -> [TextKey] {
    keys(row: row) { IndexedValue.group(ofPath: $0, texts: $1) }
  }

  /// - Parameter group: Returns the group of the texts, or of the other values, of a key path.
  func keys(row: UInt64, group: (_ path: UInt32, _ texts: Bool) -> UInt64) -> [TextKey] {
    map { value in
      switch value.value {
      case .text(let text): TextKey(group: group(value.path, true), text: text, row: row)
      case .scalar(let key): TextKey(group: group(value.path, false), text: key.bytes, row: row)
      case .reference(let key):
        TextKey(group: group(value.path, false), text: [ValueKey.Tag.reference] + key, row: row)
      }
    }
  }
}
