/// One JSON value, exactly as it was written.
///
/// Strings hold the bytes they were given (after escapes are resolved). Swift's `==` on `String` treats canonically
/// equivalent strings as equal, which is wrong for identifiers and keys: `é` composed and `é` decomposed are two user
/// ids. So everything in this folder compares strings by their UTF-8 bytes, also `==` on `JSONValue`.
package enum JSONValue: Sendable {
  case null
  case bool(Bool)
  /// A number whose value is integral and fits, written as digits alone: `12`.
  case integer(Int64)
  /// The same with a point or an exponent, `12.0` or `1.2e1`, which is equal.
  case whole(Int64, JSONNumber)
  /// Any other number.
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

/// A number that is not an `Int64`: its spelling, which is exact, and the nearest `Double`.
package struct JSONNumber: Sendable {
  /// The number as it was written in the text.
  package let literal: String

  /// The nearest `Double`; infinite if the number is beyond the largest.
  package var double: Double { Double(literal) ?? .nan }

  /// - Parameter literal: a number in JSON's grammar.
  package init(literal: String) {
    self.literal = literal
  }
}

/// The members of a JSON object in the order of the text. No two keys have the same bytes.
package struct JSONObject: Sendable {
  package struct Member: Sendable {
    package let key: String
    package let value: JSONValue
    /// The key, if it is known and the object's shape names it.
    let known: KnownKey?

    package init(key: String, value: JSONValue) { self.init(key: key, value: value, known: nil) }

    init(key: String, value: JSONValue, known: KnownKey?) {
      self.key = key
      self.value = value
      self.known = known
    }
  }

  package let members: [Member]

  /// - Parameter members: members whose keys differ in their bytes.
  package init(members: [Member]) {
    self.members = members
  }

  /// Returns the value of `key`, or nil. The search is linear, since objects of the format have about ten members.
  package subscript(key: String) -> JSONValue? {
    for member in members where member.key.hasSameBytes(as: key) {
      return member.value
    }
    return nil
  }

  /// Returns the value of a key that the object's shape names, or nil.
  subscript(known key: KnownKey) -> JSONValue? {
    for member in members where member.known == .some(key) { return member.value }
    return nil
  }
}

extension JSONValue: Equatable {
  package static func == (a: JSONValue, b: JSONValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)), (.integer(let a), .whole(let b, _)),
      (.whole(let a, _), .integer(let b)), (.whole(let a, _), .whole(let b, _)):
      a == b
    case (.number(let a), .number(let b)): a.literal.hasSameBytes(as: b.literal)
    case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    default: false
    }
  }
}

/// Objects are equal if they have the same members in the same order.
extension JSONObject: Equatable {
  package static func == (a: JSONObject, b: JSONObject) -> Bool {
    a.members.count == b.members.count
      && zip(a.members, b.members).allSatisfy { $0.key.hasSameBytes(as: $1.key) && $0.value == $1.value }
  }
}

extension String {
  /// Returns whether both strings are the same sequence of Unicode scalars. Swift's `==` is less strict.
  package func hasSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }
}
