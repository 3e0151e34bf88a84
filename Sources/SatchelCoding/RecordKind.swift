/// The kinds of records, by the first byte of each. A piece of a part's content has no such byte; its number is never
/// written.
package enum RecordKind: UInt8, Sendable, Hashable, CaseIterable {
  case bodyPiece = 0
  /// A message or an announcement.
  case message = 1
  case conversation = 2
  case identity = 3
  case dictionary = 4
  case header = 5
  case seal = 6
  case changeLog = 7
  case consumer = 8
  case purge = 9
  case staging = 10
  /// The definition of an aggregate.
  case aggregate = 11
  /// Messages that the store's user has deleted.
  case deletedMessages = 12
  /// A conversation that the store's user has deleted.
  case deletedConversation = 13
  /// How far the indexes have got that a store is being given.
  case indexBuild = 14
  /// The definition of an index that an application has declared.
  case declaredIndex = 15
  /// The definition of a record type.
  case recordType = 16
  /// A record of an application.
  case record = 17

  /// The versions of the kind's layout that this code reads. It writes the last one.
  ///
  /// A layout that changes gets the next number, and its decoder goes on reading the former ones: the second byte of the
  /// record says which one it has.
  package var versions: ClosedRange<UInt8> {
    switch self {
    // 2: what an identity and the parts of a message have since format 5.
    case .identity: 1...2
    // 3: what has happened to a message, since format 8. 4: the server's identifier, since format 9. Each is written only
    // where there is any of it.
    case .message: 1...4
    // 2: the server's identifier and the time of the last change, since format 9; only where there is either.
    case .conversation: 1...2
    // 2: the former contents of edited messages, since format 8. 3: former statuses of recipients, contents of deleted messages,
    // and what an import has added, since format 10.
    case .changeLog: 1...3
    // 2: the place in the journal, since format 6. 3: the journal's last record, since format 7.
    case .seal: 1...3
    case .bodyPiece, .dictionary, .header, .consumer, .purge, .staging, .aggregate,
      .deletedMessages, .deletedConversation, .indexBuild, .record:
      1...1
    // 2: that it is unique, since format 13; only of one that is. 3: that it is of words, since format 16; only of one that is.
    case .declaredIndex: 1...3
    // 2: what becomes of records when what they refer to is deleted, since format 15; only where any of it is declared.
    case .recordType: 1...2
    }
  }
}
