extension Metadata: Codable {
  /// Decodes a dictionary of texts and such dictionaries. A key without a value (`null`) is left out.
  /// - Throws: `DecodingError` for anything that a store does not accept as metadata.
  public init(from decoder: any Decoder) throws {
    self = try Self.decode(decoder.container(keyedBy: TextCodingKey.self), depth: 1)
    do { try validate() } catch let error as SatchelError {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath, debugDescription: error.description, underlyingError: error))
    }
  }

  /// Encodes a dictionary of texts and such dictionaries.
  /// - Throws: `EncodingError` for what a store does not accept as metadata, and what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    do { try validate() } catch let error as SatchelError {
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
      case .dictionary(let metadata):
        var inner = container.nestedContainer(keyedBy: TextCodingKey.self, forKey: key)
        try metadata.encode(into: &inner)
      }
    }
  }

  /// - Parameter depth: How many dictionaries are open, this one included.
  private static func decode(_ container: KeyedDecodingContainer<TextCodingKey>, depth: Int) throws
    -> Metadata
  {
    var pairs: [(String, MetadataValue)] = []
    for key in container.allKeys where try !container.decodeNil(forKey: key) {
      if let text = try? container.decode(String.self, forKey: key) {
        pairs.append((key.stringValue, .text(text)))
      } else if depth < maximumDepth,
        let inner = try? container.nestedContainer(keyedBy: TextCodingKey.self, forKey: key)
      {
        pairs.append((key.stringValue, .dictionary(try decode(inner, depth: depth + 1))))
      } else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container,
          debugDescription: "A metadata value is a text or a dictionary, at most 64 deep")
      }
    }
    return Metadata(pairs)
  }
}
