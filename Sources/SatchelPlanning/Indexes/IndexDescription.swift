package import RankedIndex
package import SatchelModel

/// What the planner knows about an index over words: which objects it holds, in which order, and with which columns.
///
/// Each index has one description, made once. It is a class because plans pass it around a lot.
package final class IndexDescription: Sendable {
  /// The schema of the tree.
  package let tree: TreeSchema
  /// The kind of the objects in the index.
  package let kind: ObjectKind
  /// The meaning of the key columns, in order.
  package let key: [Segment]
  /// The meaning of the payload columns, in order.
  package let payload: [Segment]
  /// Which objects of the kind the index holds: not all of them, if it is a partial index.
  package let holds: Holds
  /// The first version of the set of built-in indexes that contains this index. A store of an earlier version lacks the
  /// index if it is open for reading only.
  package let indexSet: UInt32
  /// The column with the object's creation sequence or row.
  package let columnOfObject: Int
  /// The column with the row of the object's conversation; nil if the index has none.
  package let columnOfConversation: Int?
  /// The column with a part's index in its message; nil if the index has none.
  package let columnOfPart: Int?

  /// Which objects of its kind an index holds.
  package enum Holds: Hashable, Sendable {
    /// Every visible object.
    case visible
    /// Every visible object that is unread or has unread messages.
    case unread
    /// Also objects that the user cannot see. A scan has to fix the first segment to a value that selects visible
    /// objects only.
    case belowFirst
    /// As `belowFirst`, but unread objects only.
    case unreadBelowFirst
    /// Each visible conversation once for each of its participants. A scan has to fix the first segment to one value.
    case oncePerFirst

    package var isUnreadOnly: Bool { self == .unread || self == .unreadBelowFirst }
    package var needsFirst: Bool { self == .belowFirst || self == .unreadBelowFirst || self == .oncePerFirst }
  }

  package init(
    _ tree: TreeSchema, of kind: ObjectKind, key: [Segment], payload: [Segment] = [], holds: Holds = .visible,
    indexSet: UInt32 = 1
  ) {
    self.tree = tree
    self.kind = kind
    self.key = key
    self.payload = payload
    self.holds = holds
    self.indexSet = indexSet
    let segments = key + payload
    columnOfObject = Self.column(of: .sequence, in: segments) ?? Self.column(of: .row, in: segments) ?? 0
    columnOfConversation = Self.column(of: .conversation, in: segments)
    columnOfPart = Self.column(of: .partIndex, in: segments)
  }

  /// Returns the first column of a segment; nil if the index lacks the segment.
  package func column(of segment: Segment) -> Int? {
    if let column = Self.column(of: segment, in: key) { return column }
    return Self.column(of: segment, in: payload).map { key.reduce($0) { $0 + $1.columns } }
  }

  private static func column(of segment: Segment, in segments: [Segment]) -> Int? {
    var column = 0
    for candidate in segments {
      if candidate == segment { return column }
      column += candidate.columns
    }
    return nil
  }
}
