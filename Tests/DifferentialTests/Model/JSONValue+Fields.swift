import Foundation

/// Reading the fields of a record by type: nil when absent, an error when of another type.
extension JSONValue {
  /// Whether the key is there, be it as `null`.
  func has(_ key: ByteString) -> Bool {
    guard case .object(let members) = self else { return false }
    return members.contains { $0.key == key }
  }

  func text(_ key: ByteString) throws -> ByteString? {
    guard let value = self[key] else { return nil }
    guard case .string(let text) = value else { throw LineError("\(key) is no string") }
    return text
  }

  func identifier(_ key: ByteString) throws -> ByteString {
    guard let text = try text(key) else { throw LineError("no \(key)") }
    return try text.checkedIdentifier()
  }

  func boolean(_ key: ByteString) throws -> Bool? {
    guard let value = self[key] else { return nil }
    guard case .boolean(let boolean) = value else { throw LineError("\(key) is no Boolean") }
    return boolean
  }

  func integer(_ key: ByteString) throws -> Int64? {
    guard let value = self[key] else { return nil }
    guard case .number(let digits) = value, let integer = Int64(digits.string) else {
      throw LineError("\(key) is no 64-bit integer")
    }
    return integer
  }

  func date(_ key: ByteString) throws -> Int64? {
    guard let text = try text(key) else { return nil }
    guard let date = Timestamp.parse(text) else { throw LineError("\(key) is no date") }
    return date
  }

  func users(_ key: ByteString) throws -> Set<ByteString>? {
    guard let value = self[key] else { return nil }
    guard case .array(let elements) = value else { throw LineError("\(key) is no array") }
    return Set(
      try elements.map { element in
        guard case .string(let user) = element else { throw LineError("\(key) holds no user id") }
        return try user.checkedIdentifier()
      })
  }

  /// By user; nil where the line says `null`.
  func statuses(_ key: ByteString) throws -> [(ByteString, ByteString?)] {
    guard let value = self[key] else { return [] }
    guard case .object(let members) = value else { throw LineError("\(key) is no object") }
    return try members.map { member in
      if member.value == .null { return (try member.key.checkedIdentifier(), nil) }
      guard case .string(let status) = member.value, recipientStatuses.contains(status) else {
        throw LineError("unknown recipient status")
      }
      return (try member.key.checkedIdentifier(), status)
    }
  }

  func metadata() throws -> MetadataTree {
    guard let value = self["metadata"] else { return .empty }
    guard case .object = value else { throw LineError("metadata is no object") }
    return try MetadataTree(checking: value, isValue: false)
  }

  func parts() throws -> [ModelPart] {
    guard let value = self["parts"] else { return [] }
    guard case .array(let elements) = value else { throw LineError("parts is no array") }
    return try elements.map { element in
      var part = try element.part
      if let status = try element.text("transferStatus") {
        guard transferStatuses.contains(status) else { throw LineError("unknown transfer status") }
        part.transferStatus = status
      }
      return part
    }
  }

  /// By index; "complete" where the line says `null`.
  func transfers(_ key: ByteString) throws -> [(Int, ByteString)] {
    guard let value = self[key] else { return [] }
    guard case .object(let members) = value else { throw LineError("\(key.string) is no object") }
    return try members.map { member in
      guard let index = Int(member.key.string), index >= 0 else { throw LineError("no index of a part") }
      if member.value == .null { return (index, "complete") }
      guard case .string(let status) = member.value, transferStatuses.contains(status) else {
        throw LineError("unknown transfer status")
      }
      return (index, status)
    }
  }

  private var part: ModelPart {
    get throws {
      guard case .object = self, let mimeType = try text("mimeType") else { throw LineError("no mimeType") }
      if let text = try text("text") {
        return ModelPart(mimeType: mimeType, text: text, size: Int64(text.utf8.count))
      }
      if let base64 = try text("base64") {
        guard let data = Data(base64Encoded: base64.string) else { throw LineError("wrong base64") }
        return ModelPart(mimeType: mimeType, text: nil, size: Int64(data.count))
      }
      guard try text("url") != nil else { throw LineError("a part without content") }
      return ModelPart(mimeType: mimeType, text: nil, size: try integer("size"))
    }
  }
}

extension MetadataTree {
  /// Metadata as a record gives it; an error for a wrong key, a text over 2 KiB, or a value that is none.
  /// - Parameters:
  ///   - isValue: Whether an object may stand for something else by its only key.
  ///   - mayRefer: Whether it may have references, as fields of records may.
  init(checking value: JSONValue, isValue: Bool = true, mayRefer: Bool = false) throws {
    switch value {
    case .string(let text):
      guard text.utf8.count <= 2_048 else { throw LineError("a metadata value over 2 KiB") }
      self = .text(text)
    case .boolean(let boolean): self = .boolean(boolean)
    case .array(let elements):
      let texts = try elements.map { element in
        guard case .string(let text) = element, text.utf8.count <= 2_048 else {
          throw LineError("no text of a list")
        }
        return text
      }
      guard texts.reduce(0, { $0 + $1.utf8.count }) <= 65_536 else { throw LineError("a list over 64 KiB") }
      self = .list(texts)
    case .number(let digits):
      // Digits alone are an integer, if it fits.
      if digits.utf8.allSatisfy({ $0 == 0x2D || (0x30...0x39).contains($0) }),
        let integer = Int64(digits.string)
      {
        self = .integer(integer)
      } else {
        guard let number = Double(digits.string), number.isFinite else {
          throw LineError("a number beyond a Double")
        }
        self = .number(number)
      }
    case .object(let members) where isValue && members.count == 1 && members[0].key == "$date":
      guard case .string(let text) = members[0].value, let date = Timestamp.parse(text) else {
        throw LineError("no date of metadata")
      }
      self = .date(date)
    case .object(let members)
    where isValue && mayRefer && members.count == 1 && members[0].key == "$reference":
      self = .reference(try members[0].value.reference())
    case .object(let members):
      var children: [ByteString: MetadataTree] = [:]
      for member in members where member.value != .null {
        guard Self.isKey(member.key) else { throw LineError("invalid metadata key") }
        children[member.key] = try MetadataTree(checking: member.value, mayRefer: mayRefer)
      }
      if isValue, let (key, value) = children.first, children.count == 1, key.utf8.starts(with: "$$".utf8) {
        children = [ByteString(utf8: Array(key.utf8.dropFirst())): value]
      }
      self = .dictionary(children)
    default: throw LineError("a metadata value that is none")
    }
  }
}

extension ByteString {
  fileprivate func checkedIdentifier() throws -> ByteString {
    guard !isEmpty, !utf8.contains(0) else { throw LineError("an identifier is empty or holds NUL") }
    return self
  }
}
