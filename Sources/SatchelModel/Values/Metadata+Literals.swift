#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a literal of metadata, or of the fields of a record, may hold, and what is set at a key path: texts, numbers, Booleans, dates,
/// lists of texts, references, dictionaries of all these, and metadata.
public protocol MetadataConvertible {
  /// The value.
  var metadataValue: MetadataValue { get }
}

extension MetadataConvertible where Self == MetadataValue {
  // `.text(…)`, `.dictionary(…)` and the like in a literal. Where the type is known already, they are the cases themselves.

  /// Makes a text.
  @_disfavoredOverload
  public static func text(_ text: String) -> MetadataValue { MetadataValue.text(text) }

  /// Makes a whole number.
  @_disfavoredOverload
  public static func integer(_ value: Int64) -> MetadataValue { MetadataValue.integer(value) }

  /// Makes a number.
  @_disfavoredOverload
  public static func number(_ value: Double) -> MetadataValue { MetadataValue.number(value) }

  /// Makes a Boolean.
  @_disfavoredOverload
  public static func boolean(_ value: Bool) -> MetadataValue { MetadataValue.boolean(value) }

  /// Makes a date.
  @_disfavoredOverload
  public static func date(_ date: Timestamp) -> MetadataValue { MetadataValue.date(date) }

  /// Makes a list of texts.
  @_disfavoredOverload
  public static func list(_ texts: [String]) -> MetadataValue { MetadataValue.list(texts) }

  /// Makes a reference to an object.
  @_disfavoredOverload
  public static func reference(_ reference: Reference) -> MetadataValue { MetadataValue.reference(reference) }

  /// Makes a nested dictionary.
  @_disfavoredOverload
  public static func dictionary(_ metadata: Metadata) -> MetadataValue { MetadataValue.dictionary(metadata) }
}

extension Reference: MetadataConvertible {
  /// The reference.
  public var metadataValue: MetadataValue { .reference(self) }
}

extension String: MetadataConvertible {
  /// The text.
  public var metadataValue: MetadataValue { .text(self) }
}

extension Substring: MetadataConvertible {
  /// The text.
  public var metadataValue: MetadataValue { .text(String(self)) }
}

extension BinaryInteger where Self: MetadataConvertible {
  /// The whole number.
  public var metadataValue: MetadataValue { .integer(Int64(self)) }
}

// Not UInt and UInt64, some of whose values are no Int64.
extension Int: MetadataConvertible {}
extension Int8: MetadataConvertible {}
extension Int16: MetadataConvertible {}
extension Int32: MetadataConvertible {}
extension Int64: MetadataConvertible {}
extension UInt8: MetadataConvertible {}
extension UInt16: MetadataConvertible {}
extension UInt32: MetadataConvertible {}

extension Double: MetadataConvertible {
  /// The number. No store takes one that is not finite.
  public var metadataValue: MetadataValue { .number(self) }
}

extension Float: MetadataConvertible {
  /// The number. No store takes one that is not finite.
  public var metadataValue: MetadataValue { .number(Double(self)) }
}

extension Bool: MetadataConvertible {
  /// The Boolean.
  public var metadataValue: MetadataValue { .boolean(self) }
}

extension Date: MetadataConvertible {
  /// The date, rounded to the nearest microsecond.
  public var metadataValue: MetadataValue { .date(Timestamp(self)) }
}

extension Timestamp: MetadataConvertible {
  /// The date.
  public var metadataValue: MetadataValue { .date(self) }
}

extension Array: MetadataConvertible where Element == String {
  /// The list of texts.
  public var metadataValue: MetadataValue { .list(self) }
}

extension Dictionary: MetadataConvertible where Key == String, Value == any MetadataConvertible {
  // By this conformance a dictionary literal inside a literal of metadata may hold values of several types together.

  /// The dictionary.
  public var metadataValue: MetadataValue {
    .dictionary(Metadata(map { ($0.key, $0.value.metadataValue) }))
  }
}

extension Metadata: MetadataConvertible {
  /// The metadata as a nested dictionary.
  public var metadataValue: MetadataValue { .dictionary(self) }

  /// Makes metadata of a dictionary, such as a `[String: String]`. Nothing is checked until the metadata is used in a
  /// store.
  public init(_ values: [String: some MetadataConvertible]) {
    self.init(values.map { ($0.key, $0.value.metadataValue) })
  }
}

extension MetadataValue: MetadataConvertible {
  /// The value itself.
  public var metadataValue: MetadataValue { self }
}

extension Metadata: ExpressibleByDictionaryLiteral {
  /// Makes metadata of keys and values; of two values of one key the later one is kept, but a nested literal traps if a key
  /// occurs twice in it, like any dictionary. Nothing else is checked until the metadata is used in a store.
  public init(dictionaryLiteral elements: (String, any MetadataConvertible)...) {
    self.init(elements.map { ($0.0, $0.1.metadataValue) })
  }
}

extension MetadataValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Makes a text.
  public init(stringLiteral value: String) { self = .text(value) }

  /// Makes a whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }

  /// Makes a number.
  public init(floatLiteral value: Double) { self = .number(value) }

  /// Makes a Boolean.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }

  /// Makes a list of texts.
  public init(arrayLiteral texts: String...) { self = .list(texts) }

  /// Makes a dictionary of keys and values, as a literal of ``Metadata`` does.
  public init(dictionaryLiteral elements: (String, any MetadataConvertible)...) {
    self = .dictionary(Metadata(elements.map { ($0.0, $0.1.metadataValue) }))
  }
}
