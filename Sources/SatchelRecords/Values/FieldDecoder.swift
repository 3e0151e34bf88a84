internal import SatchelModel
import SatchelText

/// What a decoder reads from.
enum FieldSource {
  case record(Record)
  /// The identifier of a record, which a value may have as a text, an integer, a UUID or a reference.
  case identifier(Record.ID)
  case value(MetadataValue)
  case missing

  /// Makes the value of a type; nil if there is none.
  func make<Value: FieldCodable>(_ type: Value.Type) -> Value? {
    switch self {
    case .value(let value): Value(field: value)
    case .identifier(let id): Value(field: .reference(id)) ?? Value(recordName: id.name)
    case .record, .missing: nil
    }
  }

  /// What there is, for the text of an error.
  var found: String {
    switch self {
    case .record(let record): "record \(record.id)"
    case .identifier(let id): "identifier \([id.name].spelledPath)"
    case .value(let value):
      switch value {
      case .integer, .number, .boolean: "\(value.nameOfType) \(value)"
      default: value.nameOfType
      }
    case .missing: "nothing"
    }
  }
}

/// Decodes values from those of fields, and of what every record has.
struct FieldDecoder: Decoder {
  let source: FieldSource
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    switch source {
    case .record(let record):
      KeyedDecodingContainer(Keyed(record: record, fields: record.fields, codingPath: codingPath))
    case .value(.dictionary(let fields)):
      KeyedDecodingContainer(Keyed(record: nil, fields: fields, codingPath: codingPath))
    default: throw mismatch([String: Any].self, "a dictionary")
    }
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .value(.list(let texts)) = source else { throw mismatch([Any].self, "a list of texts") }
    return Unkeyed(texts: texts, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  private func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath, debugDescription: "expected \(expected), found \(source.found)")
    if case .missing = source { return .valueNotFound(type, context) }
    return .typeMismatch(type, context)
  }
}

extension FieldDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { if case .missing = source { true } else { false } }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    guard let known = type as? any FieldCodable.Type else { return try Value(from: self) }
    guard let value = source.make(known) as? Value else { throw mismatch(type, "\(type)") }
    return value
  }
}

extension FieldDecoder {
  struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    /// The record whose fields these are; nil for a dictionary in a field.
    let record: Record?
    let fields: Metadata
    let codingPath: [any CodingKey]

    var allKeys: [Key] {
      let reserved = record == nil ? [] : RecordType.reservedNames
      return (reserved + fields.entries.map(\.key)).compactMap { Key(stringValue: $0) }.filter(contains)
    }

    func contains(_ key: Key) -> Bool { if case .missing = source(key.stringValue) { false } else { true } }

    private func source(_ key: String) -> FieldSource {
      if let value = fields.value(forKey: key) { return .value(value) }
      guard let record else { return .missing }
      let value: MetadataValue? =
        switch key {
        case "owner": record.owner.map { .text($0.rawValue) }
        case "createdAt": record.createdTimestamp.map { .date($0) }
        case "createdBy": record.createdBy.map { .text($0.rawValue) }
        case "updatedAt": record.updatedTimestamp.map { .date($0) }
        case "updatedBy": record.updatedBy.map { .text($0.rawValue) }
        default: nil
        }
      if key == "id" || key == "identifier" { return .identifier(record.id) }
      return value.map { .value($0) } ?? .missing
    }

    private func decoder(_ key: any CodingKey) throws -> FieldDecoder {
      let source = source(key.stringValue)
      if case .missing = source {
        throw DecodingError.keyNotFound(
          key, .init(codingPath: codingPath + [key], debugDescription: "expected a value, found nothing"))
      }
      return FieldDecoder(source: source, codingPath: codingPath + [key])
    }

    func decodeNil(forKey key: Key) -> Bool { !contains(key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try decoder(key).decode(type)
    }

    func nestedContainer<Inner: CodingKey>(
      keyedBy type: Inner.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Inner> {
      try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try decoder(FieldKey("super")) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
  }

  struct Unkeyed: UnkeyedDecodingContainer {
    let texts: [String]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    init(texts: [String], codingPath: [any CodingKey]) {
      self.texts = texts
      self.codingPath = codingPath
    }

    var count: Int? { texts.count }
    var isAtEnd: Bool { currentIndex >= texts.count }

    func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      let value = try decoder(type).decode(type)
      currentIndex += 1
      return value
    }

    mutating func nestedContainer<Inner: CodingKey>(
      keyedBy type: Inner.Type
    ) throws -> KeyedDecodingContainer<Inner> {
      try decoder(type).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try decoder([String].self).unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder {
      let decoder = try decoder(String.self)
      currentIndex += 1
      return decoder
    }

    private func decoder(_ type: Any.Type) throws -> FieldDecoder {
      let path = codingPath + [FieldKey(String(currentIndex))]
      guard !isAtEnd else {
        throw DecodingError.valueNotFound(
          type, .init(codingPath: path, debugDescription: "expected another text, found the end of the list"))
      }
      return FieldDecoder(source: .value(.text(texts[currentIndex])), codingPath: path)
    }
  }
}
