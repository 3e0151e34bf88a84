internal import SatchelModel
import SatchelText
internal import SatchelWriting

/// Reads the line of an ordinary message at once, without a value for each of its members: most lines of a file are such.
///
/// A line is ordinary if each of its keys is known, stands there once and without escapes, and has a value of its type. Any
/// other line gives nil. Then it is read as JSON: what is valid and what is said of an error is decided there alone, and
/// nothing may be read here that is refused or understood in another way there.
extension JSONReader {
  /// A message of a conversation.
  struct OrdinaryMessage {
    var draft: MessageDraft
    let conversation: Conversation.ID
  }

  /// - Parameters:
  ///   - parts: The shape of a part.
  ///   - version: The version of the format.
  mutating func readOrdinaryMessage(_ bytes: RawSpan, parts: JSONShape, version: Int64) -> OrdinaryMessage? {
    begin()
    do { return try message(bytes, parts, version) } catch { return nil }
  }

  private mutating func message(
    _ bytes: RawSpan, _ partShape: JSONShape, _ version: Int64
  ) throws(JSONError) -> OrdinaryMessage? {
    guard skip(UInt8(ascii: "{"), bytes) else { return nil }
    var draft = MessageDraft(sender: Identity.ID(""))
    var conversation: Conversation.ID?
    var seen = KnownKeys()
    repeat {
      skipWhitespace(bytes)
      guard let key = try knownKey(bytes, shape), seen.insert(key) else { return nil }
      switch key {
      case .kind: guard UTF8Order.areEqual(try text(bytes) ?? "", "message") else { return nil }
      case .identifier: draft.identifier = try text(bytes).map { Message.ID($0) }
      case .remoteID:
        guard let remoteID = try text(bytes) else { return nil }
        draft.remoteID = Message.ID(remoteID)
      case .conversation: conversation = try text(bytes).map { Conversation.ID($0) }
      case .sender:
        guard let sender = try text(bytes) else { return nil }
        draft.sender = Identity.ID(sender)
      case .position:
        guard let position = try integer(bytes) else { return nil }
        draft.position = position
      case .sentAt:
        guard let date = try date(bytes) else { return nil }
        draft.sentAt = date
      case .receivedAt:
        guard let date = try date(bytes) else { return nil }
        draft.receivedAt = date
      case .editedAt:
        guard let date = try date(bytes) else { return nil }
        draft.editedAt = date
      case .deletedAt:
        guard let date = try date(bytes) else { return nil }
        draft.deletedAt = date
      case .updatedAt:
        guard let date = try date(bytes) else { return nil }
        draft.updatedAt = date
      case .isSent:
        guard case .bool(let value) = try readScalar(bytes) else { return nil }
        draft.isSent = value
      case .isUnread:
        guard case .bool(let value) = try readScalar(bytes) else { return nil }
        draft.isUnread = value
      case .parts: guard try readParts(bytes, partShape, into: &draft.parts) else { return nil }
      case .recipientStatus: guard try readRecipients(bytes, into: &draft.recipientStatus) else { return nil }
      case .metadata:
        guard peek(bytes) == UInt8(ascii: "{") else { return nil }
        let value = try readValue(bytes, depth: 1, .everything)
        guard keptValues <= Self.mostValues, let metadata = try? value.metadata("metadata", version) else {
          return nil
        }
        draft.metadata = metadata
      case .mimeType, .text, .base64, .url, .size, .transferStatus: return nil
      }
      skipWhitespace(bytes)
    } while skip(UInt8(ascii: ","), bytes)
    guard skip(UInt8(ascii: "}"), bytes), position == bytes.byteCount, seen.contains(.kind),
      seen.contains(.sender), draft.identifier != nil, let conversation
    else { return nil }
    return OrdinaryMessage(draft: draft, conversation: conversation)
  }

  private mutating func readParts(
    _ bytes: RawSpan, _ shape: JSONShape, into parts: inout [MessagePart.Draft]
  ) throws(JSONError) -> Bool {
    guard skip(UInt8(ascii: "["), bytes) else { return false }
    skipWhitespace(bytes)
    if skip(UInt8(ascii: "]"), bytes) { return true }
    repeat {
      skipWhitespace(bytes)
      guard parts.count < Self.mostParts, let part = try part(bytes, shape) else { return false }
      parts.append(part)
      skipWhitespace(bytes)
    } while skip(UInt8(ascii: ","), bytes)
    return skip(UInt8(ascii: "]"), bytes)
  }

  /// Reads a part that is a text or a link.
  private mutating func part(_ bytes: RawSpan, _ shape: JSONShape) throws(JSONError) -> MessagePart.Draft? {
    guard skip(UInt8(ascii: "{"), bytes) else { return nil }
    var mimeType: String?
    var content: String?
    var url: String?
    var size: Int64?
    var seen = KnownKeys()
    repeat {
      skipWhitespace(bytes)
      guard let key = try knownKey(bytes, shape), seen.insert(key) else { return nil }
      switch key {
      case .mimeType: mimeType = try text(bytes)
      case .text: content = try text(bytes)
      case .url: url = try text(bytes)
      case .size:
        size = try integer(bytes)
        guard let size, size >= 0 else { return nil }
      default: return nil
      }
      skipWhitespace(bytes)
    } while skip(UInt8(ascii: ","), bytes)
    guard skip(UInt8(ascii: "}"), bytes), let mimeType else { return nil }
    switch (content, url) {
    case (let content?, nil) where size == nil && !seen.contains(.url):
      return .text(content, mimeType: mimeType)
    case (nil, let url?) where !seen.contains(.text): return .url(url, mimeType: mimeType, size: size)
    default: return nil
    }
  }

  private mutating func readRecipients(
    _ bytes: RawSpan, into recipients: inout [RecipientStatusEntry]
  ) throws(JSONError) -> Bool {
    guard skip(UInt8(ascii: "{"), bytes) else { return false }
    skipWhitespace(bytes)
    if skip(UInt8(ascii: "}"), bytes) { return true }
    repeat {
      skipWhitespace(bytes)
      guard recipients.count < Self.mostRecipients, let user = try text(bytes),
        !recipients.contains(where: { $0.user.rawValue.hasSameBytes(as: user) })
      else { return false }
      skipWhitespace(bytes)
      guard skip(UInt8(ascii: ":"), bytes) else { return false }
      skipWhitespace(bytes)
      guard let name = try text(bytes),
        let status = Enumeration.recipientStatus.number(of: name).flatMap(RecipientStatus.init(rawValue:))
      else { return false }
      recipients.append(RecipientStatusEntry(user: Identity.ID(user), status: status))
      skipWhitespace(bytes)
    } while skip(UInt8(ascii: ","), bytes)
    return skip(UInt8(ascii: "}"), bytes)
  }

  // So few that no limit of a line is near.
  private static let mostValues = 1000
  private static let mostParts = 100
  private static let mostRecipients = 16

  /// Reads a key and the colon behind it. Returns nil if it is not known, or has escapes.
  private mutating func knownKey(_ bytes: RawSpan, _ shape: JSONShape) throws(JSONError) -> KnownKey? {
    guard skip(UInt8(ascii: "\""), bytes) else { return nil }
    let start = position
    try skipPlainCharacters(bytes)
    let content = bytes.extracting(start..<position)
    guard skip(UInt8(ascii: "\""), bytes), let key = shape.known(content, hash: Self.hash(content)) else {
      return nil
    }
    skipWhitespace(bytes)
    guard skip(UInt8(ascii: ":"), bytes) else { return nil }
    skipWhitespace(bytes)
    return key
  }

  /// Reads a text; nil if the value is none.
  private mutating func text(_ bytes: RawSpan) throws(JSONError) -> String? {
    peek(bytes) == UInt8(ascii: "\"") ? try readString(bytes) : nil
  }

  private mutating func integer(_ bytes: RawSpan) throws(JSONError) -> Int64? {
    guard case .integer(let value) = try readScalar(bytes) else { return nil }
    return value
  }

  /// Reads a date without making a text of it.
  private mutating func date(_ bytes: RawSpan) throws(JSONError) -> Timestamp? {
    guard skip(UInt8(ascii: "\""), bytes) else { return nil }
    let start = position
    try skipPlainCharacters(bytes)
    let content = bytes.extracting(start..<position)
    guard skip(UInt8(ascii: "\""), bytes) else { return nil }
    return unsafe content.withUnsafeBytes { raw in
      unsafe raw.withMemoryRebound(to: UInt8.self) { buffer in
        (unsafe try? RFC3339.parse(buffer.span)).map { Timestamp(microseconds: $0) }
      }
    }
  }
}

/// A set of known keys.
private struct KnownKeys {
  private var bits: UInt32 = 0

  /// Adds a key, and returns whether it was not there.
  mutating func insert(_ key: KnownKey) -> Bool {
    guard !contains(key) else { return false }
    bits |= 1 << key.rawValue
    return true
  }

  func contains(_ key: KnownKey) -> Bool { bits & 1 << key.rawValue != 0 }
}
