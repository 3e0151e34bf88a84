/// Values of metadata and of fields of records: the literal's type decides, and a value of another type passes nothing but complements.
extension Predicate.Comparison {
  func customTest(_ operation: Predicate.Operation, _ column: Column) throws -> ValueTest {
    guard column.mayRefer || !operand.refers else { throw unsupported("there are no references") }
    switch operation {
    case .like, .beginsWith, .endsWith, .contains, .autocomplete, .matchesText:
      return try stringTest(operation, column)
    case .isIn, .between:
      let literals = try elements()
      guard Set(try literals.map(type)).count <= 1 else { throw unsupported("operands of several types") }
      if operation == .isIn {
        return { rank in literals.contains { Self.order(column.values[rank], $0) == 0 } }
      }
      guard literals.count == 2 else { throw unsupported("two bounds are needed") }
      guard try type(literals[0]).hasOrder else { throw unsupported("they have no order") }
      return { rank in
        guard let lower = Self.order(column.values[rank], literals[0]),
          let upper = Self.order(column.values[rank], literals[1])
        else { return false }
        return lower >= 0 && upper <= 0
      }
    case .equal where operand.isList:
      guard quantifier == nil else { throw unsupported("an element is no list") }
      let texts = Set(
        try elements().map { literal -> ByteString in
          guard case .string(let text) = literal else { throw unsupported("lists have texts") }
          return text.composed
        })
      return { rank in column.values[rank] == .texts(texts) }
    case .equal, .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard try type(operand).hasOrder || operation == .equal else { throw unsupported("they have no order") }
      return { rank in
        guard let order = Self.order(column.values[rank], operand) else { return false }
        return switch operation {
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        default: order == 0
        }
      }
    case .notEqual, .notIn, .related: throw unsupported("it is not tested by the values alone")
    }
  }

  private enum CustomType {
    case string, number, boolean, date, reference

    var hasOrder: Bool { self != .boolean && self != .reference }
  }

  private func type(_ literal: Predicate.Literal) throws -> CustomType {
    switch literal {
    case .string: return .string
    case .integer, .double: return .number
    case .boolean: return .boolean
    case .date: return .date
    case .reference: return .reference
    case .null, .list, .dictionary: throw unsupported("a single value is needed")
    }
  }

  /// How a value lies to a literal: negative before it, positive after it; nil if they are of different types.
  private static func order(_ value: Value, _ literal: Predicate.Literal) -> Int? {
    switch (value, literal) {
    case (.string(let value), .string(let text)):
      let wanted = text.composed
      return value < wanted ? -1 : value == wanted ? 0 : 1
    case (.integer(let value), .integer(let wanted)): return value < wanted ? -1 : value == wanted ? 0 : 1
    case (.integer(let value), .double(let wanted)): return wanted.isNaN ? nil : value.order(beside: wanted)
    case (.double(let value), .integer(let wanted)): return -wanted.order(beside: value)
    case (.double(let value), .double(let wanted)):
      return value < wanted ? -1 : value == wanted ? 0 : value > wanted ? 1 : nil
    case (.boolean(let value), .boolean(let wanted)): return value == wanted ? 0 : 1
    case (.date(let value), .date(let wanted)): return value < wanted ? -1 : value == wanted ? 0 : 1
    case (.reference(let value), .reference(let wanted)): return value == wanted ? 0 : 1
    default: return nil
    }
  }
}

extension Predicate.Comparison {
  /// The same with all references to an object in the place of a reference by one of its names: it means the object.
  func naming(_ references: [ModelReference: [ModelReference]]) -> Self {
    let operation: Predicate.Operation =
      switch self.operation {
      case .equal, .isIn: .isIn
      case .notEqual, .notIn: .notIn
      default: self.operation
      }
    let isOfOne = operation != self.operation
    guard operation == .isIn || operation == .notIn, isOfOne == operand.isReference else { return self }
    let literals = isOfOne ? [operand] : (try? elements()) ?? []
    let named = literals.flatMap { literal -> [Predicate.Literal] in
      guard case .reference(let reference) = literal else { return [literal] }
      return (references[reference] ?? [reference]).map { .reference($0) }
    }
    guard named.count > literals.count else { return self }
    var result = self
    (result.operation, result.operand) = (operation, .list(named))
    return result
  }
}

extension Predicate.Literal {
  var isList: Bool { if case .list = self { true } else { false } }

  var isReference: Bool { if case .reference = self { true } else { false } }

  /// Whether it is a reference, or has one among its elements.
  fileprivate var refers: Bool {
    if case .list(let elements) = self { elements.contains(where: \.isReference) } else { isReference }
  }

  var isDictionary: Bool { if case .dictionary = self { true } else { false } }
}
