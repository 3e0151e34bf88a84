/// A JSON value with exact texts: strings as bytes, numbers as they were written, members in the order given.
enum JSONValue: Equatable, Sendable {
  case null
  case boolean(Bool)
  case number(ByteString)
  case string(ByteString)
  case array([JSONValue])
  case object([Member])

  struct Member: Equatable, Sendable {
    let key: ByteString
    let value: JSONValue
  }

  /// The member of that key, the last one if it is repeated; nil if there is none, it is `null`, or this is no object.
  subscript(key: ByteString) -> JSONValue? {
    guard case .object(let members) = self, let member = members.last(where: { $0.key == key }),
      member.value != .null
    else { return nil }
    return member.value
  }
}

/// The JSON text of a string: the two characters that must be escaped, and the control characters.
func jsonQuoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case _ where scalar.value < 0x20:
      let digits = String(scalar.value, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}
