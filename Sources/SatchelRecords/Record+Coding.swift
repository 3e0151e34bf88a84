internal import SatchelModel

extension Record: Codable {
  /// The keys of the coded form. They are the names of the interchange format.
  private enum Key: String, CodingKey {
    case type, identifier, owner, createdAt, createdBy, updatedAt, updatedBy, fields
  }

  /// Decodes a record. What is not there has the value of a record that is in no store.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      id: ID(
        type: try container.decode(String.self, forKey: .type),
        name: try container.decode(String.self, forKey: .identifier)),
      owner: try container.decodeIfPresent(Identity.ID.self, forKey: .owner),
      try container.decodeIfPresent(FieldValues.self, forKey: .fields)?.fields ?? Metadata())
    createdTimestamp = try container.decodeIfPresent(Timestamp.self, forKey: .createdAt)
    createdBy = try container.decodeIfPresent(Identity.ID.self, forKey: .createdBy)
    updatedTimestamp = try container.decodeIfPresent(Timestamp.self, forKey: .updatedAt)
    updatedBy = try container.decodeIfPresent(Identity.ID.self, forKey: .updatedBy)
  }

  /// Encodes the record with the keys of the interchange format.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(id.type, forKey: .type)
    try container.encode(id.name, forKey: .identifier)
    try container.encodeIfPresent(owner, forKey: .owner)
    try container.encodeIfPresent(createdTimestamp, forKey: .createdAt)
    try container.encodeIfPresent(createdBy, forKey: .createdBy)
    try container.encodeIfPresent(updatedTimestamp, forKey: .updatedAt)
    try container.encodeIfPresent(updatedBy, forKey: .updatedBy)
    if !fields.isEmpty { try container.encode(FieldValues(fields), forKey: .fields) }
  }
}
