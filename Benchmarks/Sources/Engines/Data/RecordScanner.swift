extension LineRecord {
  /// The record of a line; nil for a header or trailer.
  init?(line: UnsafeBufferPointer<UInt8>) throws {
    var scanner = JSONScanner(line)
    var kind = ""
    var identity = IdentityValues()
    var conversation = ConversationValues()
    var message = MessageValues()
    try scanner.object { scanner, key in
      if scanner.null() { return }
      switch key {
      case "kind": kind = try scanner.string()
      case "identifier":
        message.identifier = try scanner.string()
        conversation.identifier = message.identifier
      case "metadata" where kind == "conversation":
        conversation.metadata = try scanner.verbatim {
          try $0.metadata(path: "", into: &conversation.metadataTexts)
        }
      case "metadata":
        message.metadata = try scanner.verbatim { try $0.skip() }
        identity.metadata = message.metadata
      // A message.
      case "conversation": message.conversation = try scanner.string()
      case "sender": message.sender = try scanner.string()
      case "position": message.position = try scanner.integer()
      case "sentAt": message.sentAt = try scanner.date()
      case "receivedAt": message.receivedAt = try scanner.date()
      case "isSent": message.isSent = try scanner.boolean()
      case "isUnread": message.isUnread = try scanner.boolean()
      case "recipientStatus": message.recipientStatus = try scanner.verbatim { try $0.skip() }
      case "parts": try scanner.array { message.parts.append(try $0.part()) }
      // A conversation.
      case "participants": try scanner.array { conversation.participants.append(try $0.string()) }
      case "createdAt": conversation.createdAt = try scanner.date()
      case "isDistinct": conversation.isDistinct = try scanner.boolean()
      // An identity.
      case "userID": identity.userID = try scanner.string()
      case "displayName": identity.displayName = try scanner.string()
      case "firstName": identity.firstName = try scanner.string()
      case "lastName": identity.lastName = try scanner.string()
      case "emailAddress": identity.emailAddress = try scanner.string()
      case "phoneNumber": identity.phoneNumber = try scanner.string()
      case "avatarURL": identity.avatarURL = try scanner.string()
      default: try scanner.skip()
      }
    }
    switch kind {
    case "identity": self = .identity(identity)
    case "conversation": self = .conversation(conversation)
    case "message": self = .message(message)
    case "announcement": self = .announcement(message)
    default: return nil
    }
  }
}

extension JSONScanner {
  /// The texts of nested dictionaries.
  fileprivate mutating func metadata(
    path: String, into texts: inout [(path: String, value: String)]
  ) throws {
    try object { scanner, key in
      let inner = path.isEmpty ? key : path + "." + key
      if scanner.peek() == UInt8(ascii: "{") {
        try scanner.metadata(path: inner, into: &texts)
      } else {
        texts.append((inner, try scanner.string()))
      }
    }
  }

  fileprivate mutating func part() throws -> PartValues {
    var part = PartValues()
    try object { scanner, key in
      if scanner.null() { return }
      switch key {
      case "mimeType": part.mimeType = try scanner.string()
      case "text":
        let text = try scanner.string()
        part.size = Int64(text.utf8.count)
        part.text = text
      case "base64":
        let data = Self.base64(try scanner.string())
        part.kind = .data
        part.size = Int64(data.count)
        part.data = data
      case "url":
        part.kind = .url
        part.text = try scanner.string()
      case "size": part.size = try scanner.integer()
      default: try scanner.skip()
      }
    }
    return part
  }

  private static func base64(_ text: String) -> [UInt8] {
    var data: [UInt8] = []
    data.reserveCapacity(text.utf8.count / 4 * 3)
    var bits: UInt32 = 0
    var count = 0
    for character in text.utf8 {
      let value: UInt32
      switch character {
      case 0x41...0x5A: value = UInt32(character) - 0x41
      case 0x61...0x7A: value = UInt32(character) - 0x61 + 26
      case 0x30...0x39: value = UInt32(character) - 0x30 + 52
      case UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "/"): value = 63
      default: continue
      }
      bits = bits << 6 | value
      count += 6
      if count >= 8 {
        count -= 8
        data.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return data
  }

  /// Microseconds since 1970 of an RFC 3339 time in UTC.
  fileprivate mutating func date() throws -> Int64 {
    let text = try string()
    let value: Int64? = text.utf8.withContiguousStorageIfAvailable { digits in
      func number(_ start: Int, _ count: Int) -> Int64 {
        digits[start..<start + count].reduce(0) { $0 * 10 + Int64($1 & 15) }
      }
      guard digits.count >= 20, digits.last == UInt8(ascii: "Z") else { return -1 }
      // Days from a year that begins in March, so that the leap day is its last.
      let (year, month) = (number(0, 4), number(5, 2))
      let shifted = month > 2 ? year : year - 1
      let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + number(8, 2) - 1
      let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
      let seconds = ((days * 24 + number(11, 2)) * 60 + number(14, 2)) * 60 + number(17, 2)
      var fraction: Int64 = 0
      if digits[19] == UInt8(ascii: ".") {
        let count = digits.count - 21
        let taken = min(count, 6)
        fraction = number(20, taken)
        for _ in taken..<6 { fraction *= 10 }
        if count > 6, digits[26] >= UInt8(ascii: "5") { fraction += 1 }
      }
      return seconds * 1_000_000 + fraction
    }
    guard let value, value != -1 else { throw LineError("not a time in UTC: \(text)") }
    return value
  }
}
