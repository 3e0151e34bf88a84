import SatchelCoding
import SatchelModel
import TestSupport

/// The records of objects as lines of a vector, both ways.
extension MessageKey {
  init(_ reader: inout FieldReader) throws {
    if let announcement: UInt64 = try reader.optional("announcement") {
      self.init(announcement: announcement)
    } else {
      self.init(conversation: try reader.number("conversation"), sequence: try reader.number("sequence"))
    }
  }

  var lines: [FieldLine] {
    isAnnouncement
      ? [FieldLine("announcement", "\(sequence)")]
      : [FieldLine("conversation", "\(conversation)"), FieldLine("sequence", "\(sequence)")]
  }
}

extension Metadata {
  /// - Parameter name: The name of the lines: `fields` of a record.
  init(_ reader: inout FieldReader, name: String = "metadata") throws {
    self.init()
    for values in reader.all(name) {
      let word = try Literal.word(values, 0)
      let text = try word.hasPrefix("\"") ? Literal.string(values, 0) : word
      guard let path = MetadataPath(stored: text) else { throw VectorError("no key path: \(word)") }
      let value = try MetadataValue(spelled: Array(values.dropFirst()))
      // Only that of a record may be a reference, and such a value is of a key of the outermost dictionary here.
      if case .reference = value { set(value, forKey: path.keys[0]) } else { try set(value, at: path.keys) }
    }
  }

  func lines(_ path: [String] = [], name: String = "metadata") -> [FieldLine] {
    entries.flatMap { entry -> [FieldLine] in
      let inner = path + [entry.key]
      switch entry.value {
      case .dictionary(let dictionary) where !dictionary.isEmpty: return dictionary.lines(inner, name: name)
      default:
        let path = MetadataPath(inner).stored
        let isWord = path.utf8.allSatisfy { Metadata.isNameByte($0) || $0 == UInt8(ascii: ".") }
        return [
          FieldLine(name, values: [isWord ? path : Literal.quoted(path)] + entry.value.spelling)
        ]
      }
    }
  }
}

extension MetadataValue {
  /// A text in quotation marks, `{}`, `true`, `false`, an integer, `number` with a number, `date` with microseconds,
  /// `list` with texts, or `reference` with a type and an identifier.
  init(spelled values: [String]) throws {
    switch try Literal.word(values, 0) {
    case "{}": self = .dictionary([:])
    case "true": self = .boolean(true)
    case "false": self = .boolean(false)
    case "date": self = .date(Timestamp(microseconds: try Literal.number(values, 1)))
    case "list": self = .list(try (1..<values.count).map { try Literal.string(values, $0) })
    case "reference":
      self = .reference(
        Reference(type: try Literal.string(values, 1), name: try Literal.string(values, 2)))
    case "number":
      guard let number = Double(try Literal.word(values, 1)) else {
        throw VectorError("not a number: \(values)")
      }
      self = .number(number)
    case let word where word.hasPrefix("\""): self = .text(try Literal.string(values, 0))
    default: self = .integer(try Literal.number(values, 0))
    }
  }

  var spelling: [String] {
    switch self {
    case .text(let text): [Literal.quoted(text)]
    case .integer(let value): ["\(value)"]
    case .number(let value): ["number", "\(value)"]
    case .boolean(let value): ["\(value)"]
    case .date(let date): ["date", "\(date.microseconds)"]
    case .list(let texts): ["list"] + texts.map { Literal.quoted($0) }
    case .dictionary: ["{}"]
    case .reference(let reference):
      ["reference", Literal.quoted(reference.type), Literal.quoted(reference.name)]
    }
  }
}

extension StoredPart {
  /// `part KIND TYPE SIZE CONTENT` or `part KIND TYPE SIZE stored LENGTH DIGEST`, then the transfer status unless it is
  /// `complete`.
  init(_ values: [String]) throws {
    guard let kind = [Kind.text, .data, .url].first(where: { "\($0)" == values.first }) else {
      throw VectorError("not a kind of part: \(values)")
    }
    let size: Int64? = try Literal.word(values, 2) == "-" ? nil : Literal.number(values, 2)
    let content: Content =
      try Literal.word(values, 3) == "stored"
      ? .stored(length: Literal.number(values, 4), digest: Literal.wordNumber(values, 5))
      : .inline(Literal.bytes(values, 3))
    let last = if case .stored = content { 5 } else { 3 }
    guard
      let status = values.count <= last + 1
        ? .complete : TransferStatus.allCases.first(where: { $0.name == values[last + 1] })
    else {
      throw VectorError("not a transfer status: \(values)")
    }
    self.init(
      mimeType: try Literal.number(values, 1), kind: kind, size: size, transferStatus: status,
      content: content)
  }

  var line: FieldLine {
    var line = FieldLine("part", "\(kind)", "\(mimeType)", size.map { "\($0)" } ?? "-")
    switch content {
    case .stored(let length, let digest): line.values += ["stored", "\(length)", Literal.hexWord(digest)]
    case .inline(let bytes):
      line.values.append(kind == .data ? Literal.hexWord(bytes) : Literal.quoted(bytes))
    }
    if transferStatus != .complete { line.values.append(transferStatus.name) }
    return line
  }
}

extension StoredMessage {
  init(_ reader: inout FieldReader) throws {
    self.init(
      identifier: Array(try reader.string("identifier").utf8),
      remoteID: try reader.find("remoteID").map { Array(try Literal.string($0, 0).utf8) },
      sender: try reader.number("sender"),
      position: try reader.optional("position"), sentAt: try reader.optional("sentAt"),
      receivedAt: try reader.optional("receivedAt"),
      life: MessageLife(
        editedAt: try reader.optional("editedAt"), deletedAt: try reader.optional("deletedAt"),
        updatedAt: try reader.optional("updatedAt")), isSent: reader.flag("isSent"),
      isUnread: reader.flag("isUnread"), typeSet: try reader.number("typeSet"),
      recipients: try reader.all("recipient").map { values in
        guard let status = RecipientStatus(name: try Literal.word(values, 1)) else {
          throw VectorError("not a status: \(values)")
        }
        return RecipientFields(user: try Literal.number(values, 0), status: status)
      },
      metadata: try Metadata(&reader), parts: try reader.all("part").map(StoredPart.init))
  }

  var lines: [FieldLine] {
    var lines = [FieldLine("identifier", Literal.quoted(identifier))]
    if let remoteID { lines.append(FieldLine("remoteID", Literal.quoted(remoteID))) }
    lines.append(FieldLine("sender", "\(sender)"))
    if let position { lines.append(FieldLine("position", "\(position)")) }
    if let sentAt { lines.append(FieldLine("sentAt", "\(sentAt)")) }
    if let receivedAt { lines.append(FieldLine("receivedAt", "\(receivedAt)")) }
    if let date = life.editedAt { lines.append(FieldLine("editedAt", "\(date)")) }
    if let date = life.deletedAt { lines.append(FieldLine("deletedAt", "\(date)")) }
    if let date = life.updatedAt { lines.append(FieldLine("updatedAt", "\(date)")) }
    if isSent { lines.append(FieldLine("isSent")) }
    if isUnread { lines.append(FieldLine("isUnread")) }
    lines.append(FieldLine("typeSet", "\(typeSet)"))
    lines += recipients.map { FieldLine("recipient", "\($0.user)", $0.status.name) }
    return lines + metadata.lines() + parts.map(\.line)
  }
}

extension StoredConversation {
  init(_ reader: inout FieldReader) throws {
    self.init(
      identifier: Array(try reader.string("identifier").utf8),
      remoteID: try reader.find("remoteID").map { Array(try Literal.string($0, 0).utf8) },
      participantSet: try reader.number("participantSet"), createdAt: try reader.optional("createdAt"),
      updatedAt: try reader.optional("updatedAt"), isDistinct: reader.flag("isDistinct"),
      metadata: try Metadata(&reader),
      isVisible: reader.flag("isVisible"), messageCount: try reader.number("messageCount"),
      unreadCount: try reader.number("unreadCount"),
      last: try reader.optional("last.sequence").map { sequence in
        Last(
          sequence: sequence, position: try reader.optional("last.position"),
          sentAt: try reader.optional("last.sentAt"), receivedAt: try reader.optional("last.receivedAt"),
          isUnread: reader.flag("last.isUnread"), sender: try reader.number("last.sender"))
      })
  }

  var lines: [FieldLine] {
    var lines = [FieldLine("identifier", Literal.quoted(identifier))]
    if let remoteID { lines.append(FieldLine("remoteID", Literal.quoted(remoteID))) }
    lines.append(FieldLine("participantSet", "\(participantSet)"))
    if let createdAt { lines.append(FieldLine("createdAt", "\(createdAt)")) }
    if let updatedAt { lines.append(FieldLine("updatedAt", "\(updatedAt)")) }
    if isDistinct { lines.append(FieldLine("isDistinct")) }
    if isVisible { lines.append(FieldLine("isVisible")) }
    lines += [FieldLine("messageCount", "\(messageCount)"), FieldLine("unreadCount", "\(unreadCount)")]
    if let last {
      lines.append(FieldLine("last.sequence", "\(last.sequence)"))
      if let position = last.position { lines.append(FieldLine("last.position", "\(position)")) }
      if let sentAt = last.sentAt { lines.append(FieldLine("last.sentAt", "\(sentAt)")) }
      if let receivedAt = last.receivedAt { lines.append(FieldLine("last.receivedAt", "\(receivedAt)")) }
      if last.isUnread { lines.append(FieldLine("last.isUnread")) }
      lines.append(FieldLine("last.sender", "\(last.sender)"))
    }
    return lines + metadata.lines()
  }
}

extension StoredIdentity {
  init(_ reader: inout FieldReader) throws {
    var identity = Identity(userID: "")
    for field in ObjectField.ofIdentities {
      let name = field.description.name
      switch field.type {
      case .boolean: identity[field] = .boolean(reader.flag(name))
      case .date:
        let date: Int64? = try reader.optional(name)
        identity[field] = .date(date.map(Timestamp.init(microseconds:)))
      case .enumeration:
        let number: UInt8? = try reader.optional(name)
        identity[field] = .choice(number)
      default: identity[field] = .text(try reader.find(name).map { try Literal.string($0, 0) })
      }
    }
    identity.metadata = try Metadata(&reader)
    self.init(identity, user: try reader.number("user"))
  }

  var lines: [FieldLine] {
    var lines = [FieldLine("user", "\(user)")]
    for field in ObjectField.ofIdentities {
      switch self[field] {
      case .text(let text?): lines.append(FieldLine(field.description.name, Literal.quoted(text)))
      case .boolean(true): lines.append(FieldLine(field.description.name))
      case .date(let date?): lines.append(FieldLine(field.description.name, "\(date.microseconds)"))
      case .choice(let number?): lines.append(FieldLine(field.description.name, "\(number)"))
      case .text(nil), .boolean(false), .date(nil), .choice(nil): break
      }
    }
    return lines + metadata.lines()
  }
}
