import SatchelText

/// The type of a property's value. It decides which operators the property supports and whether it can be sorted by.
public enum ValueType: Sendable, Hashable {
  /// A text that is compared, sorted and matched in NFC: names, the text of parts.
  case text
  /// A value of metadata, of whatever type an object has: of several types, each compares with its own alone, and they sort as
  /// `ValueKey` says.
  case custom
  /// A string that is compared byte for byte: identifiers, user ids, references to objects, MIME types.
  case bytes
  /// An Int64.
  case number
  /// A ``Timestamp``.
  case date
  /// True or false.
  case boolean
  /// One of a few values that have names.
  case enumeration(Enumeration)
  /// The set of a conversation's participants.
  case participants
  /// A whole metadata dictionary.
  case metadata
}

/// The types whose values have names.
public enum Enumeration: Sendable, Hashable {
  /// ``RecipientStatus``.
  case recipientStatus
  /// ``PresenceStatus``.
  case presenceStatus
  /// ``TransferStatus``.
  case transferStatus

  /// The name of the type in errors.
  package var name: String {
    switch self {
    case .recipientStatus: "recipient status"
    case .presenceStatus: "presence status"
    case .transferStatus: "transfer status"
    }
  }

  /// The names of the values, each at the value's number.
  package var names: [String] {
    switch self {
    case .recipientStatus: RecipientStatus.names
    case .presenceStatus: PresenceStatus.names
    case .transferStatus: TransferStatus.names
    }
  }

  /// Returns the name of a value; nil if no value has the number.
  package func name(of number: Int64) -> String? {
    let names = names
    return Int(exactly: number).flatMap { names.indices.contains($0) ? names[$0] : nil }
  }

  /// Returns the number of a value; nil if no value has the name.
  package func number(of name: String) -> UInt8? {
    names.firstIndex { UTF8Order.areEqual($0, name) }.map { UInt8($0) }
  }

  /// Returns the names as an error lists them: `'a', 'b' or 'c'`.
  package func choices(inQuotes quote: String) -> String {
    let quoted = names.map { quote + $0 + quote }
    return quoted.dropLast().joined(separator: ", ") + " or " + (quoted.last ?? "")
  }
}

extension ValueType {
  /// The name of the type in errors.
  package var name: String {
    switch self {
    case .text: "text"
    case .custom: "value of metadata"
    case .bytes: "identifier or MIME type"
    case .number: "number"
    case .date: "date"
    case .boolean: "Boolean"
    case .enumeration(let enumeration): enumeration.name
    case .participants: "participants"
    case .metadata: "metadata"
    }
  }

  /// Returns the name of a value of an enumeration; nil for no value, and for another type.
  package func name(of number: UInt8?) -> String? {
    guard case .enumeration(let enumeration) = self, let number else { return nil }
    return enumeration.name(of: Int64(number))
  }
}

extension ObjectProperty {
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

  /// True if an object of a kind need not have a value. Records know when they were created and changed last; of other objects this may be
  /// unknown.
  package func isOptional(of kind: ObjectKind) -> Bool {
    isOptional && !(kind == .records && (field == .createdAt || field == .updatedAt))
  }

  /// True if results can be sorted by the property.
  public var isSortable: Bool {
    guard !isToMany else { return false }
    return switch type {
    case .text, .bytes, .custom, .number, .date, .boolean: true
    case .enumeration(.presenceStatus), .enumeration(.transferStatus): true
    case .enumeration(.recipientStatus), .participants, .metadata: false
    }
  }
}
