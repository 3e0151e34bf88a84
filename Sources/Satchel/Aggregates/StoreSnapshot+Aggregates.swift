import SatchelCoding
import SatchelReading
import SatchelStorage
import SatchelText

extension StoreSnapshot {
  /// Returns the value of a group of an aggregate. Where nothing counts it is 0, or nil if it is a minimum or a maximum.
  ///
  /// - Parameters:
  ///   - aggregate: A declared aggregate.
  ///   - group: The group; nil for the group of the objects without a value.
  /// - Complexity: O(log n). Inside a write, also O(changed objects), once after each change.
  /// - Throws: ``SatchelError`` `unknownAggregate`, or `aggregateExists` if a different aggregate has the name.
  public func value<Object, Group, Value>(
    of aggregate: Aggregate<Object, Group, Value>, for group: Group?
  ) throws -> Value {
    try typed(
      value(of: aggregate.untyped, for: group?.groupConstant ?? .null, among: aggregate.values), aggregate)
  }

  /// Returns the value of an aggregate without groups.
  /// - Complexity: As for an aggregate with groups.
  /// - Throws: As for an aggregate with groups.
  public func value<Object, Value>(of aggregate: Aggregate<Object, Never, Value>) throws -> Value {
    try value(of: aggregate, for: nil)
  }

  /// Returns all groups of an aggregate whose value is neither 0 nor nil: `nil` first, the others in ascending order.
  /// - Complexity: O(groups).
  /// - Throws: ``SatchelError`` `unknownAggregate`; `aggregateExists` if a different aggregate has the name; `invalidValue` if
  ///   objects are grouped by a value of metadata, and some have one of another type.
  public func values<Object, Group, Value>(
    of aggregate: Aggregate<Object, Group, Value>
  ) throws -> [AggregateValue<Group, Value>] {
    try values(of: aggregate.untyped, among: aggregate.values).map { constant, value in
      let value = try typed(value, aggregate)
      if case .null = constant { return AggregateValue(group: nil, value: value) }
      guard let group = Group(groupConstant: constant) else {
        // Only metadata has values of several types.
        throw SatchelError(
          .invalidValue,
          "A group of the aggregate has a value of another type: ask for its groups without types",
          ["aggregate": aggregate.name, "value": "\(constant)"])
      }
      return AggregateValue(group: group, value: value)
    }
  }

  private func typed<Object, Group, Value>(
    _ constant: QueryPredicate.Constant, _ aggregate: Aggregate<Object, Group, Value>
  ) throws -> Value {
    guard let value = Value(aggregated: constant) else {
      throw SatchelError(
        .invalidValue, "The value of the aggregate has another type: ask for it without types",
        ["aggregate": aggregate.name, "value": "\(constant)"])
    }
    return value
  }

  /// Returns the value of a group of an aggregate without types. Where nothing counts it is the integer 0, or `null` if it is a
  /// minimum or a maximum. A sum of numbers of metadata is an integer if it is one that `Int64` has, and otherwise a number. A
  /// minimum or a maximum of metadata is of the values of all types.
  /// - Parameters:
  ///   - aggregate: A declared aggregate.
  ///   - group: The value of the group; `null` for the group of the objects without a value.
  /// - Complexity: As for an aggregate with types.
  /// - Throws: As for an aggregate with types, and `invalidValue` for a value of another type than the groups have.
  public func value(
    of aggregate: AggregateDescription, for group: QueryPredicate.Constant
  ) throws -> QueryPredicate.Constant {
    try value(of: aggregate, for: group, among: .all)
  }

  private func value(
    of aggregate: AggregateDescription, for group: QueryPredicate.Constant,
    among values: AggregateGroup.Values
  ) throws -> QueryPredicate.Constant {
    try perform {
      let result = try base.result(
        of: declared(aggregate), in: AggregateGroup(group, of: aggregate), among: values)
      return result.constant(of: try aggregate.measuredType)
    }
  }

  /// Returns all groups of an aggregate without types whose value is neither 0 nor `null`: `null` first, the others in ascending
  /// order. The values are those of `value(of:for:)`.
  /// - Complexity: O(groups).
  /// - Throws: As for an aggregate with types.
  public func values(of aggregate: AggregateDescription) throws -> [(
    group: QueryPredicate.Constant, value: QueryPredicate.Constant
  )] {
    try values(of: aggregate, among: .all)
  }

  private func values(
    of aggregate: AggregateDescription, among kept: AggregateGroup.Values
  ) throws -> [(group: QueryPredicate.Constant, value: QueryPredicate.Constant)] {
    try perform {
      let (type, measuredType) = (try aggregate.groupType, try aggregate.measuredType)
      var values: [(group: QueryPredicate.Constant, value: QueryPredicate.Constant)] = []
      try base.forEachResult(of: declared(aggregate), among: kept) { group, result in
        values.append((group.constant(of: type), result.constant(of: measuredType)))
        return true
      }
      return values
    }
  }

  /// Returns the aggregates that are declared, in the order of their declarations.
  /// - Throws: ``SatchelError`` `syntaxError` if a newer version declared one that this version cannot read.
  public func aggregates() throws -> [AggregateDescription] {
    try perform { try base.aggregates().map { try AggregateDescription($0.entry) } }
  }

  private func declared(_ aggregate: AggregateDescription) throws -> DeclaredAggregate {
    let entry = aggregate.entry
    guard let declared = try base.aggregate(named: entry.name) else {
      throw SatchelError(
        .unknownAggregate, "No aggregate of that name is declared: declare it first",
        ["aggregate": aggregate.name])
    }
    guard declared.entry == entry else { throw declared.conflict }
    return declared
  }
}

extension AggregateDescription {
  /// The type of the values that distinguish the groups; nil for an aggregate without groups.
  var groupType: ValueType? {
    get throws { try group.map { try ObjectProperty(path: $0, of: kind).type } }
  }

  /// The type of the values that are measured; nil if objects are counted.
  var measuredType: ValueType? {
    get throws { try measure.words.map { try ObjectProperty(path: $0.path, of: kind).type } }
  }
}

extension Aggregate {
  /// The values that a minimum or a maximum is of. Those of metadata are of several types, of which `Value` is one.
  fileprivate var values: AggregateGroup.Values {
    guard (try? untyped.measuredType) == .custom else { return .all }
    return switch Value.self {
    case is Bool?.Type: .booleans
    case is Double?.Type: .numbers
    case is Timestamp?.Type: .dates
    case is String?.Type: .texts
    default: .all
    }
  }
}

extension AggregateResult {
  /// Returns what the group comes to as a constant.
  /// - Parameter type: The type of the values that a minimum or a maximum is of.
  func constant(of type: ValueType?) -> QueryPredicate.Constant {
    switch self {
    case .total(let total): .integer(total)
    case .sum(let sum): sum.constant
    case .value(let value): value.constant(of: type)
    }
  }
}

extension MetadataScalar {
  fileprivate var constant: QueryPredicate.Constant {
    switch self {
    case .boolean(let value): .boolean(value)
    case .integer(let value): .integer(value)
    case .number(let bits): .number(Double(bitPattern: bits))
    case .date(let microseconds): .date(Timestamp(microseconds: microseconds))
    }
  }
}

extension AggregateGroup {
  /// Makes the group of a value.
  /// - Throws: ``SatchelError`` `invalidValue` if the groups of the aggregate have values of another type.
  init(_ constant: QueryPredicate.Constant, of aggregate: AggregateDescription) throws {
    switch (constant, try aggregate.groupType) {
    case (.null, _): self = .missing
    case (.boolean(let flag), .boolean?): self = .integer(flag ? 1 : 0)
    case (.integer(let number), .number?): self = .integer(number)
    case (.date(let date), .date?): self = .integer(date.microseconds)
    case (.text(let text), .text?), (.text(let text), .custom?): self.init(NFC.bytes(text))
    case (.boolean(let value), .custom?): self = .scalar(ValueKey(value))
    case (.integer(let value), .custom?): self = .scalar(ValueKey(value))
    case (.date(let date), .custom?): self = .scalar(ValueKey(date: date.microseconds))
    case (.number(let value), .custom?) where value.isFinite:
      // No finite number lacks a key.
      self = ValueKey(value).map { .scalar($0) } ?? .missing
    case (.reference(let reference), .custom?): self = .reference(reference.keyBytes)
    case (.text(let text), .bytes?): self.init(text.utf8)
    case (.text(let text), .enumeration(let enumeration)?):
      guard let number = enumeration.number(of: text) else { fallthrough }
      self = .integer(Int64(number))
    default:
      throw SatchelError(
        .invalidValue, "The groups of the aggregate have values of another type",
        ["aggregate": aggregate.description, "value": "\(constant)"])
    }
  }

  /// Returns the value of the group as a constant.
  func constant(of type: ValueType?) -> QueryPredicate.Constant {
    switch (self, type) {
    case (.missing, _): .null
    case (.integer(let number), .boolean?): .boolean(number != 0)
    case (.integer(let number), .date?): .date(Timestamp(microseconds: number))
    case (.integer(let number), .enumeration(let enumeration)?):
      enumeration.name(of: number).map { .text($0) } ?? .integer(number)
    case (.integer(let number), _): .integer(number)
    case (.scalar(let key), _): key.value?.constant ?? .null
    case (.text(let bytes), _): .text(String(decoding: bytes, as: UTF8.self))
    case (.reference(let bytes), _):
      unsafe bytes.withUnsafeBytes { unsafe Reference(keyBytes: $0) }.map { .reference($0) } ?? .null
    }
  }
}
