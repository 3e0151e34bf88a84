extension Metadata: Codable {
  /// Decodes a dictionary of texts, numbers, Booleans, lists of texts, and such dictionaries. A key without a value (`null`) is left out.
  ///
  /// A dictionary whose only key is `$date` is the date that its text gives in RFC 3339. One whose only key is `$number` is the
  /// number that its text gives: so a number that is whole, such as 5.0, is told from an integer. One whose only key
  /// begins with `$$` is a dictionary with that key without the first `$`.
  /// - Throws: `DecodingError` for anything that a store does not accept as metadata.
  public init(from decoder: any Decoder) throws {
    try self.init(from: decoder, .stored)
  }

  fileprivate init(from decoder: any Decoder, _ rule: KeyRule) throws {
    self = try Self.decode(decoder.container(keyedBy: TextCodingKey.self), depth: 1, rule)
    do { try validate(rule) } catch let error as SatchelError {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath, debugDescription: error.description, underlyingError: error))
    }
  }

  /// Encodes a dictionary of texts, numbers, Booleans, lists of texts, and such dictionaries; dates, whole numbers and what could be taken
  /// for them as ``init(from:)`` reads them.
  /// - Throws: `EncodingError` for what a store does not accept as metadata, and what the encoder throws.
  public func encode(to encoder: any Encoder) throws { try encode(to: encoder, .stored) }

  fileprivate func encode(to encoder: any Encoder, _ rule: KeyRule) throws {
    do { try validate(rule) } catch let error as SatchelError {
      throw EncodingError.invalidValue(
        self,
        .init(
          codingPath: encoder.codingPath, debugDescription: error.description, underlyingError: error))
    }
    var container = encoder.container(keyedBy: TextCodingKey.self)
    try encode(into: &container)
  }

  private func encode(into container: inout KeyedEncodingContainer<TextCodingKey>) throws {
    for entry in entries {
      let key = TextCodingKey(entry.key)
      switch entry.value {
      case .text(let text): try container.encode(text, forKey: key)
      case .integer(let integer): try container.encode(integer, forKey: key)
      case .boolean(let value): try container.encode(value, forKey: key)
      case .list(let texts): try container.encode(texts, forKey: key)
      case .reference(let reference):
        var inner = container.nestedContainer(keyedBy: TextCodingKey.self, forKey: key)
        try inner.encode(reference, forKey: .reference)
      case .number(let number) where number.rounded() != number: try container.encode(number, forKey: key)
      case .number(let number):
        var inner = container.nestedContainer(keyedBy: TextCodingKey.self, forKey: key)
        try inner.encode(number.description, forKey: .number)
      case .date(let date):
        var inner = container.nestedContainer(keyedBy: TextCodingKey.self, forKey: key)
        try inner.encode(date, forKey: .date)
      case .dictionary(let metadata):
        var inner = container.nestedContainer(keyedBy: TextCodingKey.self, forKey: key)
        try metadata.escapingMark.encode(into: &inner)
      }
    }
  }

  /// - Parameter depth: How many dictionaries are open, this one included.
  private static func decode(
    _ container: KeyedDecodingContainer<TextCodingKey>, depth: Int, _ rule: KeyRule
  ) throws -> Metadata {
    var pairs: [(String, MetadataValue)] = []
    for key in container.allKeys where try !container.decodeNil(forKey: key) {
      pairs.append((key.stringValue, try value(of: key, in: container, depth: depth, rule)))
    }
    return Metadata(pairs)
  }

  private static func value(
    of key: TextCodingKey, in container: KeyedDecodingContainer<TextCodingKey>, depth: Int, _ rule: KeyRule
  ) throws -> MetadataValue {
    if let text = try? container.decode(String.self, forKey: key) { return .text(text) }
    if let value = try? container.decode(Bool.self, forKey: key) { return .boolean(value) }
    if let integer = try? container.decode(Int64.self, forKey: key) { return .integer(integer) }
    if let number = try? container.decode(Double.self, forKey: key) { return .number(number) }
    if let texts = try? container.decode([String].self, forKey: key) { return .list(texts) }
    guard let inner = try? container.nestedContainer(keyedBy: TextCodingKey.self, forKey: key) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container,
        debugDescription:
          "A metadata value is a text, a number, a Boolean, a date, a list of texts or a dictionary")
    }
    let keys = inner.allKeys
    if keys.count == 1, keys[0].stringValue == TextCodingKey.date.stringValue {
      return .date(try inner.decode(Timestamp.self, forKey: .date))
    }
    if keys.count == 1, keys[0].stringValue == TextCodingKey.number.stringValue {
      guard let number = Double(try inner.decode(String.self, forKey: .number)) else {
        throw DecodingError.dataCorruptedError(
          forKey: .number, in: inner, debugDescription: "The text is no number")
      }
      return .number(number)
    }
    // Metadata of other objects have no references: there it is a key as any other.
    if rule == .fields, keys.count == 1, keys[0].stringValue == TextCodingKey.reference.stringValue {
      return .reference(try inner.decode(Reference.self, forKey: .reference))
    }
    guard depth < maximumDepth else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container, debugDescription: "Metadata nests at most 64 dictionaries")
    }
    return .dictionary(try decode(inner, depth: depth + 1, rule).unescapingMark)
  }
}

/// The fields of a record in coded form: as metadata, and with references. A dictionary whose only key is `$reference` is one: a list of
/// a type and an identifier.
package struct FieldValues: Codable {
  package let fields: Metadata

  package init(_ fields: Metadata) { self.fields = fields }

  package init(from decoder: any Decoder) throws { fields = try Metadata(from: decoder, .fields) }

  package func encode(to encoder: any Encoder) throws { try fields.encode(to: encoder, .fields) }
}

extension TextCodingKey {
  /// The only key of a dictionary that stands for a date.
  fileprivate static let date = TextCodingKey("$date")
  /// The only key of a dictionary that stands for a number that is whole.
  fileprivate static let number = TextCodingKey("$number")
  /// The only key of a dictionary that stands for a reference.
  fileprivate static let reference = TextCodingKey("$reference")
}
