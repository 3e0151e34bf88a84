package import SatchelModel

/// What one word of an index's rows, or two that only make sense together, means.
///
/// A date or number that may be missing is a presence word and then its word, so that missing values sort first. A
/// position is an "unsent" word and then its word, so that unsent messages sort last.
package enum Segment: Hashable, Sendable {
  /// The row of the conversation that a message belongs to.
  case conversation
  /// Whether the message is unsent, then the position.
  case position
  /// The creation sequence of a message or announcement.
  case sequence
  /// Presence, then the date or the number of this property.
  case optional(ObjectProperty)
  /// The sender's number in the dictionary of users.
  case sender
  /// The number of the set of MIME types of a message's parts.
  case typeSet
  /// The number of a part's MIME type.
  case mimeType
  /// A part's index in its message.
  case partIndex
  /// The row of a conversation or identity, in creation order.
  case row
  /// The number of a participant.
  case member
  /// The number of the set of participants, then 1 if the conversation is hidden.
  case memberSet
  /// The number of an identity's user.
  case user
  /// The hash of an identifier.
  case identifierHash
  /// The number of a record's type.
  case recordType

  /// One word of a segment.
  package struct Column: Hashable, Sendable {
    /// The name that `satchel dump` and FORMAT.md give it.
    package let name: String
    package let kind: Kind

    /// How the word is read.
    package enum Kind: Sendable {
      case number
      /// 0 or 1.
      case flag
      case hash
      /// Microseconds since 1970, if the flag before it is 1.
      case date
      /// A number with a sign, if the flag before it is 1.
      case integer
      /// A position, if the flag before it is 0.
      case position
      /// A number in the dictionary of users.
      case user
      case typeSet
      case mimeType
      case participantSet
    }

    init(_ name: String, _ kind: Kind = .number) {
      self.name = name
      self.kind = kind
    }
  }

  /// The words of the segment, in their order.
  package var columns: [Column] {
    switch self {
    case .conversation: [Column("conversation")]
    case .position: [Column("isUnsent", .flag), Column("position", .position)]
    case .sequence: [Column("sequence")]
    case .optional(let property):
      [
        Column(property.type == .date ? "hasDate" : "hasNumber", .flag),
        Column(property.field.path.joined(), property.type == .date ? .date : .integer),
      ]
    case .sender: [Column("sender", .user)]
    case .typeSet: [Column("typeSet", .typeSet)]
    case .mimeType: [Column("mimeType", .mimeType)]
    case .partIndex: [Column("index")]
    case .row: [Column("row")]
    case .member, .user: [Column("user", .user)]
    case .memberSet: [Column("participantSet", .participantSet), Column("isHidden", .flag)]
    case .identifierHash: [Column("identifierHash", .hash)]
    case .recordType: [Column("recordType")]
    }
  }

  /// How many words the segment takes.
  package var width: Int {
    switch self {
    case .position, .optional, .memberSet: 2
    case .conversation, .sequence, .sender, .typeSet, .mimeType, .partIndex, .row, .member, .user,
      .identifierHash, .recordType:
      1
    }
  }

  /// Whether the segment names the object itself: ties of the other segments are broken by it.
  package var isIdentity: Bool {
    switch self {
    case .sequence, .partIndex, .row: true
    case .conversation, .position, .optional, .sender, .typeSet, .mimeType, .member, .memberSet, .user,
      .identifierHash, .recordType:
      false
    }
  }

  /// The segment that holds a property's value; nil if no index has it.
  package init?(_ property: ObjectProperty, of kind: ObjectKind) {
    guard property.relations.count <= 1 else { return nil }
    switch (kind, property.relations.first, property.field) {
    case (.messages, nil, .conversation), (.messages, .conversation, .identifier): self = .conversation
    case (.messages, nil, .position): self = .position
    case (.messages, nil, .senderUserID): self = .sender
    case (.messages, .parts, .mimeType), (.announcements, .parts, .mimeType): self = .typeSet
    case (.messages, nil, .sentAt), (.messages, nil, .receivedAt), (.announcements, nil, .sentAt):
      self = .optional(property)
    case (.parts, nil, .mimeType): self = .mimeType
    case (.parts, nil, .size): self = .optional(property)
    case (.parts, nil, .index): self = .partIndex
    case (.conversations, nil, .createdAt), (.conversations, .lastMessage, .receivedAt),
      (.conversations, .lastMessage, .sentAt):
      self = .optional(property)
    case (.identities, nil, .userID), (.identities, nil, .identifier): self = .user
    default: return nil
    }
  }
}
