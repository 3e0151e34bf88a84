internal import RankedIndex
internal import RankedKeys
internal import SatchelBytes
internal import SatchelCoding
internal import SatchelIndexing
package import SatchelModel
internal import SatchelRecords
import SatchelText

/// Counts the reactions to messages, one message after the other, in one read of one state: all in one index, with one cursor.
package final class ReactionReader {
  private let snapshot: Snapshot
  private let type: UInt32
  private let group: UInt64
  /// The store's user, as names have it.
  private let me: [UInt8]
  private var cursor: MergedTextCursor
  /// The text that was read last.
  private var text: [UInt8] = []

  /// From so many reactions of a kind on, their number is that of their range.
  private static var walkedReactions: Int { 16 }

  /// - Parameter type: The number of the type of reactions.
  package init(_ snapshot: Snapshot, ofType type: UInt32) throws {
    self.snapshot = snapshot
    self.type = type
    group = IndexedRecord.group(ofType: type)
    me = ReactionName.encoded(snapshot.user.utf8)
    cursor = try snapshot.forest.cursor(IndexCatalog.recordIdentifier.tree)
  }

  /// Returns the reactions to a message, counted by kind.
  /// - Parameter name: The identifier of the message.
  /// - Complexity: O(log n) for the message and for each kind, and O(1) for each reaction of up to 16 of a kind.
  package func reactions(to name: [UInt8]) throws -> ReactionSummary {
    let kinds = try tallies(ofMessage: name).map {
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

  private func tallies(ofMessage name: [UInt8]) throws -> [Tally] {
    let prefix = ReactionName.prefix(ofMessage: name)
    try cursor.seek(to: .before(group: group, text: prefix))
    var found: [Tally] = []
    while try cursor.next() != nil, try cursor.read(text: &text) == group, text.begins(with: prefix) {
      guard let end = text[prefix.count...].firstIndex(of: ReactionName.separator) else { continue }
      let kind = prefix.count..<end
      if found.last.map({ $0.kind[...] != text[kind] }) ?? true {
        found.append(Tally(kind: Array(text[kind])))
      }
      let last = found.count - 1
      found[last].count += 1
      if text[(end + 1)...] == me[...] { found[last].isMine = true }
      guard found[last].count == Self.walkedReactions else { continue }
      let tree = IndexCatalog.recordIdentifier.tree
      let ofKind = Array(text[...end])
      found[last].count = try snapshot.forest.count(tree, in: .prefix(ofKind, group: group))
      if !found[last].isMine {
        let mine = TextRange.text(ofKind + me, group: group)
        found[last].isMine = try snapshot.forest.firstRow(tree, in: mine) != nil
      }
      try cursor.seek(to: .afterPrefix(group: group, prefix: ofKind))
    }
    return found
  }
}
