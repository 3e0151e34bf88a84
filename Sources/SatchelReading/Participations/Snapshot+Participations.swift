internal import RankedIndex
internal import RankedKeys
package import SatchelCoding
internal import SatchelIndexing
package import SatchelModel
package import SatchelRecords
import SatchelText

// What conversations are to their participants: records that are named by both, so that one is found by a look-up of its name.
extension Snapshot {
  /// Returns the number of the type of the records.
  /// - Throws: ``SatchelError`` `unknownRecordType`, which names the call that switches the feature on, if it is off.
  package func participationType() throws -> UInt32 { try recordType(of: .participations) }

  /// Returns the key of the record of what a conversation is to the store's user; nil if nothing is said of it. A reader keeps the answer as
  /// long as no record changes: lists of conversations are read anew with each message.
  /// - Parameters:
  ///   - type: What `participationType` has returned.
  ///   - view: The conversation, which is looked at only if the answer is not kept.
  /// - Complexity: O(log n), and O(1) if the answer is kept.
  package func ownParticipation(
    in row: UInt32, ofType type: UInt32, _ view: () throws -> ConversationView
  ) throws -> TypedRecordKey? {
    let table = seal[.records]
    let sequence =
      try memory.map { try $0.ownRecord(of: row, in: table) { try locateOwn(view(), ofType: type) } }
      ?? locateOwn(view(), ofType: type)
    return sequence.map { TypedRecordKey(type: type, sequence: $0) }
  }

  private func locateOwn(_ view: ConversationView, ofType type: UInt32) throws -> UInt64? {
    let name = unsafe ParticipationName.bytes(conversation: view.identifierBytes, user: user.utf8)
    return try locateRecord(ofType: type, name)?.sequence
  }

  /// Returns the conversation of the record of what it is to the store's user, by the identifier that it has in the record's name; nil of a
  /// record that is about another user.
  package func conversationOfOwnParticipation(_ key: TypedRecordKey) throws -> [UInt8]? {
    let name = unsafe [UInt8](try record(key).identifierBytes)
    guard let parts = ParticipationName.parts(of: name), parts.user.elementsEqual(user.utf8)
    else { return nil }
    return parts.conversation
  }

  /// Returns what a conversation is to a user; nil if nothing is said of it, or if there is no such conversation.
  /// - Parameter type: What `participationType` has returned.
  /// - Complexity: O(log n).
  package func participation(
    of user: Identity.ID, in conversation: Conversation.ID, ofType type: UInt32
  ) throws -> Participation? {
    guard let view = try self.conversation(of: Array(conversation.rawValue.utf8)) else { return nil }
    let name = unsafe ParticipationName.bytes(conversation: view.identifierBytes, user: user.rawValue.utf8)
    return try locateRecord(ofType: type, name).map {
      try makeRecord($0).value(as: Participation.self)
    }
  }

  /// Returns how many messages of others a conversation has behind a position: those that have a position, which is greater.
  /// - Parameter position: Nil for all that have one.
  /// - Complexity: O(log n).
  package func countUnread(in row: UInt32, after position: Int64?) throws -> Int {
    let place = IndexCatalog.messagePlace
    let conversation = UInt64(row)
    let word = position.map { KeyWords.words(position: $0).word }
    let all = KeyRange(
      lower: word.map { .after(Words(conversation, 0, $0), columns: 3) }
        ?? .before(Words(conversation, 0), columns: 2),
      upper: .after(Words(conversation, 0), columns: 2))
    let count = try forest.count(place.tree, in: all)
    guard count > 0, let me = try userNumber else { return count }
    let user = UInt64(me)
    let own = IndexCatalog.messagePlaceSender
    guard own.since <= header.versions.indexSet else {
      // A store of an older version, open for reading only.
      return try countOfOthers(all, me)
    }
    let mine = KeyRange(
      lower: word.map { .after(Words(conversation, user, 0, $0), columns: 4) }
        ?? .before(Words(conversation, user, 0), columns: 3),
      upper: .after(Words(conversation, user, 0), columns: 3))
    return try count - forest.count(own.tree, in: mine)
  }

  private func countOfOthers(_ range: KeyRange, _ user: UInt32) throws -> Int {
    let place = IndexCatalog.messagePlace
    guard let sender = place.column(of: .sender) else { return 0 }
    var cursor = try forest.cursor(place.tree)
    try cursor.seek(to: range.lower)
    var count = 0
    while let row = try cursor.next(), range.contains(row) {
      if row[sender] != UInt64(user) { count += 1 }
    }
    return count
  }

  /// Returns the records of users in a conversation, by ascending names; none if the store keeps none.
  /// - Parameter conversation: The identifier that never changes.
  /// - Complexity: O(log n) for each user.
  package func participations(
    of users: Set<Identity.ID>, in conversation: Conversation.ID
  ) throws -> [Record.ID] {
    let typeName = Participation.recordType.name
    guard let type = try recordType(named: typeName) else { return [] }
    return try users.map { ParticipationName.name(conversation: conversation.rawValue, user: $0.rawValue) }
      .sorted(by: UTF8Order.isLess)
      .filter { try locateRecord(ofType: type.id, Array($0.utf8)) != nil }
      .map { Record.ID(type: typeName, name: $0) }
  }
}
