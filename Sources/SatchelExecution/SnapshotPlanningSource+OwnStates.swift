import RankedKeys
import SatchelCoding
import SatchelIndexing
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading

// What the planning needs of what conversations are to the store's user.
extension SnapshotPlanningSource {
  /// Returns the condition that a participation is the store's user's.
  static func isOwnParticipation(_ user: String) -> Condition {
    .test(
      Test(
        ObjectProperty([], .recordValue(MetadataPath(["user"]))),
        .text(.ranges(ByteRanges(points: [keyOfUser(user)])), missing: false)))
  }

  private static func keyOfUser(_ user: String) -> [UInt8] {
    [ValueKey.Tag.reference] + Reference(Identity.ID(user)).keyBytes
  }

  /// Returns how many rows of a plan for participations are about as many as are the store's user's: so many of them as of all
  /// participations.
  /// - Parameter type: The number of the type of participations.
  func ownRecords(of plan: Plan, _ type: UInt32) throws -> Int {
    guard plan.path.cardinality > 0, let path = try number(of: MetadataPath(["user"])) else { return 0 }
    let key = Self.keyOfUser(snapshot.user)
    let group = IndexedRecord.group(ofType: type, path: path, texts: false)
    let own = try count(IndexCatalog.recordFields.tree, in: .text(key, group: group))
    let all = try count(IndexCatalog.recordCreated.tree, in: .prefix(Words(UInt64(type)), columns: 1))
    return plan.path.cardinality * own / max(all, 1)
  }

  func sorted(_ rows: [RowReference], of kind: ObjectKind, by order: OrderMatcher) throws -> [RowReference] {
    var question = Question(
      kind: kind, condition: .always, sort: order.sort, limit: nil, offset: 0, anchor: nil, isCount: false,
      text: "")
    question.creationDescending = order.creationDescending
    let reader = SortRowReader(question, in: snapshot)
    var sort = Sort(RowOrder(question), atMost: nil)
    for row in rows { sort.insert(try reader.row(row)) }
    return try sort.sorted(in: snapshot).map(\.reference)
  }
}
