import SatchelText

/// The identifier of an object: an opaque string that is compared, hashed and ordered by its UTF-8 bytes.
///
/// Swift's `String` treats canonically equivalent spellings as equal. Identifiers must not, because the two spellings
/// of "é" may name two users. Every text is valid except the empty one and one with a NUL character.
///
/// A literal is an identifier wherever one is expected: `from: "bob"`. A string that a variable holds is converted, by one
/// spelling everywhere: `from: Identity.ID(name)`, and of several strings `with: names.map { Identity.ID($0) }`.
public struct ObjectID<Object>: Hashable, Sendable, RawRepresentable {
  /// The identifier as it was given.
  public let rawValue: String

  /// Wraps a string. Nothing is checked until the identifier is used in a store.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Wraps a string. Nothing is checked until the identifier is used in a store.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// Wraps a text of any type of string, such as a `Substring`. Nothing is checked until the identifier is used in a
  /// store.
  public init(_ text: some StringProtocol) { self.init(rawValue: String(text)) }

  /// Compares the UTF-8 bytes.
  public static func == (left: Self, right: Self) -> Bool {
    UTF8Order.areEqual(left.rawValue, right.rawValue)
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { UTF8Order.hash(rawValue, into: &hasher) }
}

extension ObjectID: Comparable {
  /// Compares the UTF-8 bytes in lexicographical order.
  public static func < (left: Self, right: Self) -> Bool {
    UTF8Order.isLess(left.rawValue, right.rawValue)
  }
}

extension ObjectID: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Wraps a string. Nothing is checked until the identifier is used in a store.
  public init(stringLiteral value: String) { self.init(rawValue: value) }

  /// The identifier as it was given.
  public var description: String { rawValue }
}

extension ObjectID: Codable {
  /// Decodes a string.
  public init(from decoder: any Decoder) throws {
    self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
  }

  /// Encodes the string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

extension ObjectID: CodingKeyRepresentable {
  /// The identifier as a key: a dictionary by identifiers is coded as an object, not as a list.
  public var codingKey: any CodingKey { TextCodingKey(rawValue) }

  /// Wraps the text of a key.
  public init?(codingKey: some CodingKey) { self.init(rawValue: codingKey.stringValue) }
}
