package import RankedKeys
package import SatchelIndexing
package import SatchelModel
package import SatchelQuery
package import SatchelRecords

/// Identifies one object in a snapshot. A message or announcement has its creation sequence and conversation row, a
/// part also its index in the message, a conversation or identity its row (as the sequence), and a record its creation
/// sequence and, in place of the conversation, the number of its type. For members of a conversation see `member`.
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

extension RowReference {
  /// Refers to the member of a conversation by the number of the user id, because a member need not have an identity: so
  /// the row stays the same when the user gets one.
  package static func member(_ user: UInt32) -> RowReference {
    RowReference(sequence: UInt64(user), part: .max)
  }

  /// The number of the user id if the row is a member of a conversation; nil for any other row, an identity's own among
  /// them.
  package var member: UInt32? { part == .max ? UInt32(truncatingIfNeeded: sequence) : nil }
}

/// What the planner asks a snapshot of the store: exact counts, and the numbers that names have in its dictionaries.
///
/// Every answer is exact for the snapshot. A method that returns a list returns nil if the list is longer than a union
/// of runs is worth; the condition is then tested row by row.
package protocol PlanningSource: AnyObject {
  /// The number of the type whose records a question asks for; 0 if it asks for other objects.
  var recordType: UInt32 { get }
  /// The version of the set of built-in indexes that the store has.
  var indexSet: UInt16 { get }
  /// Whether the store has all entries of an index over texts.
  func has(_ index: TextIndexDefinition) throws -> Bool
  /// Returns the complete indexes that applications have declared for a kind of objects, and of records for `recordType`, in the order of
  /// their declarations.
  func declaredIndexes(of kind: ObjectKind) throws -> [DeclaredIndex]
  /// Returns the number of entries of an index between two bounds, in O(log n) nodes.
  func count(_ tree: TreeSchema, in range: KeyRange) throws -> Int
  /// Returns the number of entries of a string tree between two bounds, in O(log n) nodes.
  func count(_ tree: TextTreeSchema, in range: TextRange) throws -> Int
  /// Returns the number of nodes from a tree's root down to a leaf, both counted.
  func height(_ tree: TreeSchema) throws -> Int

  /// Returns the numbers of the users whose ids lie in a set, ascending.
  func users(in set: TextSet) throws -> [UInt32]?
  /// Returns the numbers of the MIME types that lie in a set, ascending.
  func mimeTypes(in set: TextSet) throws -> [UInt32]?
  /// Returns the numbers of the sets of MIME types that contain some type of `set`, ascending.
  func typeSets(holdingSomeOf set: TextSet) throws -> [UInt32]?
  /// Returns the number of a metadata key path; nil if no object has the path.
  func number(of path: MetadataPath) throws -> UInt32?
  /// Returns the number of a set of participants; nil if no conversation has the set.
  func participantSet(_ users: [Identity.ID]) throws -> UInt32?

  /// Returns the numbers of the users who are participants of a conversation, ascending; none if the store's user is not
  /// among them.
  func members(of conversation: Conversation.ID) throws -> [UInt32]

  /// Returns the rows of the visible conversations that meet a condition, ascending; nil if there are more than
  /// `limit`, or if finding them would cost too much.
  func conversationRows(meeting condition: Condition, limit: Int) throws -> [UInt32]?
  /// Returns the references, as `record.fields` has them, to the objects that a step of a path leads to and that meet a condition, if
  /// there are at most `limit` and finding them does not cost too much.
  ///
  /// For the step to what conversations are to the store's user they are the identifiers of the conversations.
  func references(by step: ReferenceStep, meeting condition: Condition, limit: Int) throws -> FoundReferences
  /// Returns the ids of users who are related to another one; nil if there are more than `limit`. Of mutual relations, so many edges may be
  /// in the direction that has fewer.
  func ids(of users: RelatedUsers, limit: Int) throws -> [[UInt8]]?
  /// Returns the objects of a kind whose identifier, or whose remote identifier, is one of these, without those that the store's user
  /// cannot see.
  /// - Parameter field: `identifier` or `remoteID`.
  func rows(of kind: ObjectKind, _ field: ObjectField, identifiers: [[UInt8]]) throws -> [RowReference]
  /// Returns some objects of a kind in an order.
  func sorted(_ rows: [RowReference], of kind: ObjectKind, by order: OrderMatcher) throws -> [RowReference]
}

/// The references to the objects that a step of a path leads to and that meet a condition.
package enum FoundReferences: Sendable {
  case all([[UInt8]])
  /// They are too many, or finding them would cost too much. With the share of the objects of that type that meet the condition, if it is
  /// known.
  case unknown(share: Double?)
}
