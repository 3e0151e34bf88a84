package import SatchelLines
package import SatchelModel
package import SatchelQuery

/// A value of a property as it is written at a terminal, and read again: so that it is told from a value of another type where the
/// property may have several, and from no value.
package struct TypedValue {
  package let constant: QueryPredicate.Constant
  private let type: ValueType?

  /// What a table has in place of no value.
  private static let none = "(none)"

  /// - Parameter type: The type of the property; nil for a number that is of none.
  package init(_ constant: QueryPredicate.Constant, of type: ValueType?) {
    self.constant = constant
    self.type = type
  }

  /// Reads what ``text`` writes, and null for no value. A text may have the quotation marks of the predicate language, which it
  /// needs where it is read as something else without; of metadata, what is a literal of the language has its type.
  /// - Returns: Nil if the text is no value of the type.
  package init?(_ text: String, of type: ValueType) {
    let literal = Self.literal(text)
    let found: QueryPredicate.Constant? =
      switch (type, literal) {
      case _ where text == Self.none: .null
      case (_, .null?): .null
      case (.custom, _): literal ?? .text(text)
      case (.number, _): Int64(text).map { .integer($0) }
      case (.boolean, _): ["true": true, "false": false][text.lowercased()].map { .boolean($0) }
      case (.date, _): (try? RFC3339.parse(text)).map { .date(Timestamp(microseconds: $0)) }
      case (_, .text(let quoted)?): .text(quoted)
      default: .text(text)
      }
    guard let found else { return nil }
    self.init(found, of: type)
  }

  /// What ``init(_:of:)`` takes for a type, as errors say it.
  package static func expected(of type: ValueType) -> String {
    switch type {
    case .number: "a whole number"
    case .boolean: "true or false"
    case .date: "a date such as 2024-01-03T12:00:00Z"
    case .custom: "a value"
    default: "a text"
    }
  }

  /// Returns the value that a text is in the predicate language by itself; nil if it is none.
  private static func literal(_ text: String) -> QueryPredicate.Constant? {
    guard let predicate = try? QueryPredicate(format: "identifier = " + text),
      case .comparison(let comparison) = predicate.form, case .constant(let constant) = comparison.operand
    else { return nil }
    return constant
  }

  /// The value as the cell of a table: a text as it is, unless it is empty or would be read as another value; a reference as the predicate
  /// language has it.
  package var text: String {
    if case .reference = constant { return constant.description }
    guard case .text(let text) = constant else {
      return constant == .null ? Self.none : ColumnValue(constant).text
    }
    let isItself = !text.isEmpty && TypedValue(text, of: type ?? .text)?.constant == constant
    return isItself ? text : constant.description
  }

  /// Writes the value as JSON: a date of metadata as the interchange format has it, since a text may look like one, and a sum
  /// beyond the range of a Double as 1e999, which is a number of JSON.
  package func write(to writer: inout JSONWriter) {
    switch (type, constant) {
    case (.custom?, .date(let date)): ColumnValue.customDate(date).write(to: &writer)
    case (_, .number(let number)) where number.isInfinite:
      writer.value(.number(JSONNumber(literal: number < 0 ? "-1e999" : "1e999")))
    default: ColumnValue(constant).write(to: &writer)
    }
  }
}

extension ColumnValue {
  fileprivate init(_ constant: QueryPredicate.Constant) {
    switch constant {
    case .null: self = .missing
    case .boolean(let flag): self = .boolean(flag)
    case .integer(let number): self = .number(number)
    case .number(let number): self = .double(number)
    case .text(let text): self = .text(text)
    case .date(let date): self = .date(date)
    case .reference(let reference): self = .reference(reference)
    }
  }
}
