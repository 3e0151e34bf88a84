/// What a literal of metadata may hold, and what is set at a key path: texts, dictionaries of them, and metadata.
public protocol MetadataConvertible {
  /// The text or dictionary.
  var metadataValue: MetadataValue { get }
}

extension MetadataConvertible where Self == MetadataValue {
  // `.text(…)` and `.dictionary(…)` in a literal. Where the type is known already, they are the cases themselves.

  /// Makes a text.
  @_disfavoredOverload
  public static func text(_ text: String) -> MetadataValue { MetadataValue.text(text) }

  /// Makes a nested dictionary.
  @_disfavoredOverload
  public static func dictionary(_ metadata: Metadata) -> MetadataValue { MetadataValue.dictionary(metadata) }
}

extension String: MetadataConvertible {
  /// The text.
  public var metadataValue: MetadataValue { .text(self) }
}

extension Substring: MetadataConvertible {
  /// The text.
  public var metadataValue: MetadataValue { .text(String(self)) }
}

extension Dictionary: MetadataConvertible where Key == String, Value == any MetadataConvertible {
  // By this conformance a dictionary literal inside a literal of metadata may hold texts and dictionaries together.

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

extension MetadataValue: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral {
  /// Makes a text.
  public init(stringLiteral value: String) { self = .text(value) }

  /// Makes a dictionary of keys and values, as a literal of ``Metadata`` does.
  public init(dictionaryLiteral elements: (String, any MetadataConvertible)...) {
    self = .dictionary(Metadata(elements.map { ($0.0, $0.1.metadataValue) }))
  }
}
