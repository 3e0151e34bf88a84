package import RankedKeys
import SatchelIndexing
package import SatchelModel

/// The group of a string tree that holds the values of one property.
package struct TextIndex: Hashable, Sendable {
  package let tree: TextTreeSchema
  package let group: Group

  /// The group in the tree: a fixed number, or a metadata key path, whose number has to be looked up.
  package enum Group: Hashable, Sendable {
    case number(UInt64)
    case metadataPath([String])
  }

  /// Finds the index of a property's values; nil if there is none.
  package init?(_ property: ObjectProperty, of kind: ObjectKind) {
    guard property.relations.isEmpty else { return nil }
    switch (kind, property.field) {
    case (.conversations, .metadataValue(let keys)):
      self.init(tree: IndexCatalog.conversationMetadata.tree, group: .metadataPath(keys))
    case (.identities, .metadataValue(let keys)):
      self.init(tree: IndexCatalog.identityMetadata.tree, group: .metadataPath(keys))
    case (.identities, .displayName): self.init(.displayName)
    case (.identities, .firstName): self.init(.firstName)
    case (.identities, .lastName): self.init(.lastName)
    case (.identities, .emailAddress): self.init(.emailAddress)
    case (.identities, .phoneNumber): self.init(.phoneNumber)
    default: return nil
    }
  }

  private init(_ name: NameGroup) {
    self.init(tree: IndexCatalog.identityName.tree, group: .number(name.rawValue))
  }

  private init(tree: TextTreeSchema, group: Group) {
    self.tree = tree
    self.group = group
  }
}
