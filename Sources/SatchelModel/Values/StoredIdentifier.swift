/// The identifier of an object that queries return: an ``ObjectID``, or a ``Reference`` that names a record.
public protocol StoredIdentifier: Hashable, Sendable {
  /// What tells the object from the others of its kind; a record, from the others of its type.
  var identifier: String { get }
  /// The name of the record type; nil of other kinds of objects.
  var recordType: String? { get }
  /// Makes the identifier of an object. Only the store calls it.
  /// - Parameter recordType: The name of the record type; nil of other kinds of objects.
  init(identifier: String, recordType: String?)
}

extension ObjectID: StoredIdentifier {
  /// The identifier as it was given.
  public var identifier: String { rawValue }
  /// Nil: the objects of a kind have one type.
  public var recordType: String? { nil }
  /// Wraps an identifier.
  public init(identifier: String, recordType: String?) { self.init(rawValue: identifier) }
}

extension Reference: StoredIdentifier {
  /// The name of the object.
  public var identifier: String { name }
  /// The type of the object.
  public var recordType: String? { type }
  /// Makes a reference of a type's name and an identifier.
  public init(identifier: String, recordType: String?) {
    self.init(type: recordType ?? "", name: identifier)
  }
}
