public import SatchelModel
public import SatchelRecords

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// That a user follows another one, is a friend of theirs, has blocked them, or whatever the kind says. There is one edge of a kind from a
/// user to another one.
///
/// It is kept as a record: the queries of ``recordType`` are queries for edges, and `as: Relation.self` gives values.
public struct Relation: StorableRecord, Hashable {
  /// The type of the records: `_relation`.
  public static var recordType: RecordType { StoreFeature.relations.recordType }

  /// What the one is to the other.
  public let kind: RelationKind
  /// Who follows, for instance.
  public let from: Identity.ID
  /// Who is followed, for instance.
  public let to: Identity.ID
  /// When the store was told of it; nil of a value that was not read from a store.
  public let createdAt: Date?

  init(_ kind: RelationKind, from: Identity.ID, to: Identity.ID) {
    self.kind = kind
    self.from = from
    self.to = to
    createdAt = nil
  }

  /// The name of the record: kind, `from` and `to` with slashes between them. Of the user ids, a slash, a percent sign and what is not
  /// ASCII are percent signs with two digits for each byte.
  public var id: String { RelationName.name(kind, from: from.rawValue, to: to.rawValue) }

  private enum Key: String, CodingKey { case kind, from, to, inverse, createdAt }

  /// Decodes the fields of a record.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    kind = RelationKind(try container.decode(String.self, forKey: .kind))
    from = Identity.ID(try container.decode(Reference.self, forKey: .from).name)
    to = Identity.ID(try container.decode(Reference.self, forKey: .to).name)
    createdAt = try container.decodeIfPresent(Date.self, forKey: .createdAt)
  }

  /// Encodes the fields of the record.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(kind.rawValue, forKey: .kind)
    try container.encode(Reference(from), forKey: .from)
    try container.encode(Reference(to), forKey: .to)
    try container.encode(
      RelationName.name(kind, from: to.rawValue, to: from.rawValue), forKey: .inverse)
  }
}
