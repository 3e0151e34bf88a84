internal import SatchelModel
import SatchelText

/// Where an encoder leaves what it is given, until all of it is there.
final class FieldNode {
  private enum Kind { case nothing, value(MetadataValue), dictionary, list }

  private var kind = Kind.nothing
  private var members: [(key: String, node: FieldNode)] = []
  private var elements: [FieldNode] = []

  /// Encodes a value in this place.
  /// - Throws: ``SatchelError`` `invalidValue` for what no field can hold, with the coding path; what the value throws.
  func encode(_ value: some Encodable, at path: [any CodingKey]) throws {
    guard let known = value as? any FieldCodable else {
      return try value.encode(to: FieldEncoder(node: self, codingPath: path))
    }
    do {
      kind = .value(try known.fieldValue())
    } catch let error as SatchelError {
      throw error.adding(["field": path.spelled])
    }
  }

  /// Makes this a dictionary, which may stay empty.
  func beginDictionary() { kind = .dictionary }

  /// Makes this a list, which may stay empty.
  func beginList() { kind = .list }

  /// The number of elements of a list.
  var count: Int { elements.count }

  /// Returns the place of an element behind the others of a list.
  func append() -> FieldNode {
    let node = FieldNode()
    elements.append(node)
    return node
  }

  /// Returns a new place for the value under a key. What was encoded under the key before does not count any more.
  func add(_ key: String) -> FieldNode {
    let node = FieldNode()
    members.append((key, node))
    return node
  }

  /// Returns the place of the value under a key: the one that is there, which more may be added to, or a new one.
  func member(_ key: String) -> FieldNode {
    members.last { UTF8Order.areEqual($0.key, key) }?.node ?? add(key)
  }

  /// Returns what was encoded in this place; nil if that is no value.
  /// - Throws: ``SatchelError`` `invalidValue` for a list of anything but texts.
  func value(at path: [String]) throws -> MetadataValue? {
    switch kind {
    case .nothing: return nil
    case .value(let value): return value
    case .dictionary:
      return .dictionary(
        Metadata(
          try members.compactMap { key, node in try node.value(at: path + [key]).map { (key, $0) } }))
    case .list:
      return .list(
        try elements.enumerated().map { index, node in
          let value = try node.value(at: path + [String(index)])
          if case .text(let text)? = value { return text }
          throw SatchelError(
            .invalidValue,
            "A list in a field is one of texts: lists of other values are for records of their own, which refer to this one",
            ["field": path.spelledPath, "element": String(index), "found": value?.nameOfType ?? "nothing"])
        })
    }
  }
}

/// Encodes values as values of fields.
struct FieldEncoder: Encoder {
  let node: FieldNode
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.beginDictionary()
    return KeyedEncodingContainer(Keyed(node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.beginList()
    return Unkeyed(node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension FieldEncoder: SingleValueEncodingContainer {
  func encodeNil() {}
  func encode<Value: Encodable>(_ value: Value) throws { try node.encode(value, at: codingPath) }
}

extension FieldEncoder {
  struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: FieldNode
    let codingPath: [any CodingKey]

    func encodeNil(forKey key: Key) {}

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
      try node.add(key.stringValue).encode(value, at: codingPath + [key])
    }

    func nestedContainer<Inner: CodingKey>(
      keyedBy type: Inner.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Inner> {
      encoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      encoder(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder(FieldKey("super")) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

    private func encoder(_ key: any CodingKey) -> FieldEncoder {
      FieldEncoder(node: node.member(key.stringValue), codingPath: codingPath + [key])
    }
  }

  struct Unkeyed: UnkeyedEncodingContainer {
    let node: FieldNode
    let codingPath: [any CodingKey]
    var count: Int { node.count }

    func encodeNil() { _ = node.append() }

    func encode<Value: Encodable>(_ value: Value) throws {
      let path = codingPath + [FieldKey(String(count))]
      try node.append().encode(value, at: path)
    }

    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> {
      encoder().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder() }

    private func encoder() -> FieldEncoder {
      let path = codingPath + [FieldKey(String(count))]
      return FieldEncoder(node: node.append(), codingPath: path)
    }
  }
}

/// A key of a coding path that may be any text.
struct FieldKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ text: String) { stringValue = text }
  init(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}
