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

  func forEachReaction(
    toMessage name: [UInt8], ofType type: UInt32, _ visit: ([UInt8]) throws -> Void
  ) throws {
    try forEachName(ofType: type, beginningWith: ReactionName.prefix(ofMessage: name), visit)
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

  /// Returns the records of all reactions to a message, given by all of its names; none if the store keeps none.
  /// - Complexity: O(log n), and O(1) a reaction.
  package func reactionRecords(toAnyOf names: [String]) throws -> [Record.ID] {
    let name = StoreFeature.reactions.recordType.name
    guard let type = try recordType(named: name) else { return [] }
    var records: [Record.ID] = []
    for message in names {
      try forEachReaction(toMessage: Array(message.utf8), ofType: type.id) {
        records.append(Record.ID(type: name, name: String(decoding: $0, as: UTF8.self)))
      }
    }
    return records
  }
}
