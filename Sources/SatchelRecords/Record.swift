public import SatchelModel
import SatchelText

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An object of one of the application's own types: what every object has, and fields.
///
/// ```swift
/// var task = Record(todo, ["title": "Write", "order": 1])
/// task["list"] = .reference(work.id)
/// ```
public struct Record: Identifiable, Hashable, Sendable {
  /// The type of a record's identifier: the name of its type, and a name that no other record of the type has.
  public typealias ID = Reference

  /// The identifier, which never changes.
  public package(set) var id: ID
  /// The user to whom the record belongs; the store's user unless another one is given. Nil of a record that is in no store.
  public var owner: Identity.ID?
  /// Who created the record; nil of one that is in no store.
  public package(set) var createdBy: Identity.ID?
  /// Who changed it last; nil of a record that is in no store.
  public package(set) var updatedBy: Identity.ID?
  /// When the record was created; see ``createdAt`` for a `Date`. Nil of one that is in no store.
  public package(set) var createdTimestamp: Timestamp?
  /// When it was changed last; see ``updatedAt`` for a `Date`. Nil of one that is in no store.
  public package(set) var updatedTimestamp: Timestamp?
  /// All fields, declared and not, in the order of their names.
  public var fields: Metadata
  /// The objects that have come with the record; nil if none were asked for.
  package var inclusions: RecordInclusions?

  /// Makes a record, which is in no store until it is saved.
  /// - Parameters:
  ///   - type: Its type, which has to be declared in the store by then.
  ///   - name: What tells it from other records of its type; a random UUID if it is nil.
  ///   - owner: The user to whom it belongs; the store's user if it is nil.
  public init(
    _ type: RecordType, name: String? = nil, owner: Identity.ID? = nil, _ fields: Metadata = Metadata()
  ) {
    self.init(id: ID(type: type.name, name: name ?? UUID().uuidString), owner: owner, fields)
  }

  /// Makes a record with an identifier, which is in no store until it is saved.
  public init(id: ID, owner: Identity.ID? = nil, _ fields: Metadata = Metadata()) {
    self.id = id
    self.owner = owner
    self.fields = fields
  }

  /// The name of the record's type.
  public var type: String { id.type }

  /// When the record was created, as a `Date`; see ``createdTimestamp`` for the exact value.
  public var createdAt: Date? { createdTimestamp?.date }

  /// When the record was changed last, as a `Date`; see ``updatedTimestamp`` for the exact value.
  public var updatedAt: Date? { updatedTimestamp?.date }

  /// The value of a field; nil if the record has none. To set nil removes it. Nothing is checked until the record is saved.
  /// - Complexity: O(log n) in the number of fields to read, O(n) to set.
  public subscript(field: String) -> MetadataValue? {
    get { fields.value(forKey: field) }
    set { fields.set(newValue, forKey: field) }
  }
}

extension Record: CustomStringConvertible {
  /// The type, the name and the fields.
  public var description: String {
    "record \(id.type.oneLine)/\(id.name.oneLine)" + (fields.isEmpty ? "" : ", fields \(fields)")
  }
}
