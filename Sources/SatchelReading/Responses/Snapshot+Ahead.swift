internal import SatchelCoding
internal import SatchelModel
package import SatchelRecords

// What was said of a message or a conversation by a name that is not its identifier, before it came or before it got that name.
extension Snapshot {
  /// Returns the records that are said otherwise of a message as it is now: what was said of it by other names, as what is said of it, and nil
  /// for what it does not take, by whatever name that was said.
  /// - Complexity: O(log n), and O(log n) a record.
  package func responsesAhead(
    of message: RecordSubject
  ) throws -> [(old: Record, new: Record?)] {
    let others = message.names.dropFirst()
    let reply = StoreFeature.threads.recordType.name
    var keys: [TypedRecordKey] = []
    // What answers it is first: one of these may become one with what it answers itself.
    if let type = try recordType(named: reply)?.id {
      for name in others {
        keys += try records(ofType: type, referringTo: Reference(Message.ID(name)), by: "parent")
      }
    }
    keys += try reactions(
      toAnyOf: StoreFeature.reactions.isTaken(by: message) ? others : message.names[...])
    for name in StoreFeature.threads.isTaken(by: message) ? others : message.names[...] {
      if let key = try locateRecord(Record.ID(type: reply, name: name)) { keys.append(key) }
    }
    return try keys.map { key in
      let old = try makeRecord(key)
      return (old, old.said(of: message))
    }
  }

  /// Returns the records that are said of a conversation by another name than its identifier, as what is said of it.
  /// - Complexity: O(log n), and O(log n) a record.
  package func participationsAhead(
    of conversation: RecordSubject
  ) throws -> [(old: Record, new: Record?)] {
    guard let type = try recordType(named: Participation.recordType.name)?.id else { return [] }
    var ahead: [(old: Record, new: Record?)] = []
    for name in conversation.names.dropFirst() {
      try forEachName(ofType: type, beginningWith: ParticipationName.prefix(ofConversation: name.utf8)) {
        guard let key = try locateRecord(ofType: type, $0) else { return }
        let old = try makeRecord(key)
        ahead.append((old, old.said(of: conversation)))
      }
    }
    return ahead
  }
}
