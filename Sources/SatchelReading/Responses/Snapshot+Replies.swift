internal import RankedIndex
internal import RankedKeys
internal import SatchelCoding
internal import SatchelIndexing
package import SatchelModel

// The replies to a message are those whose records have it as their parent: one range of the index of references, which has them in the
// order of their creation.
extension Snapshot {
  /// Returns the group of the references to parents in the index of fields; nil if there has never been a reply.
  package func groupOfParents(ofType type: UInt32) throws -> UInt64? {
    try metadataPaths.number(of: "parent")
      .map { IndexedRecord.group(ofType: type, path: $0, texts: false) }
  }

  /// Returns how many replies a message has, and the last one.
  /// - Parameters:
  ///   - name: The identifier of the message.
  ///   - type: The number of the type of replies.
  ///   - group: What `groupOfParents` has returned.
  /// - Complexity: O(log n); reads the record of the last reply.
  package func thread(of name: [UInt8], ofType type: UInt32, group: UInt64?) throws -> ThreadSummary {
    guard let group else { return ThreadSummary(replyCount: 0, lastReply: nil) }
    let tree = IndexCatalog.recordFields.tree
    let text = Self.textOfParent(name)
    var cursor = try forest.cursor(tree)
    var found: [UInt8] = []
    // Most messages have no replies: that costs one descent.
    try cursor.seek(to: .after(group: group, text: text))
    guard let last = try cursor.previous(), try cursor.read(text: &found) == group, found == text else {
      return ThreadSummary(replyCount: 0, lastReply: nil)
    }
    let reply = try identifier(of: record(TypedRecordKey(type: type, sequence: last)))
    return ThreadSummary(
      replyCount: try forest.count(tree, in: .text(text, group: group)), lastReply: Message.ID(reply))
  }

  /// The text of a reference to a parent in the index of fields.
  private static func textOfParent(_ name: [UInt8]) -> [UInt8] {
    var text: [UInt8] = [ValueKey.Tag.reference]
    text.reserveCapacity(name.count + 16)
    text.append(contentsOf: Reference.messages.utf8)
    text.append(0)
    text.append(contentsOf: name)
    return text
  }
}
