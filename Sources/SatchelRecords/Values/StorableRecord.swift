public import SatchelModel
import SatchelText

/// A value of one of the program's own types that a store keeps as a record.
///
/// ```swift
/// struct Todo: StorableRecord {
///   static let recordType = RecordType("todo") {
///     $0.text("title")
///     $0.boolean("done")
///     $0.date("due")
///   }
///   var id = UUID()
///   var title: String
///   var done = false
///   var due: Date?
/// }
/// ```
///
/// Its `Codable` form are the record's fields: what it encodes under a key is the field of that name.
///
/// | in the value | in the field |
/// | --- | --- |
/// | `String`, an enumeration of raw texts, `URL`, `UUID` | a text |
/// | `Int` and the other integers | a whole number |
/// | `Double`, `Float` | a number |
/// | `Bool` | a Boolean |
/// | `Date`, ``Timestamp`` | a date, to the microsecond |
/// | `[String]`, and lists and sets of what is a text | a list of texts |
/// | ``Reference`` | a reference |
/// | a value of several keys, `[String: Int]`, ``Metadata`` | a dictionary |
/// | nil | no field |
///
/// A field holds nothing else: bytes, lists of other values than texts, integers beyond those of `Int64` and numbers that are not
/// finite are refused with `invalidValue`, which names the coding path.
///
/// The identifier, which is a text, an integer, a `UUID` or a ``Reference`` to a record of the type, is the record's name and no field, under whichever of
/// the keys `id` and `identifier` it is encoded; but for a declared field `id`, which is one. The keys `owner`, `createdAt`, `createdBy`,
/// `updatedAt` and `updatedBy` stand for what every record has: a value reads them, and of what it writes the owner is taken.
public protocol StorableRecord: Codable, Identifiable, Sendable where ID: Codable {
  /// The type of the records, which has to be declared in a store that keeps values of this type.
  static var recordType: RecordType { get }
}

extension Reference {
  /// Refers to the record of a value.
  /// - Throws: ``SatchelError`` `invalidIdentifier` if the value's identifier can be no name of a record.
  public init<Value: StorableRecord>(_ value: Value) throws { try self.init(Value.self, value.id) }

  /// Refers to the record of the value with an identifier: `Reference(Todo.self, id)`.
  /// - Throws: ``SatchelError`` `invalidIdentifier` if the identifier can be no name of a record.
  public init<Value: StorableRecord>(_ type: Value.Type, _ id: Value.ID) throws {
    let recordType = Value.recordType.name
    let node = FieldNode()
    var encoded: MetadataValue?
    do {
      try node.encode(id, at: [])
      encoded = try node.value(at: [])
    } catch is SatchelError {
      // It is no value of a field either.
    }
    guard let name = encoded.flatMap({ Self.name($0, in: recordType) }) else {
      throw SatchelError(
        .invalidIdentifier,
        "The identifier of a value that is kept as a record is a text, an integer, a UUID or a reference to a record of the type",
        [
          "recordType": recordType, "type": "\(Value.self)",
          "found": encoded.map { "\($0.nameOfType) \($0)" } ?? "\(Value.ID.self)",
        ])
    }
    self.init(type: recordType, name: name)
  }

  /// Returns the name of a record that an identifier stands for, in coded form; nil if it stands for none.
  fileprivate static func name(_ value: MetadataValue, in recordType: String) -> String? {
    switch value {
    case .text(let text): text
    case .integer(let integer): String(integer)
    case .reference(let reference) where UTF8Order.areEqual(reference.type, recordType): reference.name
    case .number, .boolean, .date, .list, .dictionary, .reference: nil
    }
  }
}

extension Record {
  /// Makes the record of a value, which is in no store until it is saved.
  /// - Throws: ``SatchelError`` `invalidIdentifier`; `invalidValue` for what no field can hold, which names the coding path; what the value
  ///   throws when it is encoded.
  public init<Value: StorableRecord>(_ value: Value) throws {
    let type = Value.recordType
    let id = try Reference(value)
    let node = FieldNode()
    let fields: MetadataValue?
    do {
      try value.encode(to: FieldEncoder(node: node, codingPath: []))
      fields = try node.value(at: [])
    } catch let error as SatchelError {
      throw error.adding(["recordType": type.name])
    } catch EncodingError.invalidValue(_, let context) {
      throw SatchelError(
        .invalidValue, "The value cannot be encoded as the fields of a record",
        [
          "recordType": type.name, "field": context.codingPath.spelled,
          "reason": context.debugDescription,
        ])
    }
    guard case .dictionary(let coded)? = fields else {
      throw SatchelError(
        .invalidValue, "A value that is kept as a record is encoded as keys and values",
        ["recordType": type.name, "found": fields?.nameOfType ?? "nothing"])
    }
    var owner: Identity.ID?
    // What differs from what the record says of itself stays a field: that of a reserved name is refused when it is saved.
    let kept = coded.entries.filter { entry in
      switch entry.key {
      case "createdAt", "createdBy", "updatedAt", "updatedBy": return false
      case "id" where type.field(named: entry.key) == nil, "identifier":
        return Reference.name(entry.value, in: type.name).map { !UTF8Order.areEqual($0, id.name) } ?? true
      case "owner":
        guard case .text(let user) = entry.value else { return true }
        owner = Identity.ID(user)
        return false
      default: return true
      }
    }
    self.init(id: id, owner: owner, Metadata(ascending: kept))
  }

  /// Returns the value that the record is the record of.
  /// - Throws: ``SatchelError`` `invalidValue`, which names the record, the field and both types, if the record is none: it is of another
  ///   type, or lacks a field that the value needs, or has a value in it that the value has no room for; what the value throws when it is
  ///   decoded.
  public func value<Value: StorableRecord>(as type: Value.Type) throws -> Value {
    guard UTF8Order.areEqual(id.type, Value.recordType.name) else {
      throw SatchelError(
        .invalidValue, "The record is of another type than the values",
        ["record": id.description, "type": "\(Value.self)", "expected": Value.recordType.name])
    }
    do {
      return try Value(from: FieldDecoder(source: .record(self), codingPath: []))
    } catch let error as DecodingError {
      let context: DecodingError.Context? =
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
          .dataCorrupted(let context):
          context
        @unknown default: nil
        }
      throw SatchelError(
        .invalidValue, "The record cannot be decoded as a value of the type",
        [
          "record": id.description, "type": "\(Value.self)", "field": context?.codingPath.spelled ?? "",
          "reason": context?.debugDescription ?? "\(error)",
        ])
    }
  }
}

extension [any CodingKey] {
  /// The names of the keys as a key path.
  var spelled: String { map(\.stringValue).spelledPath }
}
