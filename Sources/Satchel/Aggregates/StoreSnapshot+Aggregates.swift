import SatchelCoding
import SatchelStorage

extension StoreSnapshot {
  /// What a group of an aggregate comes to; 0 where there is none. `nil` is the group of the objects without a value.
  ///
  /// - Complexity: O(log n). Inside a write also O(changed objects), once after each change.
  /// - Throws: ``SatchelError`` `unknownAggregate`, or `aggregateExists` where the name stands for something else.
  public func value<Object, Group>(of aggregate: Aggregate<Object, Group>, for group: Group?) throws -> Int {
    try value(of: aggregate.untyped, for: group?.groupConstant ?? .null)
  }

  /// What an aggregate without groups comes to.
  /// - Throws: As for one with groups.
  public func value<Object>(of aggregate: Aggregate<Object, Never>) throws -> Int {
    try value(of: aggregate, for: nil)
  }

  /// All groups of an aggregate that do not come to 0: `nil` first, the others ascending.
  /// - Complexity: O(groups).
  /// - Throws: As ``value(of:for:)``.
  public func values<Object, Group>(of aggregate: Aggregate<Object, Group>) throws -> [AggregateValue<Group>]
  {
    try values(of: aggregate.untyped).map { constant, value in
      if case .null = constant { return AggregateValue(group: nil, value: value) }
      guard let group = Group(groupConstant: constant) else {
        throw SatchelError(
          .corrupted, "A group of the aggregate has a value of another type", ["aggregate": aggregate.name])
      }
      return AggregateValue(group: group, value: value)
    }
  }

  /// What a group of an aggregate comes to.
  /// - Throws: As for a typed one, and `invalidValue` for a value of another type than the groups'.
  public func value(of aggregate: AggregateDescription, for group: Predicate.Constant) throws -> Int {
    try perform {
      Int(try base.total(of: declared(aggregate), in: AggregateGroup(group, of: aggregate)))
    }
  }

  /// All groups of an aggregate that do not come to 0, ascending.
  public func values(of aggregate: AggregateDescription) throws -> [(group: Predicate.Constant, value: Int)] {
    try perform {
      let type = try aggregate.groupType
      var values: [(group: Predicate.Constant, value: Int)] = []
      try base.forEachTotal(of: declared(aggregate)) { group, total in
        values.append((group.constant(of: type), Int(total)))
        return true
      }
      return values
    }
  }

  /// What is declared, in the order of the declarations.
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
  /// The type of the values that tell its groups apart; nil without groups.
  var groupType: ValueType? {
    get throws { try group.map { try Property(path: $0, of: kind).type } }
  }
}

extension AggregateGroup {
  /// The group of a value.
  /// - Throws: ``SatchelError`` `invalidValue` for one that the groups of the aggregate do not have.
  init(_ constant: Predicate.Constant, of aggregate: AggregateDescription) throws {
    switch (constant, try aggregate.groupType) {
    case (.null, _): self = .missing
    case (.boolean(let flag), .boolean?): self = .integer(flag ? 1 : 0)
    case (.integer(let number), .number?): self = .integer(number)
    case (.date(let date), .date?): self = .integer(date.microseconds)
    case (.text(let text), .text?): self.init(NFC.bytes(text))
    case (.text(let text), .bytes?): self.init(text.utf8)
    default:
      throw SatchelError(
        .invalidValue, "The groups of the aggregate have values of another type",
        ["aggregate": aggregate.description, "value": "\(constant)"])
    }
  }

  /// The value of a group.
  func constant(of type: ValueType?) -> Predicate.Constant {
    switch (self, type) {
    case (.missing, _): .null
    case (.integer(let number), .boolean?): .boolean(number != 0)
    case (.integer(let number), .date?): .date(Timestamp(microseconds: number))
    case (.integer(let number), _): .integer(number)
    case (.text(let bytes), _): .text(String(decoding: bytes, as: UTF8.self))
    }
  }
}
