import SatchelCoding
import TestSupport

// The records of FORMAT.md, section 5, field by field. What stands here is written from the document, not from the
// decoders: the test compares the two.
extension AnnotatedBytes {
  /// Takes the kind and the version, and returns the version.
  @discardableResult
  mutating func frame(_ kind: String) throws -> UInt64 {
    try number(1, "kind") { "\($0) \(kind)" }
    return try number(1, "version")
  }

  mutating func reserved(_ size: Int) throws { try number(size, "reserved") }

  mutating func checksum() throws {
    try number(8, "checksum") { _ in "hash of the bytes before, seeded by the key's" }
    try end()
  }

  static func flags(_ value: UInt64, _ names: [String]) -> String {
    let set = names.indices.filter { value & 1 << UInt64($0) != 0 }.map { names[$0] }
    return set.isEmpty ? "none" : set.joined(separator: " + ")
  }

  mutating func message() throws {
    try frame("message")
    let names = ["sent", "unread", "has a position", "has a date of sending", "has a date of receipt"]
    try number(1, "flags") { Self.flags($0, names) }
    let life = try number(1, "life") {
      Self.flags($0, ["edited", "deleted", "updated", "remote identifier"])
    }
    try number(4, "sender (users)")
    try signed("position")
    try signed("sentAt")
    try signed("receivedAt")
    try number(4, "set of types (typeSets)")
    if life & 1 != 0 { try signed("editedAt") }
    if life & 2 != 0 { try signed("deletedAt") }
    if life & 4 != 0 { try signed("updatedAt") }
    let identifier = Int(clamping: try varint("bytes of the identifier"))
    let recipients = Int(clamping: try varint("bytes of the recipients"))
    let metadata = Int(clamping: try varint("bytes of the metadata"))
    let parts = try varint("parts")
    let remoteID = life & 8 != 0 ? Int(clamping: try varint("bytes of the remote identifier")) : nil
    try text(identifier, "identifier")
    if let remoteID { try text(remoteID, "remote identifier") }
    let recipientsEnd = offset + recipients
    var user: UInt64 = 0
    while offset < recipientsEnd {
      try varint("recipient") { value in
        user += value >> 3
        return "user \(user), \(["pending", "sent", "delivered", "read"][Int(value & 3)])"
      }
    }
    try self.metadata(to: offset + metadata)
    for index in 0..<parts { try part(index) }
    try checksum()
  }

  private mutating func part(_ index: UInt64) throws {
    let names = ["text", "data", "link"]
    let head = try number(1, "part \(index)") { head in
      names[Int(min(head & 3, 2))]
        + [(4, ", in bodies"), (8, ", size is the length"), (16, ", size follows")].map {
          head & $0.0 != 0 ? $0.1 : ""
        }.joined()
    }
    try varint("MIME type (mimeTypes)")
    if head & 16 != 0 { try varint("size") }
    let length = try varint("length")
    if head & 4 != 0 {
      try number(8, "digest of the pieces") { _ in "the sum of their checksums" }
    } else if head & 3 == 1 {
      if length > 0 { _ = try take(Int(clamping: length), "content") }
    } else {
      try text(Int(clamping: length), "content")
    }
  }

  mutating func metadata(to end: Int, depth: Int = 0) throws {
    let indent = String(repeating: "  ", count: depth)
    while offset < end {
      let head = try varint("\(indent)key") { "\($0 >> 1) bytes, \($0 & 1 == 0 ? "a text" : "no text")" }
      try text(Int(clamping: head >> 1), "\(indent)key")
      let count = Int(clamping: try varint("\(indent)bytes of the value"))
      if head & 1 == 0 {
        try text(count, "\(indent)value")
      } else if count > 0, bytes[offset] == 0 {
        try number(1, "\(indent)no dictionary")
        try scalar(indent)
      } else {
        try metadata(to: offset + count, depth: depth + 1)
      }
    }
  }

  /// A value of metadata that is neither a text nor a dictionary.
  mutating func scalar(_ indent: String = "") throws {
    let kinds = ["?", "false", "true", "an integer", "a number", "a date"]
    switch try number(1, "\(indent)value", { kinds[Int(min($0, 5))] }) {
    case 3: try varint("\(indent)integer") { String(Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1)) }
    case 4: try number(8, "\(indent)number") { "\(Double(bitPattern: $0))" }
    case 5: try signed("\(indent)date")
    default: break
    }
  }

  mutating func conversation() throws {
    try frame("conversation")
    let names = [
      "distinct", "visible", "has a date of creation", "has a last message", "which has a position",
      "a date of sending", "a date of receipt", "is unread",
    ]
    try number(1, "flags") { Self.flags($0, names) }
    let extra = try number(1, "flags") {
      Self.flags($0, ["has a date of its last change", "remote identifier"])
    }
    try number(4, "participants (participantSets)")
    try signed("createdAt")
    try number(8, "messages")
    try number(8, "unread messages")
    try number(8, "last message's sequence")
    for name in ["position", "sentAt", "receivedAt"] { try signed("last message's \(name)") }
    try number(4, "last message's sender (users)")
    if extra & 1 != 0 { try signed("updatedAt") }
    try counted("identifier")
    if extra & 2 != 0 { try counted("remote identifier") }
    try metadata(to: bytes.count - 8)
    try checksum()
  }

  mutating func identity() throws {
    try frame("identity")
    let names = ["displayName", "firstName", "lastName", "emailAddress", "phoneNumber", "avatarURL"]
    let flags = try number(1, "flags") { Self.flags($0, names + ["reserved", "followed"]) }
    try reserved(1)
    try number(4, "user (users)")
    for index in names.indices where flags & 1 << UInt64(index) != 0 { try counted(names[index]) }
    try metadata(to: bytes.count - 8)
    try checksum()
  }

  mutating func dictionaryEntry(_ dictionary: DictionaryKind) throws {
    try frame("dictionary entry")
    try number(1, "dictionary") { "\($0) \(dictionary)" }
    try reserved(1)
    if dictionary.holdsSets {
      var id: UInt64 = 0
      while rest > 8 {
        try varint("id") { difference in
          id += difference
          return "\(id)"
        }
      }
    } else {
      try text(rest - 8, "text")
    }
    try checksum()
  }

  mutating func header() throws {
    try frame("header")
    try number(1, "order of bytes") { $0 == 1 ? "little-endian" : "big-endian" }
    try number(1, "bytes of a word")
    try number(4, "LMDB's page size")
    _ = try take(8, "magic = \"Satchel\\0\"")
    try number(4, "format")
    try number(4, "oldest format that a reader must know")
    try number(2, "set of indexes")
    try number(2, "optional indexes")
    try number(4, "Unicode") { "\($0 >> 16).\($0 >> 8 & 255).\($0 & 255)" }
    _ = try take(16, "UUID")
    try signed("createdAt")
    try number(4, "most bytes of a node")
    try number(4, "most bytes of a full piece")
    try number(4, "most bytes of a piece of a tail")
    try number(4, "most bytes of a content in a record")
    try number(4, "most bytes of a text in a node")
    try reserved(4)
    try text(rest - 8, "user")
    try checksum()
  }

  mutating func body() throws {
    try text(rest - 8, "content")
    try checksum()
  }
}
