package import SatchelModel

/// The changes of one commit: the record under its sequence in the change log.
package struct ChangeLogEntry: Sendable, Hashable {
  /// The changed objects, in the order in which they were changed; each at most once.
  package var changes: [LoggedChange]
  /// Changes of so many objects that they are not listed, and messages that have appeared or disappeared with their
  /// conversation.
  package var ranges: [RangeChange]
  /// The creation sequences of the messages and announcements that an import has added, ascending and apart from each other. Empty
  /// if nothing of the import is in a range: all that it added is in `changes` then.
  package var added: [ClosedRange<UInt64>]

  package init(
    changes: [LoggedChange] = [], ranges: [RangeChange] = [], added: [ClosedRange<UInt64>] = []
  ) {
    self.changes = changes
    self.ranges = ranges
    self.added = added
  }

  /// The most messages of one conversation that are listed; more are represented by a range.
  package static let maximumObjects = 1000
  /// The most objects of an import that are listed. Of more, the messages are represented by a range for each conversation; by one
  /// range for all objects if there are more ranges and other objects than this.
  package static let maximumImported = 10_000
}

/// An object by its row or key in the store. An announcement is a message without a conversation.
package enum ObjectRow: Sendable, Hashable {
  case conversation(UInt32)
  case message(MessageKey)
  case identity(UInt32)
  case record(TypedRecordKey)
}

extension ObjectRow: CustomStringConvertible {
  /// The object as faults name it: its kind, and the key that `satchel dump` takes.
  package var description: String {
    switch self {
    case .conversation(let row): "conversation \(row)"
    case .message(let key) where key.isAnnouncement: "announcement \(key.sequence)"
    case .message(let key): "message \(key.conversation)/\(key.sequence)"
    case .identity(let row): "identity \(row)"
    case .record(let key): "record \(key.type)/\(key.sequence)"
    }
  }
}

/// The change of one object.
package struct LoggedChange: Sendable, Hashable {
  package enum Action: UInt8, Sendable, Hashable {
    case created = 0
    case updated = 1
    case deleted = 2
  }

  package var object: ObjectRow
  package var action: Action
  /// The properties whose values differ; empty for a created or deleted object.
  package var properties: LoggedProperties
  /// The values before the change, by ascending property: of the properties that have a fixed width, are interned or
  /// can be sorted by. Never a part's text.
  package var before: [BeforeValue]
  /// The metadata key paths whose values differ, by ascending path.
  package var metadata: [MetadataChange]
  /// The statuses that differ, as they were, by ascending user: of an update whose properties have `recipientStatus`, and all of
  /// a deleted message. Empty in entries of stores that were written by programs of an earlier format than 10.
  package var recipients: [RecipientChange]
  /// The parts before an edit or a deletion; nil if there was none. Of an update whose properties have `contents`, or of a deleted message.
  package var contents: LoggedContents?

  package init(
    _ object: ObjectRow, _ action: Action, properties: LoggedProperties = LoggedProperties(rawValue: 0),
    before: [BeforeValue] = [], metadata: [MetadataChange] = [], recipients: [RecipientChange] = [],
    contents: LoggedContents? = nil
  ) {
    self.object = object
    self.action = action
    self.properties = properties
    self.before = before
    self.metadata = metadata
    self.recipients = recipients
    self.contents = contents
  }

  /// Returns the value that a property had before the change, if the entry keeps it.
  package func before(_ property: LoggedProperty) -> LoggedValue? {
    before.first { $0.property == property }?.value
  }
}

extension LoggedChange {
  /// Combines this change and a later one of the same object into one; nil if the object is created and deleted by
  /// them.
  package func followed(by second: LoggedChange) -> LoggedChange? {
    switch (action, second.action) {
    case (.created, .deleted): return nil
    case (.created, _): return self
    default: break
    }
    var result = second
    result.properties.formUnion(properties)
    for value in before {
      result.before.removeAll { $0.property == value.property }
      result.before.append(value)
    }
    for change in metadata {
      result.metadata.removeAll { $0.path == change.path }
      result.metadata.append(change)
    }
    for change in recipients {
      result.recipients.removeAll { $0.user == change.user }
      result.recipients.append(change)
    }
    if let contents { result.contents = contents.followed(by: second.contents) }
    return result
  }
}

extension LoggedChange {
  /// Whether this is the deletion of a message with one of some names.
  package func deletes(_ names: [[UInt8]]) -> Bool {
    guard action == .deleted, case .message = object else { return false }
    return [before(.identifier), before(.remoteID)].contains { value in
      if case .text(let name)? = value { names.contains(name) } else { false }
    }
  }

  /// Forgets the contents and the metadata that the object had, and returns whether there was anything to forget.
  package mutating func forgetContents() -> Bool {
    var isChanged = false
    for index in metadata.indices {
      switch metadata[index].before {
      case .text, .scalar, .list, .reference: metadata[index].before = .long
      case .missing, .word, .long: continue
      }
      isChanged = true
    }
    for index in contents?.parts.indices ?? 0..<0 where contents?.parts[index].content != nil {
      contents?.parts[index].content = nil
      isChanged = true
    }
    return isChanged
  }
}

/// A property and the value that it had.
package struct BeforeValue: Sendable, Hashable {
  package var property: LoggedProperty
  package var value: LoggedValue

  package init(_ property: LoggedProperty, _ value: LoggedValue) {
    self.property = property
    self.value = value
  }
}

/// A metadata key path and the value that it had.
package struct MetadataChange: Sendable, Hashable {
  /// The interned key path.
  package var path: UInt32
  /// The text, scalar, list or reference, `missing`, or `long` for what is too long to be kept; never a word.
  package var before: LoggedValue

  package init(path: UInt32, before: LoggedValue) {
    self.path = path
    self.before = before
  }
}

/// A recipient and the status that it had.
package struct RecipientChange: Sendable, Hashable {
  /// The interned user id.
  package var user: UInt32
  /// The status; nil if the user was no recipient.
  package var before: RecipientStatus?

  package init(user: UInt32, before: RecipientStatus?) {
    self.user = user
    self.before = before
  }
}

/// The value of a property before a change.
package enum LoggedValue: Sendable, Hashable {
  /// There was no value.
  case missing
  /// A number, date, Boolean (0 or 1) or interned id.
  case word(Int64)
  /// The UTF-8 bytes of a text.
  case text([UInt8])
  /// A text of more than `maximumTextBytes`, or a list of more or of more texts, which is not kept.
  case long
  /// A value of metadata that is neither a text nor a list nor a reference.
  case scalar(MetadataScalar)
  /// The texts of a list of metadata, together of at most `maximumTextBytes`.
  case list([[UInt8]])
  /// The bytes of a reference, `Reference.keyBytes`: of any length, because its identifier names another object.
  case reference([UInt8])

  /// The greatest size of a text that is kept, in bytes. An identifier of any size is kept, because nothing else names
  /// a deleted object.
  package static let maximumTextBytes = 256

  /// Makes the value of an optional number.
  package init(_ value: Int64?) {
    self = value.map { .word($0) } ?? .missing
  }

  /// Makes the value of metadata that is no dictionary; `missing` for one that is, as for none.
  package init(metadata value: MetadataValue?) {
    switch value {
    case nil, .dictionary?: self = .missing
    case .text(let text)?: self.init(text: Array(text.utf8))
    case .list(let texts)?:
      let isShort =
        texts.count <= Self.maximumTextBytes
        && texts.reduce(0) { $0 + $1.utf8.count } <= Self.maximumTextBytes
      self = isShort ? .list(texts.map { Array($0.utf8) }) : .long
    case .reference(let reference)?: self = .reference(reference.keyBytes)
    case let value?: self = MetadataScalar(value).map { .scalar($0) } ?? .missing
    }
  }

  /// Makes the value of an optional text.
  package init(text: [UInt8]?) {
    guard let text else {
      self = .missing
      return
    }
    self = text.count <= Self.maximumTextBytes ? .text(text) : .long
  }
}

/// A change of so many objects that a consumer has to read them again.
package struct RangeChange: Sendable, Hashable {
  /// What the objects have in common.
  package enum Scope: Sendable, Hashable {
    /// Messages of the conversation in this row.
    case conversation(UInt32)
    /// Objects of any kind that the import with this number added or changed. Number 0 is no import: it stands for a
    /// commit with too many changes to list, or one that declares or drops an aggregate.
    case importNumber(UInt32)
  }

  /// What happened to the objects of the range.
  package struct Actions: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    package static let created = Actions(rawValue: 1)
    package static let updated = Actions(rawValue: 2)
    package static let deleted = Actions(rawValue: 4)
  }

  package var scope: Scope
  package var actions: Actions
  /// The smallest and the largest creation sequence of a changed message or announcement; 0 and 0 if there are none.
  package var sequences: ClosedRange<UInt64>
  /// The number of changes: an object that changed in several steps of its commit may count more than once.
  package var count: UInt64

  package init(_ scope: Scope, _ actions: Actions, sequences: ClosedRange<UInt64>, count: UInt64) {
    self.scope = scope
    self.actions = actions
    self.sequences = sequences
    self.count = count
  }
}
