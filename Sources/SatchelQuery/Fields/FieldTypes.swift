public import SatchelModel

/// The types of the properties in the closures of `filter` and `order`.
public enum FieldTypes {
  /// A string that is never missing.
  public struct Text: TextualField {
    /// What values of the field are compared with.
    public typealias Operand = String
    /// The names of the key path, from the queried object on.
    public let propertyPath: [String]
  }

  /// A string that may be missing.
  public struct OptionalText: TextualField, OptionalField {
    /// What values of the field are compared with.
    public typealias Operand = String
    /// The names of the key path, from the queried object on.
    public let propertyPath: [String]
  }

  /// The identifier of an object, compared byte by byte.
  public struct Identifier<Object>: TextualField {
    /// What values of the field are compared with.
    public typealias Operand = ObjectID<Object>
    /// The names of the key path, from the queried object on.
    public let propertyPath: [String]
  }

  /// The identifier of an object, compared byte by byte, that may be missing.
  public struct OptionalIdentifier<Object>: TextualField, OptionalField {
    /// What values of the field are compared with.
    public typealias Operand = ObjectID<Object>
    /// The names of the key path, from the queried object on.
    public let propertyPath: [String]
  }

  /// A whole number.
  public struct Number: NumericField {
    /// Sums are whole numbers, too.
    public typealias Sum = Int
    /// The names of the key path, from the queried object on.
    public let propertyPath: [String]
  }

  /// A whole number that may be missing.
  public struct OptionalNumber: NumericField, OptionalField {
    /// Sums are whole numbers, too.
    public typealias Sum = Int
    /// The names of the key path, from the queried object on.
    public let propertyPath: [String]
  }

  /// A point in time that may be missing.
  public struct OptionalDate: DateField, OptionalField {
    /// The names of the key path, from the queried object on.
    public let propertyPath: [String]
  }

  /// A Boolean. Used alone as a predicate, it means "is true".
  public struct Boolean: EquatableField, SortableField, PredicateConvertible {
    /// What values of the field are compared with.
    public typealias Operand = Bool
    /// The names of the key path, from the queried object on.
    public let propertyPath: [String]
    /// Matches objects for which the property is true.
    public var predicate: QueryPredicate { compare(.equal, true) }
  }

  /// A Boolean that may be missing. Used alone as a predicate, it means "is true".
  public struct OptionalBoolean: EquatableField, SortableField, OptionalField, PredicateConvertible {
    /// What values of the field are compared with.
    public typealias Operand = Bool
    /// The names of the key path, from the queried object on.
    public let propertyPath: [String]
    /// Matches objects for which the property is true.
    public var predicate: QueryPredicate { compare(.equal, true) }
  }

  /// The delivery status of a message for one user.
  public struct Status: EquatableField, OptionalField {
    /// What values of the field are compared with.
    public typealias Operand = SatchelModel.RecipientStatus
    /// The names of the key path, from the queried object on.
    public let propertyPath: [String]
  }

  /// One of a few values that have names.
  public struct Enumeration<Value: PredicateConstantConvertible>: EquatableField, SortableField {
    /// What values of the field are compared with.
    public typealias Operand = Value
    /// The names of the key path, from the queried object on.
    public let propertyPath: [String]
  }

  /// One of a few values that have names, which may be missing.
  public struct OptionalEnumeration<Value: PredicateConstantConvertible>: EquatableField, SortableField,
    OptionalField
  {
    /// What values of the field are compared with.
    public typealias Operand = Value
    /// The names of the key path, from the queried object on.
    public let propertyPath: [String]
  }

  /// The delivery status of each recipient: `recipientStatus["bob"] == .read`.
  public struct Statuses: Sendable {
    let propertyPath: [String]

    /// How far the message has been delivered to a user.
    public subscript(user: Identity.ID) -> Status { Status(propertyPath: propertyPath + [user.rawValue]) }
  }
}
