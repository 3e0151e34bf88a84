package import SatchelIndexing
package import SatchelModel

/// The group of a string tree that holds the values of one property.
package struct TextIndex: Sendable {
  package let index: TextIndexDefinition
  package let group: Group

  /// The group in the tree: a fixed number, or a metadata key path, whose number has to be looked up.
  package enum Group: Hashable, Sendable {
    case number(UInt64)
    case metadataPath(MetadataPath)
    /// The number of the record type that a question asks for.
    case recordType
  }

  /// Finds the index of a property's values; nil if there is none.
  package init?(_ property: ObjectProperty, of kind: ObjectKind) {
    guard property.relations.isEmpty else { return nil }
    switch (kind, property.field) {
    case (.conversations, .metadataValue(let keys)):
      self.init(IndexCatalog.conversationMetadata, .metadataPath(keys))
    case (.messages, .metadataValue(let keys)):
      self.init(IndexCatalog.messageMetadata, .metadataPath(keys))
    case (.announcements, .metadataValue(let keys)):
      self.init(IndexCatalog.announcementMetadata, .metadataPath(keys))
    case (.identities, .metadataValue(let keys)):
      self.init(IndexCatalog.identityMetadata, .metadataPath(keys))
    case (.records, .recordValue(let keys)): self.init(IndexCatalog.recordFields, .metadataPath(keys))
    case (.records, .identifier): self.init(IndexCatalog.recordIdentifier, .recordType)
    case (.identities, .displayName): self.init(.displayName)
    case (.identities, .firstName): self.init(.firstName)
    case (.identities, .lastName): self.init(.lastName)
    case (.identities, .emailAddress): self.init(.emailAddress)
    case (.identities, .phoneNumber): self.init(.phoneNumber)
    default: return nil
    }
  }

  /// Returns the group of the texts of a key path. That of its other values is beside it.
  /// - Parameter type: The record type that a question asks for.
  func group(ofPath path: UInt32, type: UInt32) -> UInt64 {
    index === IndexCatalog.recordFields
      ? IndexedRecord.group(ofType: type, path: path, texts: true)
      : IndexedValue.group(ofPath: path, texts: true)
  }

  private init(_ name: NameGroup) {
    self.init(IndexCatalog.identityName, .number(name.rawValue))
  }

  private init(_ index: TextIndexDefinition, _ group: Group) {
    self.index = index
    self.group = group
  }
}
