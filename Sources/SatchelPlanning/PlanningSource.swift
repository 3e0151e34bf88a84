package import RankedIndex
package import SatchelModel
package import SatchelQuery

/// Where one object is: a message or announcement by creation sequence and conversation row, a part by its index
/// besides, a conversation or identity by its row (as the sequence).
///
/// The order of references is the creation order of their objects.
package struct RowReference: Hashable, Sendable, Comparable {
  package var sequence: UInt64
  package var conversation: UInt32
  package var part: UInt32

  package init(sequence: UInt64, conversation: UInt32 = 0, part: UInt32 = 0) {
    self.sequence = sequence
    self.conversation = conversation
    self.part = part
  }

  package static func < (left: Self, right: Self) -> Bool {
    (left.sequence, left.part) < (right.sequence, right.part)
  }
}

/// What the planner asks a snapshot of the store: exact counts, and what names stand for in its dictionaries.
///
/// Every answer is exact for the snapshot; nil means "more than a union of ranges is worth", and the condition is then
/// tested row by row.
package protocol PlanningSource: AnyObject {
  /// Which set of built-in indexes the store has.
  var indexSet: UInt32 { get }
  /// The entries of an index between two positions, in O(log n) nodes.
  func count(_ tree: TreeSchema, in range: KeyRange) throws -> Int
  /// The entries of a string tree between two positions, in O(log n) nodes.
  func count(_ tree: TextTreeSchema, in range: TextRange) throws -> Int
  /// The nodes between a tree's root and its leaves, both counted.
  func height(_ tree: TreeSchema) throws -> Int

  /// The numbers of the users whose ids lie in a set, ascending.
  func users(in set: TextSet) throws -> [UInt32]?
  /// The numbers of the MIME types that lie in a set, ascending.
  func mimeTypes(in set: TextSet) throws -> [UInt32]?
  /// The numbers of the sets of MIME types that hold some type of `set`, ascending.
  func typeSets(holdingSomeOf set: TextSet) throws -> [UInt32]?
  /// The number of a metadata key path, nil where no object has it.
  func metadataPath(_ keys: [String]) throws -> UInt32?
  /// The number of a set of participants; nil where no conversation has it.
  func participantSet(_ users: [Identity.ID]) throws -> UInt32?

  /// The rows of the visible conversations that meet a condition, ascending, if they are at most `limit`.
  func conversationRows(meeting condition: Condition, limit: Int) throws -> [UInt32]?
  /// The objects of a kind with these identifiers; the ones that its user cannot see are left out.
  func rows(of kind: ObjectKind, identifiers: [[UInt8]]) throws -> [RowReference]
}
