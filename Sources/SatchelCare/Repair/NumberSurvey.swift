internal import LMDB
internal import RecordStore
internal import SatchelCoding

/// The greatest numbers that are in use in the tables, mostly found from keys alone. New numbers have to be greater,
/// whatever a seal says.
struct NumberSurvey {
  private var conversations: UInt32 = 0
  private var identities: UInt32 = 0
  private var consumers: UInt32 = 1
  private var imports: UInt32 = 1
  private var sequences: UInt64 = 1
  private var commit: UInt64 = 0
  private var dictionaries = [UInt32](repeating: 0, count: DictionaryKind.allCases.count)

  /// - Parameter sequence: The last commit that a node of an index is of.
  /// - Complexity: O(keys of the file).
  init(_ transaction: ReadTransaction, _ databases: Databases, indexed sequence: UInt64) throws {
    commit = sequence
    try scan(transaction, databases.objects) { survey, key, value in
      guard let key = unsafe try? ObjectKey(key) else { return }
      unsafe survey.note(key, value)
    }
    try scan(transaction, databases.messages) { survey, key, _ in
      if let key = unsafe try? MessageKey(messages: key) { survey.note(key) }
    }
    try scan(transaction, databases.bodies) { survey, key, _ in
      if let key = unsafe try? BodyKey(key) { survey.note(key.message) }
    }
  }

  /// Returns a seal from which later commits can continue: the given one, if any, with its numbers raised where they
  /// are too low.
  func seal(from seal: Seal?) -> Seal {
    var result = seal ?? Seal()
    result.commit = max(result.commit, commit)
    result.nextSequence = max(result.nextSequence, sequences)
    result.nextConversation = max(result.nextConversation, conversations)
    result.nextIdentity = max(result.nextIdentity, identities)
    result.nextConsumer = max(result.nextConsumer, consumers)
    result.nextImport = max(result.nextImport, imports)
    // Dictionary numbers have no gaps, so the entries alone decide.
    for kind in DictionaryKind.allCases { result[nextID: kind] = dictionaries[Int(kind.rawValue)] }
    return result
  }

  /// Calls `visit` with every entry of a database. The bytes are valid during the call: only to read them is unsafe.
  @safe private mutating func scan(
    _ transaction: ReadTransaction, _ database: Database,
    _ visit: (inout NumberSurvey, UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void
  ) throws {
    var cursor = try transaction.cursor(database)
    var entry = unsafe try cursor.first()
    while let (key, value) = unsafe entry {
      unsafe visit(&self, key, value)
      unsafe entry = try cursor.next()
    }
  }

  private mutating func note(_ key: MessageKey) {
    if !key.isAnnouncement { conversations = max(conversations, Self.next(key.conversation)) }
    if key.sequence != MessageKey.wholeConversation { sequences = max(sequences, key.sequence + 1) }
  }

  private mutating func note(_ key: ObjectKey, _ value: UnsafeRawBufferPointer) {
    switch key {
    case .header, .seal, .aggregate, .deletedConversation, .indexBuild, .declaredIndex, .recordType: break
    case .record(let record):
      if record.sequence < .max { sequences = max(sequences, record.sequence + 1) }
    case .deletedMessages(let conversation, _):
      note(MessageKey(conversation: conversation, sequence: MessageKey.wholeConversation))
    case .conversation(let row): conversations = max(conversations, Self.next(row))
    case .identity(let row): identities = max(identities, Self.next(row))
    case .announcement(let sequence): note(MessageKey(announcement: sequence))
    case .dictionary(let kind, let id):
      dictionaries[Int(kind.rawValue)] = max(dictionaries[Int(kind.rawValue)], Self.next(id))
    case .changeLog(let number):
      if unsafe RecordFrame.hasValidChecksum(value, key: key.bytes) { commit = max(commit, number) }
    case .consumer(let id):
      consumers = max(consumers, Self.next(id))
      if let entry = unsafe try? ConsumerEntry(value, id: id) { commit = max(commit, entry.readCommit) }
    case .purge(let message):
      note(message)
      if let entry = unsafe try? PurgeEntry(value, key: message) { commit = max(commit, entry.commit) }
    case .staging(let number, _): imports = max(imports, Self.next(number))
    }
  }

  private static func next(_ number: UInt32) -> UInt32 { number == .max ? .max : number + 1 }
}
