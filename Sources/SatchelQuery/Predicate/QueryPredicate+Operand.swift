public import SatchelModel
import SatchelText

extension QueryPredicate {
  /// A single value.
  public enum Constant: Sendable {
    /// No value: `nil`.
    case null
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case date(Timestamp)
    /// What names an object in a field of a record.
    indirect case reference(Reference)
  }

  /// The value or property that a property is compared with.
  public enum Operand: Sendable {
    /// A single value.
    case constant(Constant)
    /// A list or set of values.
    case list([Constant])
    /// A whole dictionary.
    case dictionary(Metadata)
    /// Another property of the same object.
    case path([String])

    /// No value.
    public static let null = Operand.constant(.null)
    /// A Boolean.
    public static func boolean(_ value: Bool) -> Operand { .constant(.boolean(value)) }
    /// A whole number.
    public static func integer(_ value: Int64) -> Operand { .constant(.integer(value)) }
    /// A number.
    public static func number(_ value: Double) -> Operand { .constant(.number(value)) }
    /// A text.
    public static func text(_ value: String) -> Operand { .constant(.text(value)) }
    /// A point in time.
    public static func date(_ value: Timestamp) -> Operand { .constant(.date(value)) }
    /// What names an object in a field of a record.
    public static func reference(_ value: Reference) -> Operand { .constant(.reference(value)) }
  }
}

extension QueryPredicate.Constant: Hashable {
  /// Whether both are written alike: texts are compared by their bytes, numbers by their bits.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    // Compared by bits, so that equality is reflexive, and two values that print differently are not equal.
    case (.number(let left), .number(let right)): bits(left) == bits(right)
    case (.text(let left), .text(let right)): UTF8Order.areEqual(left, right)
    case (.date(let left), .date(let right)): left == right
    case (.reference(let left), .reference(let right)): left == right
    default: false
    }
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .boolean(let value):
      hasher.combine(1)
      hasher.combine(value)
    case .integer(let value):
      hasher.combine(2)
      hasher.combine(value)
    case .number(let value):
      hasher.combine(3)
      hasher.combine(Self.bits(value))
    case .text(let value):
      hasher.combine(4)
      UTF8Order.hash(value, into: &hasher)
    case .date(let value):
      hasher.combine(5)
      hasher.combine(value)
    case .reference(let value):
      hasher.combine(6)
      hasher.combine(value)
    }
  }

  private static func bits(_ number: Double) -> UInt64 {
    number.isNaN ? Double.nan.bitPattern : number.bitPattern
  }

  /// Whether `left` comes before `right` in an order of all values. It makes the same list of equal sets.
  static func precedes(_ left: Self, _ right: Self) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right
    case (.text(let left), .text(let right)): UTF8Order.isLess(left, right)
    case (.date(let left), .date(let right)): left < right
    case (.reference(let left), .reference(let right)): left < right
    case (.number(let left), .number(let right)): bits(left) < bits(right)
    case (.boolean(let left), .boolean(let right)): !left && right
    default: left.rank < right.rank
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .boolean: 1
    case .integer: 2
    case .number: 3
    case .text: 4
    case .date: 5
    case .reference: 6
    }
  }
}

extension QueryPredicate.Operand: Hashable {
  /// Whether both are written alike: texts are compared by their bytes, numbers by their bits.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.constant(let left), .constant(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    case (.dictionary(let left), .dictionary(let right)): ExactText.areEqual(left, right)
    case (.path(let left), .path(let right)): ExactText.areEqual(left, right)
    default: false
    }
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .constant(let value):
      hasher.combine(0)
      hasher.combine(value)
    case .list(let values):
      hasher.combine(1)
      hasher.combine(values)
    case .dictionary(let metadata):
      hasher.combine(2)
      ExactText.hash(metadata, into: &hasher)
    case .path(let names):
      hasher.combine(3)
      ExactText.hash(names, into: &hasher)
    }
  }
}
