/// The reason why a line of an interchange file cannot be taken. The reader of the lines knows the line's number.
package struct LineError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong and what would be right, in one line.
  package let reason: String

  package init(_ reason: String) { self.reason = reason }

  package var description: String { reason }

  /// Returns the error for a value whose type is not the one that its key takes.
  package static func type(of key: String, takes expected: String, found value: JSONValue) -> LineError {
    LineError("\(key) takes \(expected), not \(value.typeName)")
  }

  /// Returns the error for a key of metadata that version 1 of the format does not have.
  static func oldKey(_ path: String) -> LineError {
    LineError(
      "\(path) has a key of other characters than A-Z a-z 0-9 _ -, which needs version 2 of the format")
  }

  static func missing(_ key: String) -> LineError { LineError("\(key) is missing") }
}

extension JSONValue {
  /// The name of the value's type, for an error.
  var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "a Boolean"
    case .integer, .whole, .number: "a number"
    case .string: "a text"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
