internal import RankedIndex
internal import RankedKeys
internal import SatchelCoding
internal import SatchelIndexing
package import SatchelModel
package import SatchelRecords

// The replies to a message are those whose records have it as their parent: one range of the index of references, which has them in the
// order of their creation.
extension Snapshot {
  /// Returns all names of a message; the one that is given if there is none.
  package func names(ofMessage id: Message.ID) throws -> [String] {
    guard let key = try locateMessage(id.rawValue), !key.isAnnouncement, let view = try message(key) else {
      return [id.rawValue]
    }
    return try [identifier(of: view)] + [remoteID(of: view)].compactMap(\.self)
  }

  /// Returns the group of the references to parents in the index of fields; nil if there has never been a reply.
  package func groupOfParents(ofType type: UInt32) throws -> UInt64? {
    try metadataPaths.number(of: "parent")
      .map { IndexedRecord.group(ofType: type, path: $0, texts: false) }
  }

  /// Returns how many replies a message has, and the last one.
  /// - Parameters:
  ///   - names: All names of the message.
  ///   - type: The number of the type of replies.
  ///   - group: What `groupOfParents` has returned.
  /// - Complexity: O(log n); reads the record of the last reply.
  package func thread(ofAnyOf names: [[UInt8]], ofType type: UInt32, group: UInt64?) throws -> ThreadSummary {
    var count = 0
    var last: UInt64?
    if let group {
      let tree = IndexCatalog.recordFields.tree
      var cursor = try forest.cursor(tree)
      var found: [UInt8] = []
      for name in names {
        let text = Self.textOfParent(name)
        // Most messages have no replies: that costs one descent.
        try cursor.seek(to: .after(group: group, text: text))
        guard let row = try cursor.previous(), try cursor.read(text: &found) == group, found == text else {
          continue
        }
        count += try forest.count(tree, in: .text(text, group: group))
        last = max(last ?? row, row)
      }
    }
    let reply = try last.map { try identifier(of: record(TypedRecordKey(type: type, sequence: $0))) }
    return ThreadSummary(replyCount: count, lastReply: reply.map { Message.ID($0) })
  }

  /// Returns the reactions to a message that becomes one with another, and its record as a reply: where they are, and what they are of
  /// the other one; nil for reactions to one that was deleted for everyone.
  package func responses(
    of former: String, as message: String, isWithdrawn: Bool
  ) throws -> [(old: Record.ID, new: Record?)] {
    let reply = Record.ID(type: StoreFeature.threads.recordType.name, name: former)
    return try (reactionRecords(toAnyOf: [former]) + [reply]).compactMap { old in
      guard let key = try locateRecord(old) else { return nil }
      if isWithdrawn, old != reply { return (old, nil) }
      let record = try makeRecord(key)
      var name = message
      if let kind = record["kind"]?.textValue, let user = record["user"]?.referenceValue?.name, old != reply {
        name = ReactionName.name(message: message, kind: kind, user: user)
      }
      var new = Record(id: Record.ID(type: old.type, name: name), owner: record.owner, record.fields)
      new["message"] = .reference(Message.ID(message))
      if let parent = new["parent"]?.referenceValue?.name, [message, former].contains(parent) {
        new["parent"] = nil
      }
      return (old, new)
    }
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
