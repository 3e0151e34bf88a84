import SatchelModel

/// A value of JSON, in which Skygear writes predicates as lists: `["eq", {"$type": "keypath", "$val": "title"}, "Work"]`.
enum SkygearJSON: Decodable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
  case list([SkygearJSON])
  case object([String: SkygearJSON])

  /// More than the levels of any predicate: what is decoded can be recursed over.
  private static let maximumDepth = 256

  init(from decoder: any Decoder) throws {
    guard decoder.codingPath.count <= Self.maximumDepth else {
      throw SkygearError.syntax(
        "at most \(Self.maximumDepth) lists and objects in one another", found: "more levels")
    }
    // The most frequent values first, because an attempt that fails is slow.
    let value = try decoder.singleValueContainer()
    if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let number = try? value.decode(Int64.self) {
      self = .integer(number)
    } else if var list = try? decoder.unkeyedContainer() {
      var elements: [SkygearJSON] = []
      while !list.isAtEnd { elements.append(try list.decode(SkygearJSON.self)) }
      self = .list(elements)
    } else if let object = try? decoder.container(keyedBy: TextCodingKey.self) {
      var members: [String: SkygearJSON] = [:]
      for key in object.allKeys {
        members[key.stringValue] = try object.decode(SkygearJSON.self, forKey: key)
      }
      self = .object(members)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let truth = try? value.decode(Bool.self) {
      self = .boolean(truth)
    } else if value.decodeNil() {
      self = .null
    } else {
      throw SkygearError.syntax("a value that a number, a text or a Boolean can hold", found: "another one")
    }
  }

  /// The value in an error.
  var kind: String {
    switch self {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .text(let text): "'\(text)'"
    case .list(let list): "a list of \(list.count)"
    case .object(let members): "an object with " + members.keys.sorted().prefix(4).joined(separator: ", ")
    }
  }
}

/// Errors of Skygear's queries.
enum SkygearError {
  /// What is not in the form that Skygear's queries have.
  static func syntax(_ expected: String, found: String) -> SatchelError {
    SatchelError(
      .syntaxError, "This is not a query in Skygear's JSON", ["expected": expected, "found": found])
  }

  /// What Skygear has and a store has not.
  static func refused(_ reason: StaticString, _ found: String, instead: String) -> SatchelError {
    SatchelError(.notAvailable, reason, ["found": found, "instead": instead])
  }
}
