package import RankedIndex
package import SatchelModel

/// What the planner knows of an index over words: whose objects it holds, in which order, and which columns come along.
///
/// Each index has one description, made once: an object, because plans pass it around much.
package final class IndexDescription: Sendable {
  /// The tree.
  package let tree: TreeSchema
  /// Whose objects it holds.
  package let kind: ObjectKind
  /// The meaning of the key columns, in order.
  package let key: [Segment]
  /// The meaning of the payload columns, in order.
  package let payload: [Segment]
  /// What is true of every object in it, for a partial index.
  package let holds: Holds
  /// The first set of built-in indexes that has it: stores of earlier ones, when they are only read, lack it.
  package let indexSet: UInt32
  /// The columns that name an object: its creation sequence or row, its conversation, its part.
  package let columnOfObject: Int
  package let columnOfConversation: Int?
  package let columnOfPart: Int?

  /// Which objects of its kind an index holds.
  package enum Holds: Hashable, Sendable {
    /// Every visible one.
    case visible
    /// Every visible one that is unread, or has unread messages.
    case unread
    /// Objects that the user cannot see too: only to be entered below a first column that names a visible one.
    case belowFirst
    /// As `belowFirst`, and only unread ones.
    case unreadBelowFirst
    /// A visible conversation once for each participant: only to be entered at one first column.
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

  /// The first column of a segment, nil where the index lacks it.
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
