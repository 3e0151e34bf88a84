import SatchelCoding
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading

// What the planning needs of what conversations are to the store's user.
extension SnapshotPlanningSource {
  /// Returns the condition that a participation is the store's user's.
  static func isOwnParticipation(_ user: String) -> Condition {
    let key = [ValueKey.Tag.reference] + Reference(Identity.ID(user)).keyBytes
    return .test(
      Test(
        ObjectProperty([], .recordValue(MetadataPath(["user"]))),
        .text(.ranges(ByteRanges(points: [key])), missing: false)))
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
