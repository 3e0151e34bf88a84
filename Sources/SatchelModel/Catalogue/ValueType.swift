/// The type of a property's value. It decides which operators the property supports and whether it can be sorted by.
public enum ValueType: Sendable, Hashable {
  /// A text that is compared, sorted and matched in NFC: names, metadata values, the text of parts.
  case text
  /// A string that is compared byte for byte: identifiers, user ids, references to objects, MIME types.
  case bytes
  /// An Int64.
  case number
  /// A ``Timestamp``.
  case date
  /// True or false.
  case boolean
  /// A ``RecipientStatus``.
  case recipientStatus
  /// The set of a conversation's participants.
  case participants
  /// A whole metadata dictionary.
  case metadata
}

extension Property {
  /// The type of the property's value; for a property of several parts, the type of each value.
  public var type: ValueType { field.type }

  /// True if an object need not have a value, because the field or an object on the path may not exist.
  public var isOptional: Bool {
    field.isOptional
      || relations.contains { relation in
        switch relation {
        case .lastMessage, .sender, .parts: true
        case .conversation, .message: false
        }
      }
  }

  /// True if results can be sorted by the property.
  public var isSortable: Bool {
    guard !isToMany else { return false }
    return switch type {
    case .text, .bytes, .number, .date, .boolean: true
    case .recipientStatus, .participants, .metadata: false
    }
  }
}
