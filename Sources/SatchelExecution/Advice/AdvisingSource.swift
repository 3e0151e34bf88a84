import RankedKeys
import SatchelIndexing
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelRecords

/// Answers the planner's questions as if some more indexes were declared. The numbers of their entries have to be given; those that are
/// asked for and were not are noted, and taken for 0.
final class AdvisingSource: PlanningSource {
  private let store: SnapshotPlanningSource
  private let indexes: [DeclaredIndex]
  private let groups: Set<UInt64>
  var counts: [TextRange: Int] = [:]
  private(set) var unknown: Set<TextRange> = []

  init(_ store: SnapshotPlanningSource, _ indexes: [DeclaredIndex]) {
    self.store = store
    self.indexes = indexes
    groups = Set(indexes.map { DeclaredKey.group(of: $0.id) })
  }

  /// Returns the ranges whose entries were asked for and are not known, and forgets them.
  func takeUnknown() -> Set<TextRange> {
    defer { unknown = [] }
    return unknown
  }

  func declaredIndexes(of kind: ObjectKind) throws -> [DeclaredIndex] {
    try store.declaredIndexes(of: kind) + indexes
  }

  func count(_ tree: TextTreeSchema, in range: TextRange) throws -> Int {
    guard tree.id == IndexCatalog.declaredEntries.tree.id,
      groups.contains(range.lower.bytes?.leadingGroup ?? 0)
    else {
      return try store.count(tree, in: range)
    }
    if counts[range] == nil { unknown.insert(range) }
    return counts[range] ?? 0
  }

  // MARK: As the store has it

  var recordType: UInt32 { store.recordType }
  var indexSet: UInt16 { store.indexSet }
  func has(_ index: TextIndexDefinition) throws -> Bool { store.has(index) }
  func count(_ tree: TreeSchema, in range: KeyRange) throws -> Int { try store.count(tree, in: range) }
  func height(_ tree: TreeSchema) throws -> Int { try store.height(tree) }
  func users(in set: TextSet) throws -> [UInt32]? { try store.users(in: set) }
  func mimeTypes(in set: TextSet) throws -> [UInt32]? { try store.mimeTypes(in: set) }
  func typeSets(holdingSomeOf set: TextSet) throws -> [UInt32]? { try store.typeSets(holdingSomeOf: set) }
  func number(of path: MetadataPath) throws -> UInt32? { try store.number(of: path) }
  func participantSet(_ users: [Identity.ID]) throws -> UInt32? { try store.participantSet(users) }
  func members(of conversation: Conversation.ID) throws -> [UInt32] { try store.members(of: conversation) }
  func conversationRows(meeting condition: Condition, limit: Int) throws -> [UInt32]? {
    try store.conversationRows(meeting: condition, limit: limit)
  }
  func references(
    by step: ReferenceStep, meeting condition: Condition, limit: Int
  ) throws -> FoundReferences {
    try store.references(by: step, meeting: condition, limit: limit)
  }
  func ids(of users: RelatedUsers, limit: Int) throws -> [[UInt8]]? {
    try store.ids(of: users, limit: limit)
  }
  func rows(of kind: ObjectKind, _ field: ObjectField, identifiers: [[UInt8]]) throws -> [RowReference] {
    try store.rows(of: kind, field, identifiers: identifiers)
  }
  func sorted(_ rows: [RowReference], of kind: ObjectKind, by order: OrderMatcher) throws -> [RowReference] {
    try store.sorted(rows, of: kind, by: order)
  }
}
