/// A value as SQLite has it. Texts are bytes: their order and their equality are those of the UTF-8.
enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case bytes(ByteString)

  init(_ text: ByteString?) {
    self = text.map { .bytes($0) } ?? .null
  }

  init(_ number: Int64?) {
    self = number.map { .integer($0) } ?? .null
  }

  init(_ flag: Bool) {
    self = .integer(flag ? 1 : 0)
  }
}

/// A piece of SQL with the values of its parameters, in the order in which they stand in it.
struct SQL: ExpressibleByStringInterpolation {
  private(set) var text: String
  private(set) var values: [SQLValue] = []

  init(stringLiteral value: String) {
    text = value
  }

  init(stringInterpolation: StringInterpolation) {
    self = stringInterpolation.sql
  }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var sql = SQL(stringLiteral: "")

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) {
      sql.text += literal
    }

    mutating func appendInterpolation(_ piece: SQL) {
      sql.text += piece.text
      sql.values += piece.values
    }

    mutating func appendInterpolation(bind value: SQLValue) {
      sql.text += "?"
      sql.values.append(value)
    }
  }
}

extension [SQL] {
  func joined(by separator: String) -> SQL {
    guard let first else { return "" }
    return dropFirst().reduce(first) { "\($0)\(SQL(stringLiteral: separator))\($1)" }
  }
}
