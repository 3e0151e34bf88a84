import SatchelBytes
import SatchelCoding
import SatchelModel

// The layouts of FORMAT.md, section 5, field by field.
extension RecordAnnotation {
  /// Adds the kind and the version, with which every record begins, and returns the version.
  @discardableResult
  mutating func frame() throws(ByteError) -> UInt8 {
    try u8(nil) { RecordKind(rawValue: $0).map { "kind: \($0)" } ?? "unknown kind" }
    return try u8(nil) { "version \($0)" }
  }

  mutating func message(_ names: DumpNames) throws(ByteError) {
    try frame()
    let flags = try flags(["isSent", "isUnread", "hasPosition", "hasSentAt", "hasReceivedAt"])
    let life = offset < bytes.count ? bytes[offset] : 0
    if life == 0 {
      try reserved(1)
    } else {
      _ = try self.flags(["isEdited", "isDeleted", "isUpdated", "hasRemoteID"])
    }
    try u32("sender", note: names.user)
    try optional("position", isPresent: flags & 4 != 0, isDate: false)
    try optional("sentAt", isPresent: flags & 8 != 0, isDate: true)
    try optional("receivedAt", isPresent: flags & 16 != 0, isDate: true)
    try u32("typeSet", note: names.typeSet)
    if life & 1 != 0 { try optional("editedAt", isPresent: true, isDate: true) }
    if life & 2 != 0 { try optional("deletedAt", isPresent: true, isDate: true) }
    if life & 4 != 0 { try optional("updatedAt", isPresent: true, isDate: true) }
    let identifier = try length("bytes of the identifier")
    let recipients = try length("bytes of the recipients")
    let metadata = try length("bytes of the metadata")
    let parts = try length("parts")
    let remoteID = life & 8 != 0 ? try length("bytes of the remote identifier") : nil
    try text("identifier", count: identifier)
    if let remoteID { try text("remoteID", count: remoteID) }
    try self.recipients(end: offset + recipients, names)
    try self.metadata("metadata", end: offset + metadata, depth: 1)
    for index in 0..<parts { try part("parts[\(index)]", names) }
  }

  private mutating func recipients(end: Int, _ names: DumpNames) throws(ByteError) {
    var user: UInt64 = 0
    while offset < end {
      let previous = user
      let head = try varint(nil) { head in
        let number = previous &+ head >> 3
        let status = RecipientStatus(rawValue: UInt8(head & 7)).map(\.name) ?? "unknown status"
        return "recipient \(number)" + DumpNames.bracketed(names.user(UInt32(clamping: number)))
          + ": \(status)"
      }
      user = previous &+ head >> 3
    }
  }

  private mutating func part(_ name: String, _ names: DumpNames) throws(ByteError) {
    let head = try u8(nil) { head in
      let kinds = ["text", "data", "link", "unknown kind"]
      let stored = head & 4 != 0 ? ", stored in bodies" : ""
      let status = TransferStatus.complete.rawValue &- head >> 5
      let transfer =
        head >> 5 == 0 ? "" : ", " + (TransferStatus(rawValue: status)?.name ?? "unknown status")
      return "\(name): \(kinds[Int(head & 3)])\(stored)\(transfer)"
    }
    let kind = head & 3
    try varint(name + ".mimeType") { names.mimeType(UInt32(clamping: $0)) }
    if head & 16 != 0 { try varint(name + ".size") }
    let length = try varint(name + ".length")
    if head & 4 != 0 {
      try hash(name + ".digest")
    } else if kind == 1 {
      try data(name + ".content", count: Int(clamping: length))
    } else {
      try text(name + ".content", count: Int(clamping: length))
    }
  }

  /// Adds the entries of metadata up to the offset `end`.
  private mutating func metadata(_ path: String, end: Int, depth: Int) throws(ByteError) {
    guard depth <= Metadata.maximumDepth else { throw ByteError(offset: offset) }
    while offset < end {
      let isScalar = isScalar
      let head = try varint(nil) { head in
        "a key of \(head >> 1) bytes, " + (isScalar ? "a value" : head & 1 == 1 ? "a dictionary" : "a text")
      }
      let start = offset
      try text(nil, count: Int(clamping: head >> 1), note: "key")
      let key = path + "." + [String(decoding: bytes[start..<offset], as: UTF8.self)].spelledPath
      let length = try length("bytes of the value")
      if isScalar {
        try u8(nil) { _ in "no dictionary" }
        try scalar(key, end: offset - 1 + length)
      } else if head & 1 == 1 {
        try metadata(key, end: offset + length, depth: depth + 1)
      } else {
        try text(key, count: length)
      }
    }
  }

  /// Whether the entry of metadata that follows has a value that is neither a text nor a dictionary.
  private var isScalar: Bool {
    var reader = ByteReader(offset: offset)
    let span = unsafe bytes.span.bytes
    guard let head = try? reader.varint(span), head & 1 == 1, let count = Int(exactly: head >> 1),
      (try? reader.take(count, span)) != nil, let value = try? reader.counted(span), !value.isEmpty
    else { return false }
    return bytes[value.lowerBound] == 0
  }

  /// Adds a value of metadata that is neither a text nor a dictionary.
  /// - Parameter end: Where the value ends, which a list needs; nil where there is none.
  mutating func scalar(_ name: String, end: Int? = nil) throws(ByteError) {
    let kinds: [UInt8: String] = [3: "an integer", 4: "a number", 5: "a date", 6: "a list", 7: "a reference"]
    let start = offset
    let kind = try read { (reader, bytes) throws(ByteError) in try reader.u8(bytes) }
    guard kind != 1 && kind != 2 else { return add(start..<offset, name, .flag(kind == 2)) }
    add(start..<offset, nil, .number(UInt64(kind)), note: kinds[kind] ?? "unknown")
    let place = offset
    switch kind {
    case 3:
      // An integer n is stored as 2 n, or as −2 n − 1 if it is negative.
      let value = try read { (reader, bytes) throws(ByteError) in try reader.varint(bytes) }
      add(place..<offset, name, .signed(Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)))
    case 4:
      let value = try read { (reader, bytes) throws(ByteError) in try reader.u64(bytes) }
      add(place..<offset, name, .real(Double(bitPattern: value)))
    case 5: try optional(name, isPresent: true, isDate: true)
    // The type, a zero byte, the identifier.
    case 7: try text(name, count: (end ?? offset) - offset)
    case 6:
      var index = 0
      while offset < end ?? 0 {
        try text("\(name)[\(index)]", count: try length("bytes of the text"))
        index += 1
      }
    default: throw ByteError(offset: offset - 1)
    }
  }

  mutating func conversation(_ names: DumpNames) throws(ByteError) {
    try frame()
    let flags = try flags([
      "isDistinct", "isVisible", "hasCreatedAt", "hasLast", "last.hasPosition", "last.hasSentAt",
      "last.hasReceivedAt", "last.isUnread",
    ])
    let extra = offset < bytes.count ? bytes[offset] : 0
    if extra == 0 { try reserved(1) } else { _ = try self.flags(["hasUpdatedAt", "hasRemoteID"]) }
    try u32("participantSet", note: names.participants)
    try optional("createdAt", isPresent: flags & 4 != 0, isDate: true)
    try u64("messageCount")
    try u64("unreadCount")
    try u64(flags & 8 != 0 ? "last.sequence" : nil)
    try optional("last.position", isPresent: flags & 16 != 0, isDate: false)
    try optional("last.sentAt", isPresent: flags & 32 != 0, isDate: true)
    try optional("last.receivedAt", isPresent: flags & 64 != 0, isDate: true)
    try u32(flags & 8 != 0 ? "last.sender" : nil) { flags & 8 != 0 ? names.user($0) : nil }
    if extra & 1 != 0 { try optional("updatedAt", isPresent: true, isDate: true) }
    try text("identifier", count: try length("bytes of the identifier"))
    if extra & 2 != 0 { try text("remoteID", count: try length("bytes of the remote identifier")) }
    try metadata("metadata", end: bytes.count - 8, depth: 1)
  }

  mutating func deletedConversation(_ names: DumpNames) throws(ByteError) {
    try frame()
    let flags = try flags(["isDistinct", "hasCreatedAt", "hasPosition", "hasSentAt", "hasRemoteID"])
    try reserved(1)
    try u32("participantSet", note: names.participants)
    try optional("createdAt", isPresent: flags & 2 != 0, isDate: true)
    try optional("floor.position", isPresent: flags & 4 != 0, isDate: false)
    try optional("floor.sentAt", isPresent: flags & 8 != 0, isDate: true)
    try text("identifier", count: try length("bytes of the identifier"))
    if flags & 16 != 0 { try text("remoteID", count: try length("bytes of the remote identifier")) }
    try metadata("metadata", end: bytes.count - 8, depth: 1)
  }

  mutating func identity(_ names: DumpNames) throws(ByteError) {
    try frame()
    let texts = ObjectField.ofIdentities.filter { $0.type == .text }.map(\.description.name)
    let reserved = Array(repeating: "reserved", count: 7 - texts.count)
    let flags = try flags(
      texts.map { "has" + $0.prefix(1).uppercased() + $0.dropFirst() } + reserved + ["followed"])
    let more = try u8("presence") { byte in
      let status = byte & 7 == 0 ? nil : PresenceStatus(rawValue: byte & 7 - 1)?.name
      return ((status.map { [$0] } ?? []) + (byte & 128 == 0 ? [] : ["hasLastSeenAt"])).joined(separator: " ")
    }
    try u32("user", note: names.user)
    if more & 128 != 0 { try optional("lastSeenAt", isPresent: true, isDate: true) }
    for (index, name) in texts.enumerated() where flags >> UInt8(index) & 1 == 1 {
      try text(name, count: try length("bytes of \(name)"))
    }
    try metadata("metadata", end: bytes.count - 8, depth: 1)
  }

  mutating func record(_ names: DumpNames) throws(ByteError) {
    try frame()
    try reserved(2)
    for name in ["owner", "createdBy", "updatedBy"] { try u32(name, note: names.user) }
    for name in ["createdAt", "updatedAt"] { try optional(name, isPresent: true, isDate: true) }
    try text("identifier", count: try length("bytes of the identifier"))
    try metadata("fields", end: bytes.count - 8, depth: 1)
  }

  mutating func dictionary(_ kind: DictionaryKind, _ names: DumpNames) throws(ByteError) {
    try frame()
    try u8(nil) { _ in "dictionary: \(kind)" }
    try reserved(1)
    guard kind.holdsSets else { return try text("text", count: bytes.count - 8 - offset) }
    var id: UInt64 = 0
    while offset < bytes.count - 8 {
      let previous = id
      let difference = try varint("members") { difference in
        let number = UInt32(clamping: previous &+ difference)
        return "id \(number)"
          + DumpNames.bracketed(kind == .typeSets ? names.mimeType(number) : names.user(number))
      }
      id = previous &+ difference
    }
  }

  /// Adds a byte of flags, with the names of the flags that are set.
  mutating func flags(_ names: [String]) throws(ByteError) -> UInt8 {
    try u8("flags") { byte in
      names.indices.filter { byte >> UInt8($0) & 1 == 1 }.map { names[$0] }.joined(separator: " ")
    }
  }

  mutating func reserved(_ count: Int) throws(ByteError) {
    for _ in 0..<count { try u8(nil) { _ in "reserved" } }
  }
}
