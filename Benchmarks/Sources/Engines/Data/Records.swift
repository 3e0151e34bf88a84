/// A message or announcement as a line of the interchange format gives it, and as the engines other than Satchel give it
/// back: plain values of the same content as a Satchel message has.
public struct MessageValues: Sendable {
  public var identifier = ""
  /// The identifier of its conversation; empty for an announcement.
  public var conversation = ""
  public var sender = ""
  /// Nil while unsent.
  public var position: Int64?
  /// Microseconds since 1970.
  public var sentAt: Int64?
  /// Microseconds since 1970.
  public var receivedAt: Int64?
  /// When its parts were edited last; nil if they are as they were sent.
  public var editedAt: Int64?
  public var isSent = true
  public var isUnread = false
  public var parts: [PartValues] = []
  /// The recipients' status as the JSON text of the line, to be looked into by whoever needs it.
  public var recipientStatus: String?
  /// The metadata as the JSON text of the line.
  public var metadata: String?

  public init() {}

  /// The text of the first part that is a text, whatever its length, as of a Satchel message.
  public var text: String? {
    for part in parts where part.kind == .text {
      if let text = part.text { return text }
    }
    return nil
  }
}

/// A part of a message.
public struct PartValues: Sendable {
  /// What a part holds.
  public enum Kind: Int64, Sendable {
    case text, data, url
  }

  public var mimeType = ""
  public var kind = Kind.text
  /// The bytes of the content, or the declared size behind a link.
  public var size: Int64?
  /// A text or a link, whatever its length.
  public var text: String?
  /// Bytes; nil where they are too large to come with their message.
  public var data: [UInt8]?

  public init() {}

  /// The size up to which bytes come with their message, as in Satchel.
  public static let inlineBytes = 65_536
}

/// A conversation as a line gives it.
public struct ConversationValues: Sendable {
  public var identifier = ""
  public var participants: [String] = []
  /// Microseconds since 1970.
  public var createdAt: Int64?
  public var isDistinct = false
  /// The metadata as the JSON text of the line.
  public var metadata: String?
  /// The texts of the metadata with their dotted key paths.
  public var metadataTexts: [(path: String, value: String)] = []

  public init() {}
}

/// An identity as a line gives it.
public struct IdentityValues: Sendable {
  public var userID = ""
  public var displayName: String?
  public var firstName: String?
  public var lastName: String?
  public var emailAddress: String?
  public var phoneNumber: String?
  public var avatarURL: String?
  public var metadata: String?

  public init() {}
}

/// A message with the identity of its sender, as the engines other than Satchel give them back.
public struct SentMessage: Sendable {
  public var message: MessageValues
  /// Nil if there is none.
  public var sender: IdentityValues?
}

/// A line between the header and the trailer.
public enum LineRecord: Sendable {
  case identity(IdentityValues)
  case conversation(ConversationValues)
  case message(MessageValues)
  case announcement(MessageValues)
}

/// A conversation as the engines other than Satchel give it back.
public struct ConversationObject: Sendable {
  public var identifier = ""
  public var participants: [String] = []
  public var createdAt: Int64?
  public var isDistinct = false
  public var metadata: String?
  public var unreadCount = 0
  public var messageCount = 0
  public var lastMessage: MessageValues?

  public init() {}
}
