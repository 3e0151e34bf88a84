package import RankedKeys
package import SatchelCoding
package import SatchelModel

/// An index over words: the only description of it.
///
/// From it follow the tree's schema, what the planner knows of the index, the columns that `satchel dump` and FORMAT.md
/// show, which objects have an entry in it, and how a store that lacks the index gets it. `IndexCatalog` has all of them.
///
/// Each index has one definition, made once. It is a class because plans pass it around a lot.
package final class IndexDefinition: Sendable {
  /// The tree: its number in the file, its name, and how many words its rows have.
  package let tree: TreeSchema
  /// The kind of its objects.
  package let kind: ObjectKind
  /// Which objects of the kind it holds: not all of them, if it is a partial index.
  package let holds: Holds
  /// The meaning of the key's words, in order.
  package let key: [Segment]
  /// The meaning of the words that are stored with the key, in order.
  package let payload: [Segment]
  /// The first set of built-in indexes that has it. Stores of earlier sets lack it as long as they are only read.
  package let since: UInt16
  /// The index of an earlier set that has all columns of this one, for the same objects. Nil in the first set, and for an
  /// index whose columns no earlier one has: its entries are made from records.
  package let source: IndexDefinition?
  /// Whether new entries come between others as often as after them. Their leaves are given more room.
  package let growsInside: Bool

  /// The offset, in words, of the object's creation sequence or row.
  package let columnOfObject: Int
  /// The offset, in words, of the row of the object's conversation; nil if the index does not have it.
  package let columnOfConversation: Int?
  /// The offset, in words, of the number of a record's type; nil if the index does not have it.
  package let columnOfRecordType: Int?
  /// The offset, in words, of a part's index in its message; nil if the index does not have it.
  package let columnOfPart: Int?
  /// For each word of a row, the offset of that word in a row of `source`.
  private let columnsInSource: [Int]

  /// Which objects of its kind an index holds.
  package enum Holds: Hashable, Sendable {
    /// Every visible object.
    case visible
    /// Every visible object that is unread or has unread messages.
    case unread
    /// Every visible message that has not been sent.
    case unsent
    /// Also objects that the user cannot see. A scan has to fix the first segment to a value that selects visible
    /// objects only.
    case belowFirst
    /// As `belowFirst`, but unread objects only.
    case unreadBelowFirst
    /// Each visible conversation once for each of its participants. A scan has to fix the first segment to one value.
    case oncePerFirst
    /// Every object that the user cannot see. No answer is read from it.
    case hidden
    /// Every object, to be found by the first segment. No answer is read from it.
    case lookUp
    /// Every object to which a server has given an identifier, to be found by it. No answer is read from it.
    case remoteLookUp

    /// What the objects of a partial index have in common; nil if the index is not restricted to such objects.
    package var restriction: Restriction? {
      switch self {
      case .unread, .unreadBelowFirst: .unread
      case .unsent: .unsent
      case .visible, .belowFirst, .oncePerFirst, .hidden, .lookUp, .remoteLookUp: nil
      }
    }
    package var needsFirst: Bool { self == .belowFirst || self == .unreadBelowFirst || self == .oncePerFirst }
  }

  /// What all objects of a partial index have in common.
  package enum Restriction: Hashable, Sendable {
    /// They are unread or have unread messages.
    case unread
    /// They have not been sent.
    case unsent

    /// The restriction to objects for which a property has one of its two values, or is greater than zero; nil if no
    /// partial index has such objects.
    package init?(_ property: ObjectProperty) {
      guard property.relations.isEmpty else { return nil }
      switch property.field {
      case .isUnread, .hasUnreadMessages, .unreadCount: self = .unread
      case .isSent: self = .unsent
      default: return nil
      }
    }

    /// The property that is the same for all of them.
    package var property: ObjectProperty {
      switch self {
      case .unread: ObjectProperty([], .isUnread)
      case .unsent: ObjectProperty([], .isSent)
      }
    }

    /// The value of that property: 1 for true.
    package var value: Int64 {
      switch self {
      case .unread: 1
      case .unsent: 0
      }
    }
  }

  /// - Parameters:
  ///   - number: Its number in the file, never used for another index.
  ///   - since: The set of built-in indexes that it came with.
  ///   - source: For an index that the first set did not have, the index that an older store's entries are made from.
  ///     Without it they are made from the records of messages, which takes longer.
  init(
    _ number: UInt16, _ name: String, of kind: ObjectKind, holds: Holds = .visible, key: [Segment],
    payload: [Segment] = [], since: UInt16 = 1, source: IndexDefinition? = nil, growsInside: Bool = false
  ) {
    let segments = key + payload
    tree = TreeSchema(
      id: number, name: name, keyColumns: key.reduce(0) { $0 + $1.width },
      payloadColumns: payload.reduce(0) { $0 + $1.width })
    self.kind = kind
    self.holds = holds
    self.key = key
    self.payload = payload
    self.since = since
    self.source = source
    precondition(
      since == 1 || source != nil || kind == .messages || kind == .parts,
      "nothing makes the entries of \(name) for an older store")
    self.growsInside = growsInside
    columnOfObject = Self.column(of: .sequence, in: segments) ?? Self.column(of: .row, in: segments) ?? 0
    columnOfConversation = Self.column(of: .conversation, in: segments)
    columnOfRecordType = Self.column(of: .recordType, in: segments)
    columnOfPart = Self.column(of: .partIndex, in: segments)
    columnsInSource = segments.flatMap { segment in
      guard let source else { return 0..<0 }
      guard let column = source.column(of: segment) else {
        preconditionFailure("\(source.name) lacks \(segment), which \(name) has to get from it")
      }
      return column..<column + segment.width
    }
  }

  /// Its number in the file.
  package var number: UInt16 { tree.id }
  package var name: String { tree.name }

  /// The meaning of each word of a row, the key's first.
  package var columns: [Segment.Column] { (key + payload).flatMap(\.columns) }

  /// Returns the offset, in words, of a segment; nil if the index does not have it.
  package func column(of segment: Segment) -> Int? {
    Self.column(of: segment, in: key)
      ?? Self.column(of: segment, in: payload).map { tree.keyColumns + $0 }
  }

  private static func column(of segment: Segment, in segments: [Segment]) -> Int? {
    var column = 0
    for candidate in segments {
      if candidate == segment { return column }
      column += candidate.width
    }
    return nil
  }

  /// Returns the row that an object has in this index, made from its row in `source`.
  package func row(from source: Words) -> Words {
    var row = Words()
    for (column, columnInSource) in columnsInSource.enumerated() { row[column] = source[columnInSource] }
    return row
  }
}

// MARK: The words of a row

// Each is one load at an offset that was found when the definition was made.
extension IndexDefinition {
  /// Returns the first word of a row, by which the entries are ordered first of all.
  @inlinable
  package func first(of row: Words) -> UInt64 { row[0] }

  /// Returns the creation sequence of the message or announcement that an entry belongs to.
  @inlinable
  package func sequence(of row: Words) -> UInt64 { row[columnOfObject] }

  /// Returns the row of the conversation or identity that an entry belongs to.
  @inlinable
  package func object(of row: Words) -> UInt32 { UInt32(truncatingIfNeeded: row[columnOfObject]) }

  /// Returns the row of the conversation of the message that an entry belongs to; `MessageKey.announcements` if the
  /// index has no such column, because announcements have no conversation.
  @inlinable
  package func conversation(of row: Words) -> UInt32 {
    guard let columnOfConversation else { return MessageKey.announcements }
    return UInt32(truncatingIfNeeded: row[columnOfConversation])
  }

  /// Returns the message or announcement that an entry belongs to.
  @inlinable
  package func message(of row: Words) -> MessageKey {
    MessageKey(conversation: conversation(of: row), sequence: sequence(of: row))
  }
}
