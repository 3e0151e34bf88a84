public import SatchelModel

/// The types of the properties in the closures of `filter` and `order`.
public enum FieldTypes {
  /// A string that is never missing.
  public struct Text: TextualField {
    public typealias Operand = String
    public let propertyPath: [String]
  }

  /// A string that may be missing.
  public struct OptionalText: TextualField, OptionalField {
    public typealias Operand = String
    public let propertyPath: [String]
  }

  /// The identifier of an object, compared byte by byte.
  public struct Identifier<Object>: TextualField {
    public typealias Operand = ObjectID<Object>
    public let propertyPath: [String]
  }

  /// The identifier of an object, compared byte by byte, that may be missing.
  public struct OptionalIdentifier<Object>: TextualField, OptionalField {
    public typealias Operand = ObjectID<Object>
    public let propertyPath: [String]
  }

  /// A whole number.
  public struct Number: NumericField {
    public let propertyPath: [String]
  }

  /// A whole number that may be missing.
  public struct OptionalNumber: NumericField, OptionalField {
    public let propertyPath: [String]
  }

  /// A point in time that may be missing.
  public struct OptionalDate: DateField, OptionalField {
    public let propertyPath: [String]
  }

  /// A Boolean. Used alone as a predicate, it means "is true".
  public struct Boolean: EquatableField, SortableField, PredicateConvertible {
    public typealias Operand = Bool
    public let propertyPath: [String]
    public var predicate: Predicate { compare(.equal, true) }
  }

  /// A Boolean that may be missing. Used alone as a predicate, it means "is true".
  public struct OptionalBoolean: EquatableField, SortableField, OptionalField, PredicateConvertible {
    public typealias Operand = Bool
    public let propertyPath: [String]
    public var predicate: Predicate { compare(.equal, true) }
  }

  /// The delivery status of a message for one user.
  public struct Status: EquatableField, OptionalField {
    public typealias Operand = SatchelModel.RecipientStatus
    public let propertyPath: [String]
  }

  /// The delivery status of each recipient: `recipientStatus["bob"] == .read`.
  public struct Statuses: Sendable {
    let propertyPath: [String]

    public subscript(user: Identity.ID) -> Status { Status(propertyPath: propertyPath + [user.rawValue]) }
  }
}
