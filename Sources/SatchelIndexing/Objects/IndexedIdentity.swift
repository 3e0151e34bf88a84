internal import RankedKeys

/// The properties of an identity that the indexes use.
package struct IndexedIdentity: Sendable, Hashable {
  package var row: UInt32
  package var user: UInt32
  /// The names that the identity has, each with the UTF-8 bytes of its text in NFC.
  package var names: [Name]
  package var metadata: [IndexedValue]

  /// One name of an identity.
  package struct Name: Sendable, Hashable {
    package let group: NameGroup
    package let text: [UInt8]

    package init(group: NameGroup, text: [UInt8]) {
      self.group = group
      self.text = text
    }
  }

  package init(row: UInt32, user: UInt32, names: [Name], metadata: [IndexedValue]) {
    self.row = row
    self.user = user
    self.names = names
    self.metadata = metadata
  }
}

extension IndexChanges {
  /// Adds what changes in the indexes if an identity goes from state `old` to state `new`. A state is nil if the
  /// identity does not exist.
  package mutating func change(from old: IndexedIdentity?, to new: IndexedIdentity?) {
    guard old != new else { return }
    change(IndexCatalog.identityRows.tree, old?.rowsRow, new?.rowsRow)
    change(IndexCatalog.identityUser.tree, old?.userRow, new?.userRow)
    change(IndexCatalog.identityName.tree, old?.nameKeys ?? [], new?.nameKeys ?? [])
    change(
      IndexCatalog.identityMetadata.tree, old?.metadata.keys(row: UInt64(old?.row ?? 0)) ?? [],
      new?.metadata.keys(row: UInt64(new?.row ?? 0)) ?? [])
  }
}

extension IndexedIdentity {
  fileprivate var rowsRow: Words { Words(UInt64(row)) }

  fileprivate var userRow: Words { Words(UInt64(user), UInt64(row)) }

  fileprivate var nameKeys: [TextKey] {
    names.map { TextKey(group: $0.group.rawValue, text: $0.text, row: UInt64(row)) }
  }
}
