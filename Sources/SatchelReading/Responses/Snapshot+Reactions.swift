internal import RankedIndex
internal import RankedKeys
internal import SatchelCoding
internal import SatchelIndexing
package import SatchelModel
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

  /// Returns the reactions to a message, counted by kind.
  /// - Parameters:
  ///   - names: All names of the message.
  ///   - type: The number of the type of reactions.
  /// - Complexity: O(log n) for the message and for each kind, and O(1) for each reaction of up to 16 of a kind.
  package func reactions(toAnyOf names: [[UInt8]], ofType type: UInt32) throws -> ReactionSummary {
    let me = ReactionName.encoded(user.utf8)
    var found: [Tally] = []
    for name in names {
      let own = try tallies(ofMessage: name, ofType: type, me)
      if found.isEmpty {
        found = own
      } else if !own.isEmpty {
        // Under two names there may be two reactions of one kind of a user.
        found = try tallies(ofAll: names, ofType: type, me)
        break
      }
    }
    let kinds = found.map {
      ReactionSummary.Kind(
        kind: String(decoding: ReactionName.decoded($0.kind[...]), as: UTF8.self), count: $0.count,
        isMine: $0.isMine)
    }
    // In names, a slash comes behind a kind, and others stand for those in it.
    return ReactionSummary(kinds.sorted { UTF8Order.isLess($0.kind, $1.kind) })
  }

  /// The reactions of a kind, which is as names have it.
  private struct Tally {
    let kind: [UInt8]
    var count = 0
    var isMine = false
  }

  /// From so many reactions of a kind on, their number is that of their range.
  private static var walkedReactions: Int { 16 }

  private func tallies(ofMessage name: [UInt8], ofType type: UInt32, _ me: [UInt8]) throws -> [Tally] {
    let tree = IndexCatalog.recordIdentifier.tree
    let group = IndexedRecord.group(ofType: type)
    let prefix = ReactionName.prefix(ofMessage: name)
    var cursor = try forest.cursor(tree)
    try cursor.seek(to: .before(group: group, text: prefix))
    var found: [Tally] = []
    while try cursor.next() != nil, let key = try cursor.key(), key.group == group,
      key.text.starts(with: prefix)
    {
      guard let end = key.text[prefix.count...].firstIndex(of: ReactionName.separator) else { continue }
      let kind = key.text[prefix.count..<end]
      if found.last.map({ $0.kind[...] != kind }) ?? true { found.append(Tally(kind: Array(kind))) }
      let last = found.count - 1
      found[last].count += 1
      if key.text[(end + 1)...] == me[...] { found[last].isMine = true }
      guard found[last].count == Self.walkedReactions else { continue }
      let ofKind = Array(key.text[...end])
      found[last].count = try forest.count(tree, in: .prefix(ofKind, group: group))
      if !found[last].isMine {
        found[last].isMine = try forest.firstRow(tree, in: .text(ofKind + me, group: group)) != nil
      }
      try cursor.seek(to: .afterPrefix(group: group, prefix: ofKind))
    }
    return found
  }

  /// Returns the reactions of a message that has some under several names, each once.
  /// - Complexity: O(reactions).
  private func tallies(ofAll names: [[UInt8]], ofType type: UInt32, _ me: [UInt8]) throws -> [Tally] {
    var users: [[UInt8]: Set<[UInt8]>] = [:]
    for name in names {
      let start = ReactionName.prefix(ofMessage: name).count
      try forEachReaction(toMessage: name, ofType: type) { text in
        guard let end = text[start...].firstIndex(of: ReactionName.separator) else { return }
        users[Array(text[start..<end]), default: []].insert(Array(text[(end + 1)...]))
      }
    }
    return users.map { Tally(kind: $0.key, count: $0.value.count, isMine: $0.value.contains(me)) }
  }

  private func forEachReaction(
    toMessage name: [UInt8], ofType type: UInt32, _ visit: ([UInt8]) throws -> Void
  ) throws {
    let group = IndexedRecord.group(ofType: type)
    let prefix = ReactionName.prefix(ofMessage: name)
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
