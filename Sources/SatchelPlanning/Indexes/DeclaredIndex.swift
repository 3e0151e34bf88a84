package import SatchelIndexing
package import SatchelModel
package import SatchelQuery

/// An index that an application has declared, checked and normalised.
package final class DeclaredIndex: Sendable {
  /// Its number in the store.
  package let id: UInt32
  package let name: String
  package let kind: ObjectKind
  /// What all its objects meet, beside that the store's user can see them: conditions that must all hold.
  package let conditions: [Condition]
  package let columns: [Column]

  /// What a column orders the entries by.
  package struct Column: Sendable {
    package let property: ObjectProperty
    package let descending: Bool
    /// Whether an object has an entry for each of its different values.
    package let isOfElements: Bool
    /// Whether its bytes are inverted in the entries.
    package let isInverted: Bool
    package let form: Form
  }

  /// How a value stands in an entry.
  package enum Form: Sendable {
    /// A number, a date, a Boolean or a status.
    case integer
    /// A text, an identifier or a MIME type.
    case text
    /// A value of metadata, with a key of its type before it.
    case custom
    /// The row of the message's conversation, or the number of its sender: they are found by it and not in the order of their names.
    case reference(Segment)
    /// The terms of texts: the only column of its index, whose entries are not values of columns. `WordEntries` has what they are.
    case words
  }

  /// - Parameter isOfWords: Whether it has the terms of the texts of its only column.
  package init(
    id: UInt32, name: String, kind: ObjectKind, condition: Condition,
    columns: [(property: ObjectProperty, descending: Bool, isOfElements: Bool)], isOfWords: Bool = false
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    switch condition {
    case .always: conditions = []
    case .all(let list): conditions = list
    default: conditions = [condition]
    }
    let isReversed = columns.last?.descending ?? false
    self.columns = columns.map { column in
      Column(
        property: column.property, descending: column.descending, isOfElements: column.isOfElements,
        isInverted: column.descending != isReversed,
        form: isOfWords ? .words : Form(column.property, of: kind))
    }
  }
}

extension DeclaredIndex {
  /// What all its objects meet.
  package var condition: Condition {
    conditions.isEmpty ? .always : conditions.count == 1 ? conditions[0] : .all(conditions)
  }

  /// The property of whose texts it has the terms, for full-text search; nil of an index of values.
  package var wordsProperty: ObjectProperty? {
    guard let column = columns.first, case .words = column.form else { return nil }
    return column.property
  }
}

extension DeclaredIndex.Form {
  init(_ property: ObjectProperty, of kind: ObjectKind) {
    switch Segment(property, of: kind) {
    case .conversation where kind == .messages: self = .reference(.conversation)
    case .sender: self = .reference(.sender)
    default:
      switch property.type {
      case .custom: self = .custom
      case .text, .bytes, .participants, .metadata: self = .text
      case .number, .date, .boolean, .enumeration: self = .integer
      }
    }
  }

  /// Whether entries come in the order of the values.
  package var isOrdered: Bool {
    switch self {
    case .integer, .text, .custom: true
    case .reference, .words: false
    }
  }
}

extension DeclaredIndex.Column {
  /// Whether a missing value comes behind all others.
  package var isMissingLast: Bool { property.field == .position }

  /// Appends what an entry has of a missing value.
  package func appendMissing(to key: inout DeclaredKey) {
    key.appendMissing(isLast: isMissingLast, isInverted: isInverted)
  }
}
