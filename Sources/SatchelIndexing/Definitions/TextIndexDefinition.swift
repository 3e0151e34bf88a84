package import RankedKeys
package import SatchelCoding
import SatchelText

/// An index over texts: the only description of it. An entry is a group, a text, and the row of the object that has it.
package final class TextIndexDefinition: Sendable {
  /// The tree: its number in the file, and its name.
  package let tree: TextTreeSchema
  /// What has an entry in it, in the words of FORMAT.md.
  package let entries: String
  /// What the group, the text and the row of an entry are, in the words of FORMAT.md.
  package let columns: [String]
  /// The optional indexes that it belongs to; none if every store has it.
  package let optionalIndexes: StoreHeader.OptionalIndexes

  /// - Parameter number: Its number in the file, never used for another index.
  init(
    _ number: UInt16, _ name: String, of entries: String, group: String, text: String = "text in NFC",
    row: String = "row", isPartOf optionalIndexes: StoreHeader.OptionalIndexes = []
  ) {
    tree = TextTreeSchema(id: number, name: name)
    self.entries = entries
    columns = [group, text, row]
    self.optionalIndexes = optionalIndexes
  }

  /// Its number in the file.
  package var number: UInt16 { tree.id }
  package var name: String { tree.name }
}

/// The groups of `identity.name`: which of an identity's names a text is.
package enum NameGroup: UInt64, CaseIterable, Sendable {
  case displayName = 1
  case firstName = 2
  case lastName = 3
  case emailAddress = 4
  case phoneNumber = 5
}
