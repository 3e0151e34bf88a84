package import SatchelModel

/// The meaning of one column of an index, or of two adjacent columns.
///
/// Columns that only make sense together form one segment. A date that may be missing is a presence word and a date
/// word; a position is an "unsent" word and a position word.
package enum Segment: Hashable, Sendable {
  /// The row of the conversation that a message belongs to.
  case conversation
  /// An "unsent" word, then the position.
  case position
  /// The creation sequence of a message or announcement.
  case sequence
  /// A presence word, then the date that this property has.
  case date(Property)
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
  /// A participant's number in the dictionary of users.
  case member
  /// The number of the set of participants, then 1 if the conversation is hidden and 0 if it is not.
  case memberSet
  /// The number of an identity's user in the dictionary of users.
  case user

  /// How many columns the segment takes.
  package var columns: Int {
    switch self {
    case .position, .date, .memberSet: 2
    default: 1
    }
  }

  /// True for the segments that identify the object itself; they break ties.
  package var isIdentity: Bool {
    switch self {
    case .sequence, .partIndex, .row: true
    default: false
    }
  }

  /// Finds the segment that holds a property's value; nil if no segment can hold it.
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
