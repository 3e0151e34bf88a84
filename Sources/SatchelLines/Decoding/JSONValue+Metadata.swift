package import SatchelModel

extension JSONValue {
  /// The only key of an object that stands for a date.
  static let dateKey = "$date"
  /// The only key of an object that stands for a reference.
  static let referenceKey = "$reference"

  /// Returns nested dictionaries of values; nil for `null`. The store decides which keys and sizes are allowed.
  /// - Parameter version: The version of the format. Before version 2 all values are texts, and all keys names.
  package func metadata(_ key: @autoclosure () -> String, _ version: Int64) throws(LineError) -> Metadata? {
    guard let object = try object(key()) else { return nil }
    return try Self.metadata(object, key(), version)
  }

  private static func metadata(
    _ object: JSONObject, _ path: String, _ version: Int64
  ) throws(LineError) -> Metadata {
    var pairs: [(String, MetadataValue)] = []
    pairs.reserveCapacity(object.members.count)
    for member in object.members {
      func inner() -> String { path + "." + [member.key].spelledPath }
      guard version > FileHeader.version || member.key.isEmpty || Metadata.isName(member.key) else {
        throw .oldKey(inner())
      }
      guard let value = try member.value.metadataValue(inner(), version) else { continue }
      pairs.append((member.key, value))
    }
    return Metadata(pairs)
  }

  /// Returns a value of metadata; nil for `null`.
  func metadataValue(
    _ key: @autoclosure () -> String, _ version: Int64
  ) throws(LineError) -> MetadataValue? {
    switch self {
    case .null: return nil
    case .string(let text): return .text(text)
    case .object(let inner):
      if inner.members.count == 1, version > FileHeader.version,
        inner.members[0].key.hasSameBytes(as: Self.dateKey)
      {
        return .date(try inner.members[0].value.dateOfMetadata(key()))
      }
      if inner.members.count == 1, version >= FileHeader.recordVersion,
        inner.members[0].key.hasSameBytes(as: Self.referenceKey)
      {
        return try inner.members[0].value.reference(key() + "." + Self.referenceKey).map { .reference($0) }
      }
      return .dictionary(try Self.metadata(inner, key(), version).unescapingMark)
    case .bool, .integer, .whole, .number, .array:
      guard version > FileHeader.version else {
        throw LineError(
          "\(key()) takes a text or an object of texts: other values need version 2 of the format")
      }
      if let list = try list(key()) { return list }
      return try scalar(key())
    }
  }

  private func list(_ key: @autoclosure () -> String) throws(LineError) -> MetadataValue? {
    guard case .array(let elements) = self else { return nil }
    var texts: [String] = []
    texts.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      guard case .string(let text) = element else {
        throw .type(of: "\(key())[\(index)]", takes: "a text, as lists have texts only", found: element)
      }
      texts.append(text)
    }
    return .list(texts)
  }

  private func scalar(_ key: @autoclosure () -> String) throws(LineError) -> MetadataValue? {
    switch self {
    case .bool(let value): return .boolean(value)
    case .integer(let value): return .integer(value)
    case .whole(_, let number), .number(let number):
      guard number.double.isFinite else {
        throw LineError(
          "\(key()) takes a number within the range of a Double, not \(number.literal.prefix(40))")
      }
      return .number(number.double)
    case .null, .string, .array, .object: return nil
    }
  }

  /// Returns what a type and an identifier name; nil for `null`.
  func reference(_ key: @autoclosure () -> String) throws(LineError) -> Reference? {
    guard let elements = try array(key()) else { return nil }
    guard elements.count == 2, case .string(let type) = elements[0], case .string(let name) = elements[1]
    else {
      throw .type(of: key(), takes: "an array of two texts, a type and an identifier", found: self)
    }
    return Reference(type: type, name: name)
  }

  private func dateOfMetadata(_ key: @autoclosure () -> String) throws(LineError) -> Timestamp {
    guard case .string(let text) = self else {
      throw .type(
        of: "\(key()).\(Self.dateKey)", takes: "a date such as \"2024-09-14T02:11:00Z\"", found: self)
    }
    do {
      return Timestamp(microseconds: try RFC3339.parse(text, anyYear: true))
    } catch {
      throw LineError("\(key()).\(Self.dateKey) takes a date such as 2024-09-14T02:11:00Z: \(error)")
    }
  }
}
