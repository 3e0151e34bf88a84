import SatchelModel

/// The arguments of a format, which `%@` and `%K` take one after another.
struct FormatArguments {
  private var remaining: ArraySlice<(any Sendable)?>

  init(_ arguments: [(any Sendable)?]) { remaining = arguments[...] }

  var isEmpty: Bool { remaining.isEmpty }

  /// Returns the next argument as a value, or nil if there is none.
  /// - Throws: ``SatchelError`` `invalidValue` if the argument is not a value.
  mutating func nextOperand() throws -> QueryPredicate.Operand? {
    guard !remaining.isEmpty else { return nil }
    return try Self.operand(remaining.removeFirst() as Any)
  }

  /// Returns the next argument as a key path, or nil if there is none. A key path is a text whose names are joined by
  /// dots, or a list of names.
  /// - Throws: ``SatchelError`` `invalidValue` for any other argument, `syntaxError` for a text that is not a path.
  mutating func nextPath() throws -> [String]? {
    guard !remaining.isEmpty else { return nil }
    let argument = Self.unwrapped(remaining.removeFirst() as Any)
    if let names = argument as? [String], !names.isEmpty { return names }
    if let text = argument as? String { return try PredicateParser.path("#" + text) }
    throw Self.invalid(argument, "a key path: a text or a list of texts for %K")
  }

  private static func operand(_ argument: Any) throws -> QueryPredicate.Operand {
    guard let argument = unwrapped(argument) else { return .null }
    switch argument {
    case let value as any PredicateConstantConvertible: return .constant(value.predicateConstant)
    case let metadata as Metadata: return .dictionary(metadata)
    case let texts as [String: String]:
      return .dictionary(Metadata(texts.map { ($0.key, .text($0.value)) }))
    case let operand as QueryPredicate.Operand: return operand
    case let value as MetadataValue:
      switch value {
      case .text(let text): return .text(text)
      case .integer(let value): return .integer(value)
      case .number(let value): return .number(value)
      case .boolean(let value): return .boolean(value)
      case .date(let date): return .date(date)
      case .list(let texts): return .list(texts.map { .text($0) })
      case .dictionary(let metadata): return .dictionary(metadata)
      case .reference(let reference): return .reference(reference)
      }
    case let list as [Any]: return .list(try list.map(constant))
    case let set as Set<AnyHashable>:
      // Sorted, so that equal sets make equal predicates, whatever the order of their hashes.
      return .list(try set.map { try constant($0.base) }.sorted(by: QueryPredicate.Constant.precedes))
    default:
      throw invalid(
        argument, "a string, number, Boolean, date, identifier, reference, metadata, list or set for %@")
    }
  }

  private static func constant(_ argument: Any) throws -> QueryPredicate.Constant {
    guard let argument = unwrapped(argument) else { return .null }
    guard let value = argument as? any PredicateConstantConvertible else {
      throw invalid(argument, "a string, number, Boolean, date, identifier or reference within a list")
    }
    return value.predicateConstant
  }

  private static func invalid(_ argument: Any?, _ expected: String) -> SatchelError {
    SatchelError(
      .invalidValue, "The argument is not a value that a predicate can hold",
      ["argument": argument.map { String(describing: type(of: $0)) } ?? "nil", "expected": expected])
  }

  /// Returns the value within any number of optionals.
  private static func unwrapped(_ value: Any) -> Any? {
    var value = value
    while let optional = value as? any OptionalValue {
      guard let inner = optional.wrapped else { return nil }
      value = inner
    }
    return value
  }
}

/// An optional of any type.
private protocol OptionalValue {
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var wrapped: Any? { map { $0 as Any } }
}
