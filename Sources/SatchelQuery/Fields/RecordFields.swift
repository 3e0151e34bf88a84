public import SatchelModel

/// The queryable properties of a record: what every record has, and its fields, each a member or a subscript of its name:
/// `$0.title`, `$0["due in"]`.
@dynamicMemberLookup
public struct RecordFields: Sendable {
  init() {}

  /// What tells the record from others of its type.
  public var identifier: FieldTypes.Text { .init(propertyPath: ["identifier"]) }
  /// The user to whom the record belongs.
  public var owner: FieldTypes.Identifier<Identity> { .init(propertyPath: ["owner"]) }
  /// Who created it.
  public var createdBy: FieldTypes.Identifier<Identity> { .init(propertyPath: ["createdBy"]) }
  /// Who changed it last.
  public var updatedBy: FieldTypes.Identifier<Identity> { .init(propertyPath: ["updatedBy"]) }
  /// When it was created; never missing.
  public var createdAt: FieldTypes.OptionalDate { .init(propertyPath: ["createdAt"]) }
  /// When it was changed last; never missing.
  public var updatedAt: FieldTypes.OptionalDate { .init(propertyPath: ["updatedAt"]) }

  /// A field, declared or not.
  public subscript(dynamicMember field: String) -> FieldTypes.RecordValue { .init(propertyPath: [field]) }
  /// A field, declared or not, by its name.
  public subscript(field: String) -> FieldTypes.RecordValue { .init(propertyPath: [field]) }
}

// What a field of a record compares with, beside numbers, dates and other properties. Identifiers are not among them, because a field may
// have one as a text or as a reference: compare with `id.rawValue`, or with `Reference(id)`. That of a record is a reference.
extension String: FieldOperand {}
extension Substring: FieldOperand {}
extension Bool: FieldOperand {}
extension Reference: FieldOperand {}
extension QueryPredicate.Constant: FieldOperand {}

extension FieldTypes {
  /// A field of a record, or what is under a key path of the dictionary that it has. It is missing if there is no value or a dictionary.
  ///
  /// What it is compared with says of which type the value has to be: a value of another type passes no comparison, and all complements (`!=`,
  /// `notIn`). Used alone as a predicate, it means "is true". References are compared by `==`, `!=`, `in` and `notIn`. A comparison with a text
  /// means of a list that it has such a text: `$0.tags == "urgent"`.
  ///
  /// Sums, periods, lists and groups need a type: `number`, `date`, `boolean`, `list`, `reference`. A key of one of these names is written as a
  /// subscript: `$0.shown["date"]`.
  @dynamicMemberLookup
  public struct RecordValue: MatchableField, NumberOperand, DateOperand, OptionalField,
    PredicateConvertible
  {
    /// The names of the key path, from the record on.
    public let propertyPath: [String]
    /// Matches records whose value is true.
    public var predicate: QueryPredicate { compare(.equal, true) }

    /// The value as a number.
    public var number: MetadataNumber { MetadataNumber(propertyPath: propertyPath) }
    /// The value as a point in time.
    public var date: OptionalDate { OptionalDate(propertyPath: propertyPath) }
    /// The value as a Boolean.
    public var boolean: OptionalBoolean { OptionalBoolean(propertyPath: propertyPath) }
    /// The value as a list of texts.
    public var list: MetadataList { MetadataList(propertyPath: propertyPath) }
    /// The value as a reference.
    public var reference: OptionalReference { OptionalReference(propertyPath: propertyPath) }

    /// The value under one more key of a dictionary.
    public subscript(dynamicMember key: String) -> RecordValue { self[[key]] }
    /// The value under a dotted key path of a dictionary.
    public subscript(keyPath: String) -> RecordValue { self[MetadataPath(dotted: keyPath).keys] }
    /// The value under a path of keys, which may have dots.
    public subscript(keys: [String]) -> RecordValue { RecordValue(propertyPath: propertyPath + keys) }
  }

  /// A reference in a field of a record, which may be missing.
  public struct OptionalReference: EquatableField, SortableField, OptionalField {
    /// What values of the field are compared with.
    public typealias Operand = Reference
    /// The names of the key path, from the record on.
    public let propertyPath: [String]
  }
}

extension FieldTypes.RecordValue {
  /// Matches values that are equal.
  public static func == (field: Self, operand: some FieldOperand) -> QueryPredicate {
    field.compare(.equal, operand.fieldOperand)
  }
  /// Matches all records that `==` does not match, also if the value is missing.
  public static func != (field: Self, operand: some FieldOperand) -> QueryPredicate {
    field.compare(.notEqual, operand.fieldOperand)
  }
  /// Matches values that are less.
  public static func < (field: Self, operand: some FieldOperand) -> QueryPredicate {
    field.compare(.less, operand.fieldOperand)
  }
  /// Matches values that are less or equal.
  public static func <= (field: Self, operand: some FieldOperand) -> QueryPredicate {
    field.compare(.lessOrEqual, operand.fieldOperand)
  }
  /// Matches values that are greater.
  public static func > (field: Self, operand: some FieldOperand) -> QueryPredicate {
    field.compare(.greater, operand.fieldOperand)
  }
  /// Matches values that are greater or equal.
  public static func >= (field: Self, operand: some FieldOperand) -> QueryPredicate {
    field.compare(.greaterOrEqual, operand.fieldOperand)
  }

  /// Matches values that are equal to one of `values`, which have to be of one type.
  public func `in`(_ values: some Sequence<some FieldOperand & PredicateConstantConvertible>)
    -> QueryPredicate
  {
    compare(.in, values)
  }
  /// Matches all records that ``in(_:)`` does not match, also if the value is missing.
  public func notIn(_ values: some Sequence<some FieldOperand & PredicateConstantConvertible>)
    -> QueryPredicate
  {
    compare(.notIn, values)
  }
  /// Matches values from `lower` to `upper`, both included.
  public func between<Bound: FieldOperand & PredicateConstantConvertible>(_ lower: Bound, _ upper: Bound)
    -> QueryPredicate
  {
    compare(.between, [lower, upper])
  }

  /// Matches records with this dictionary in the field, equal by the types and values of all that it has.
  public static func == (field: Self, value: Metadata) -> QueryPredicate {
    field.compare(.equal, .dictionary(value))
  }
  /// Matches all records that `==` does not match, also if the value is missing.
  public static func != (field: Self, value: Metadata) -> QueryPredicate {
    field.compare(.notEqual, .dictionary(value))
  }
}
