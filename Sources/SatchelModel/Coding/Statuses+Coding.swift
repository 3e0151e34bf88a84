import SatchelText

extension NamedValue {
  /// Decodes a name.
  fileprivate static func decode(from decoder: any Decoder) throws -> Self {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let value = named(name) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "\"\(name.oneLine)\" is none of \(names.joined(separator: ", "))")
    }
    return value
  }

  fileprivate func encodeName(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}

extension RecipientStatus: Codable {
  /// Decodes the status' ``name``.
  public init(from decoder: any Decoder) throws { self = try Self.decode(from: decoder) }
  /// Encodes the status' ``name``.
  public func encode(to encoder: any Encoder) throws { try encodeName(to: encoder) }
}

extension PresenceStatus: Codable {
  /// Decodes the status' ``name``.
  public init(from decoder: any Decoder) throws { self = try Self.decode(from: decoder) }
  /// Encodes the status' ``name``.
  public func encode(to encoder: any Encoder) throws { try encodeName(to: encoder) }
}

extension TransferStatus: Codable {
  /// Decodes the status' ``name``.
  public init(from decoder: any Decoder) throws { self = try Self.decode(from: decoder) }
  /// Encodes the status' ``name``.
  public func encode(to encoder: any Encoder) throws { try encodeName(to: encoder) }
}
