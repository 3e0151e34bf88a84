internal import RankedIndex
internal import RankedKeys
package import SatchelCoding
internal import SatchelIndexing

/// Which objects a declared index may have: those of a kind, and of records those of one type.
package struct IndexedKind: Sendable, Hashable {
  package let kind: AggregateEntry.Kind
  /// The number of the record type; 0 of other kinds.
  package let recordType: UInt32

  package init(_ kind: AggregateEntry.Kind, recordType: UInt32 = 0) {
    self.kind = kind
    self.recordType = recordType
  }

  /// The kind of an object.
  package init(_ object: ObjectRow) {
    switch object {
    case .message(let key): self.init(key.isAnnouncement ? .announcements : .messages)
    case .conversation: self.init(.conversations)
    case .identity: self.init(.identities)
    case .record(let key): self.init(.records, recordType: key.type)
    }
  }

  /// The objects that an index with a definition may have; nil if its record type is not declared: in a damaged store.
  package init?(of definition: DeclaredIndexEntry.Definition, in snapshot: Snapshot) throws {
    guard definition.kind == .records else {
      self.init(definition.kind)
      return
    }
    let name = String(decoding: definition.recordType ?? [], as: UTF8.self)
    guard let type = try snapshot.recordType(named: name) else { return nil }
    self.init(.records, recordType: type.id)
  }
}

extension IndexedKind {
  /// The index of all of these objects that the store's user can see, in the order of their creation.
  private var indexOfAll: IndexDefinition {
    switch kind {
    case .messages, .parts: IndexCatalog.messageCreated
    case .announcements: IndexCatalog.announcementCreated
    case .conversations: IndexCatalog.conversationRows
    case .identities: IndexCatalog.identityRows
    case .records: IndexCatalog.recordCreated
    }
  }

  var tree: TreeSchema { indexOfAll.tree }

  /// The entries of all of these objects in that index.
  var all: KeyRange { kind == .records ? .prefix(Words(UInt64(recordType)), columns: 1) : .all }

  /// Returns the bound before the entries of the objects from a number on.
  func bound(from number: UInt64) -> Bound {
    kind == .records
      ? .before(Words(UInt64(recordType), number), columns: 2) : .before(Words(number), columns: 1)
  }

  /// Returns the object of an entry of that index.
  func object(of row: Words) -> ObjectRow {
    let index = indexOfAll
    return switch kind {
    case .messages, .parts, .announcements: .message(index.message(of: row))
    case .conversations: .conversation(index.object(of: row))
    case .identities: .identity(index.object(of: row))
    case .records:
      .record(
        TypedRecordKey(
          type: UInt32(truncatingIfNeeded: index.first(of: row)), sequence: index.sequence(of: row)))
    }
  }
}
