import SatchelText

extension Identity: Codable {
  /// Decodes an identity. What is not there has the value that its absence in the interchange format stands for.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: TextCodingKey.self)
    self.init(
      userID: try container.decode(ID.self, forKey: TextCodingKey(CodedKey.userID.rawValue)),
      metadata: try container.decodeIfPresent(
        Metadata.self, forKey: TextCodingKey(CodedKey.metadata.rawValue))
        ?? Metadata())
    for field in ObjectField.ofIdentities {
      let key = TextCodingKey(field.description.name)
      switch self[field] {
      case .text: self[field] = .text(try container.decodeIfPresent(String.self, forKey: key))
      case .boolean: self[field] = .boolean(try container.decodeIfPresent(Bool.self, forKey: key) ?? false)
      case .date: self[field] = .date(try container.decodeIfPresent(Timestamp.self, forKey: key))
      case .choice:
        let name = try container.decodeIfPresent(String.self, forKey: key)
        self[field] = .choice(try name.map { try field.choice($0, at: key, in: container) })
      }
    }
  }

  /// Encodes the identity with the keys of the interchange format.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: TextCodingKey.self)
    try container.encode(userID, forKey: TextCodingKey(CodedKey.userID.rawValue))
    try container.encode(metadata, unless: Metadata(), forKey: TextCodingKey(CodedKey.metadata.rawValue))
    for field in ObjectField.ofIdentities {
      let key = TextCodingKey(field.description.name)
      switch self[field] {
      case .text(let text): try container.encodeIfPresent(text, forKey: key)
      case .boolean(let value): try container.encode(value, unless: false, forKey: key)
      case .date(let date): try container.encodeIfPresent(date, forKey: key)
      case .choice(let number): try container.encodeIfPresent(field.type.name(of: number), forKey: key)
      }
    }
  }
}

extension ObjectField {
  /// Returns the number of a value of an enumeration, by its name.
  fileprivate func choice(
    _ name: String, at key: TextCodingKey, in fields: KeyedDecodingContainer<TextCodingKey>
  ) throws -> UInt8 {
    guard case .enumeration(let enumeration) = type, let number = enumeration.number(of: name) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: fields, debugDescription: "\"\(name.oneLine)\" is no \(path.joined(separator: "."))")
    }
    return number
  }
}
