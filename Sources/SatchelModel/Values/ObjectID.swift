/// The identifier of an object: an opaque string that is compared, hashed and ordered by its UTF-8 bytes.
///
/// Swift's `String` treats canonically equivalent spellings as equal; identifiers must not, because "é" in its two
/// spellings may name two users. Any text is legal but the empty one and one with a NUL character.
public struct ObjectID<Object>: Hashable, Sendable, RawRepresentable {
  /// The identifier as it was given.
  public let rawValue: String

  /// Wraps a string; nothing is checked until the identifier meets a store.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Wraps a string.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  public static func == (left: Self, right: Self) -> Bool {
    UTF8Order.areEqual(left.rawValue, right.rawValue)
  }

  public func hash(into hasher: inout Hasher) { UTF8Order.hash(rawValue, into: &hasher) }
}

extension ObjectID: Comparable {
  public static func < (left: Self, right: Self) -> Bool {
    UTF8Order.isLess(left.rawValue, right.rawValue)
  }
}

extension ObjectID: ExpressibleByStringLiteral, CustomStringConvertible {
  public init(stringLiteral value: String) { self.init(rawValue: value) }

  public var description: String { rawValue }
}

extension ObjectID: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}
