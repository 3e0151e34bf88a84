package import SatchelModel

/// What one or two neighbouring columns of an index mean.
///
/// Columns that only make sense together are one segment: a date that may be missing is a presence word and a date
/// word, a position an "unsent" word and a position word.
package enum Segment: Hashable, Sendable {
  /// The row of the conversation that a message belongs to.
  case conversation
  /// Unsent, then the position.
  case position
  /// The creation sequence of a message or announcement.
  case sequence
  /// Presence, then the date of this property.
  case date(Property)
  /// The sender's number in the dictionary of users.
  case sender
  /// The number of the set of MIME types of a message's parts.
  case typeSet
  /// The number of a part's MIME type.
  case mimeType
  /// A part's place in its message.
  case partIndex
  /// The row of a conversation or identity, in creation order.
  case row
  /// The number of a participant.
  case member
  /// The number of the set of participants, then 1 where the conversation is hidden.
  case memberSet
  /// The number of an identity's user.
  case user

  /// How many columns the segment takes.
  package var columns: Int {
    switch self {
    case .position, .date, .memberSet: 2
    default: 1
    }
  }

  /// True for the columns that name the object itself, by which ties are broken.
  package var isIdentity: Bool {
    switch self {
    case .sequence, .partIndex, .row: true
    default: false
    }
  }

  /// The segment that holds a property's value, where one can.
  package init?(_ property: Property, of kind: ObjectKind) {
    guard property.relations.count <= 1 else { return nil }
    switch (kind, property.relations.first, property.field) {
    case (.messages, nil, .conversation), (.messages, .conversation, .identifier): self = .conversation
    case (.messages, nil, .position): self = .position
    case (.messages, nil, .senderUserID): self = .sender
    case (.messages, .parts, .mimeType), (.announcements, .parts, .mimeType): self = .typeSet
    case (.messages, nil, .sentAt), (.announcements, nil, .sentAt): self = .date(property)
    case (.parts, nil, .mimeType): self = .mimeType
    case (.parts, nil, .index): self = .partIndex
    case (.conversations, nil, .createdAt), (.conversations, .lastMessage, .receivedAt),
      (.conversations, .lastMessage, .sentAt):
      self = .date(property)
    case (.identities, nil, .userID), (.identities, nil, .identifier): self = .user
    default: return nil
    }
  }
}
