import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading
import SatchelRecords
import SatchelText

extension Executor {
  /// Checks what a condition asks of relations between users: that the store keeps them, and that a declared field which is asked for refers to
  /// users. What a field has that is not declared is known only from its value.
  /// - Parameter type: The type of the records that are asked for; nil for other objects.
  /// - Throws: ``SatchelError`` `unknownRecordType`, which names the call that switches relations on; `unsupportedPredicate`.
  func checkRelations(_ condition: Condition, ofRecords type: RecordType?) throws {
    guard condition.asksForRelations else { return }
    _ = try snapshot.recordType(of: .relations)
    for test in condition.tests {
      let (steps, leaf) = test.property.referenced
      guard case .related = test.values, case .recordValue(let path) = leaf.field, path.keys.count == 1
      else { continue }
      let owner =
        try steps.isEmpty ? type : steps.last.flatMap { try snapshot.recordType(named: $0.target)?.type }
      guard let field = owner?.field(named: path.keys[0]) else { continue }
      if case .reference(let target) = field.type,
        target.map({ UTF8Order.areEqual($0, Reference.identities) }) ?? true
      {
        continue
      }
      throw SatchelError(
        .unsupportedPredicate, "A field that is asked for relations refers to identities",
        [
          "property": test.property.path.spelledPath, "operator": QueryPredicate.Operator.related.rawValue,
          "found": field.type.description,
        ])
    }
  }
}
