/// A query that makes no sense: an unknown property, an operator or operand the property does not take, wrong text.
struct QueryError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// A predicate as the predicate language writes it.
indirect enum Predicate: Hashable, Sendable {
  case constant(Bool)
  case and([Predicate])
  case or([Predicate])
  case not(Predicate)
  case comparison(Comparison)
  case pair(Pair)
  /// What any, every or no element at the end of a path meets, each by itself; the paths inside begin there.
  case elements(Quantifier, PropertyPath, Predicate)

  struct Comparison: Hashable, Sendable {
    var path: PropertyPath
    var operation: Operation
    var form: TextForm = []
    var operand: Literal
    /// Without one, a path to many and one to a list mean any element, and the operators that negate mean none.
    var quantifier: Quantifier?
  }

  /// Two properties of one object, compared: some value of the left one with some value of the right one.
  struct Pair: Hashable, Sendable {
    var left: PropertyPath
    var operation: Operation
    var right: PropertyPath
    /// Which of the left values have to compare, each by itself. Without one, the operators that negate mean that none does.
    var quantifier: Quantifier?
  }

  /// Which of an object's several elements a comparison has to hold for, each by itself.
  enum Quantifier: String, CaseIterable, Sendable {
    case anyElement = "ANY"
    case everyElement = "ALL"
    case noElement = "NONE"
  }

  enum Operation: String, CaseIterable, Sendable {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case isIn = "IN"
    case notIn = "NOT IN"
    case between = "BETWEEN"
    case like = "LIKE"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    case autocomplete = "AUTOCOMPLETE"
    case related = "RELATED"
    case matchesText = "MATCHES-TEXT"
  }

  indirect enum Literal: Hashable, Sendable {
    case string(ByteString)
    case integer(Int64)
    case double(Double)
    case boolean(Bool)
    /// Microseconds.
    case date(Int64)
    case reference(ModelReference)
    case null
    case list([Literal])
    case dictionary([ByteString: Literal])
  }
}
