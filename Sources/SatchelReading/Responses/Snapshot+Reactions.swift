internal import RankedIndex
internal import RankedKeys
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel
package import SatchelRecords
import SatchelText

// The names of reactions are one range of an index for each message, and in it one for each kind: `ReactionName`. No record is read.
extension Snapshot {
  /// Returns the number of the type of a feature's records.
  /// - Throws: ``SatchelError`` `unknownRecordType`, which names the call that switches the feature on, if it is off.
  package func recordType(of feature: StoreFeature) throws -> UInt32 {
    guard let type = try recordType(named: feature.recordType.name) else { throw feature.offError }
    return type.id
  }

  /// Calls `visit` with the names of the records of a type that begin with some bytes, by ascending bytes.
  func forEachName(
    ofType type: UInt32, beginningWith prefix: [UInt8], _ visit: ([UInt8]) throws -> Void
  ) throws {
    let group = IndexedRecord.group(ofType: type)
    var cursor = try forest.cursor(IndexCatalog.recordIdentifier.tree)
    try cursor.seek(to: .before(group: group, text: prefix))
    while try cursor.next() != nil, let key = try cursor.key(), key.group == group,
      key.text.starts(with: prefix)
    {
      try visit(key.text)
    }
  }

  /// Returns the records of all reactions to messages of some names; none if the store keeps none.
  /// - Complexity: O(log n) a name, and O(log n) a reaction.
  func reactions(toAnyOf names: some Sequence<String>) throws -> [TypedRecordKey] {
    guard let type = try recordType(named: StoreFeature.reactions.recordType.name)?.id else { return [] }
    var records: [TypedRecordKey] = []
    for message in names {
      try forEachName(ofType: type, beginningWith: ReactionName.prefix(ofMessage: message.utf8)) {
        if let key = try locateRecord(ofType: type, $0) { records.append(key) }
      }
    }
    return records
  }
}
