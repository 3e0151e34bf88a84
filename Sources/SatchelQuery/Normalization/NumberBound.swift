import SatchelModel

/// A number that whole numbers are compared with exactly: a Double is never rounded to an Int64.
enum NumberBound {
  case integer(Int64)
  /// Between this whole number and the next one.
  case after(Int64)
  /// Greater than every Int64.
  case above
  /// Less than every Int64.
  case below
  case notANumber

  init(_ number: Double) {
    if number.isNaN {
      self = .notANumber
    } else if number >= 0x1p63 {
      self = .above
    } else if number < -0x1p63 {
      self = .below
    } else {
      let floor = number.rounded(.down)
      self = floor == number ? .integer(Int64(floor)) : .after(Int64(floor))
    }
  }

  /// Returns the integers that pass an operator; for `!=`, the integers that are equal to the number.
  func values(_ operator: QueryPredicate.Operator) -> IntegerSet {
    switch `operator` {
    case .less, .lessOrEqual: below(includingEqual: `operator` == .lessOrEqual)
    case .greater, .greaterOrEqual: above(includingEqual: `operator` == .greaterOrEqual)
    default: if case .integer(let value) = self { IntegerSet(value) } else { .empty }
    }
  }

  private func below(includingEqual: Bool) -> IntegerSet {
    switch self {
    case .integer(let value):
      includingEqual ? IntegerSet(.min...value) : value == .min ? .empty : IntegerSet(.min...(value - 1))
    case .after(let value): IntegerSet(.min...value)
    case .above: .all
    case .below, .notANumber: .empty
    }
  }

  private func above(includingEqual: Bool) -> IntegerSet {
    switch self {
    case .integer(let value):
      includingEqual ? IntegerSet(value ... .max) : value == .max ? .empty : IntegerSet((value + 1) ... .max)
    // A Double with a fraction is far below Int64.max: Doubles near Int64.max have no fraction.
    case .after(let value): IntegerSet((value + 1) ... .max)
    case .below: .all
    case .above, .notANumber: .empty
    }
  }
}
