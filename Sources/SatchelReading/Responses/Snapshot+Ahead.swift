package import SatchelCoding
internal import SatchelModel
package import SatchelRecords

/// A record that was said of a message or a conversation before it came or before it got the name by which it was said.
package struct RecordAhead {
  package let key: TypedRecordKey
  package let record: Record
  /// What it says of the object as it is now; nil if the object does not take it.
  package let successor: Record?
}

extension Snapshot {
  /// Returns the records that are said otherwise of a message as it is now: what was said of it by names that are not its identifier, and what
  /// it does not take, by whatever name that was said.
  /// - Complexity: O(log n), and O(log n) a record.
  package func responsesAhead(of message: RecordSubject) throws -> [RecordAhead] {
    let others = message.names.dropFirst()
    func names(of feature: StoreFeature) -> ArraySlice<String> {
      feature.isTaken(by: message) ? others : message.names[...]
    }
    var keys: [TypedRecordKey] = []
    if let type = try recordType(named: StoreFeature.threads.recordType.name)?.id {
      let own = try names(of: .threads).compactMap { try locateRecord(ofType: type, Array($0.utf8)) }
      // What answers it is first: one of these may become one with what it answers itself.
      for name in others {
        keys += try records(ofType: type, referringTo: Reference(Message.ID(name)), by: "parent")
          .filter { !own.contains($0) }
      }
      keys += own
    }
    keys += try reactions(toAnyOf: names(of: .reactions))
    return try keys.map { try ahead($0, of: message) }
  }

  /// Returns the records that are said of a conversation by another name than its identifier.
  /// - Complexity: O(log n), and O(log n) a record.
  package func participationsAhead(of conversation: RecordSubject) throws -> [RecordAhead] {
    guard let type = try recordType(named: Participation.recordType.name)?.id else { return [] }
    var found: [RecordAhead] = []
    for name in conversation.names.dropFirst() {
      try forEachName(ofType: type, beginningWith: ParticipationName.prefix(ofConversation: name.utf8)) {
        if let key = try locateRecord(ofType: type, $0) { found.append(try ahead(key, of: conversation)) }
      }
    }
    return found
  }

  private func ahead(_ key: TypedRecordKey, of object: RecordSubject) throws -> RecordAhead {
    let record = try makeRecord(key)
    return RecordAhead(key: key, record: record, successor: record.said(of: object))
  }
}
