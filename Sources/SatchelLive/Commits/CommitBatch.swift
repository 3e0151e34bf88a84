package import SatchelCoding
package import SatchelExecution
package import SatchelModel
package import SatchelPlanning
package import SatchelQuery
package import SatchelReading

/// What one commit or several successive commits have changed, seen from the snapshot after them. It is worked out once
/// for all live queries, and only as far as one of them asks.
///
/// A batch is used by one thread, while its snapshot is open.
package final class CommitBatch {
  /// The commit after which the batch begins.
  package let first: UInt64
  /// The last commit of the batch, which the snapshot shows.
  package let last: UInt64
  package let executor: Executor
  /// False if the log does not list every change: it has been trimmed, or a range stands in it for an import or for too
  /// many objects. Everything has to be selected again then.
  package let listsAll: Bool
  /// The conversations with so many changed messages that the log does not list them.
  package let ranges: Set<UInt32>
  /// The changes of messages and announcements.
  package private(set) var messages: [MessageKey: LoggedChange] = [:]
  /// The changes of conversations, by row.
  package private(set) var conversations: [UInt32: LoggedChange] = [:]
  /// The changes of identities, by row.
  package private(set) var identities: [UInt32: LoggedChange] = [:]
  /// The changes of records of the application.
  package private(set) var records: [TypedRecordKey: LoggedChange] = [:]

  /// With more ranges than this, queries select everything again: an import may have one for each of thousands of conversations.
  private static let maximumRanges = 256

  private var testers: [Int: ConditionMemory] = [:]
  private lazy var touchedByKind: [ObjectKind: [RowReference]] = [:]
  /// What `dependents` has found: a list asks when it decides how to follow the batch, and when it follows it.
  var knownDependents: [Dependence: [RowReference]?] = [:]
  /// The conversations that changed, or whose messages did.
  private(set) lazy var touchedConversations = ranges.union(conversationsOfMessages).union(conversations.keys)
  /// The changes of identities, by the numbers of their users.
  private(set) lazy var changesOfUsers = Result {
    var changes: [UInt32: LoggedChange] = [:]
    for (row, change) in identities {
      if let user = try snapshot.findIdentity(row)?.user { changes[user] = change }
    }
    return changes
  }
  private lazy var conversationsOfMessages = Set(
    messages.keys.lazy.filter { !$0.isAnnouncement }.map(\.conversation))
  /// What `findOwnStates` finds.
  private(set) lazy var ownStates = Result { try findOwnStates() }
  /// The index entries that the batch added or removed.
  private(set) lazy var indexRows: Result<IndexRows, any Error> = Result { try IndexRows(self) }
  /// The sizes of the dictionaries. If they are not those that a plan was made with, names may stand for more numbers
  /// than before.
  package private(set) lazy var dictionaries: Result<DictionarySizes, any Error> = Result {
    try DictionarySizes(snapshot)
  }

  /// Whether some relation between users has come, gone or changed.
  private(set) lazy var changesRelations: Bool = {
    guard !records.isEmpty else { return !listsAll }
    // Where it cannot be told, what is selected again throws the error.
    guard let type = try? snapshot.recordType(of: .relations) else { return true }
    return records.keys.contains { $0.type == type }
  }()

  /// Whether a message or a conversation may have come, gone, or got another name.
  private(set) lazy var changesNames: Bool =
    !listsAll || !ranges.isEmpty || messages.values.contains { $0.concerns(.init(.remoteID)) }
    || conversations.values.contains { $0.concerns(.init(.remoteID)) }

  package var snapshot: Snapshot { executor.snapshot }

  /// Collects the commits after `commit`, up to the commit that the executor's snapshot shows.
  package init(after commit: UInt64, _ executor: Executor) throws {
    self.executor = executor
    first = commit
    last = executor.snapshot.seal.commit
    var listsAll = true
    var ranges: Set<UInt32> = []
    if let entries = try executor.snapshot.changes(after: commit) {
      for (_, entry) in entries {
        for range in entry.ranges {
          switch range.scope {
          case .conversation(let row): ranges.insert(row)
          case .importNumber: listsAll = false
          }
        }
      }
      listsAll = listsAll && ranges.count <= Self.maximumRanges
      self.listsAll = listsAll
      self.ranges = ranges
      for (_, entry) in entries where listsAll { for change in entry.changes { note(change) } }
    } else {
      self.listsAll = false
      self.ranges = []
    }
  }

  private func note(_ change: LoggedChange) {
    switch change.object {
    case .message(let key): Self.note(change, in: &messages, key)
    case .conversation(let row): Self.note(change, in: &conversations, row)
    case .identity(let row): Self.note(change, in: &identities, row)
    case .record(let key): Self.note(change, in: &records, key)
    }
  }

  private static func note<Key: Hashable>(
    _ change: LoggedChange, in changes: inout [Key: LoggedChange], _ key: Key
  ) {
    guard let earlier = changes[key] else {
      changes[key] = change
      return
    }
    changes[key] = earlier.followed(by: change)
  }

  // MARK: Questions

  /// Returns the objects of a kind that the log lists, in creation order. For parts it returns their messages, as part
  /// 0. The conversations include those whose messages changed, because a conversation is shown with its last message.
  package func touched(_ kind: ObjectKind) -> [RowReference] {
    if let known = touchedByKind[kind] { return known }
    let rows: [RowReference] =
      switch kind {
      case .messages, .parts:
        messages.keys.filter { !$0.isAnnouncement }
          .map { RowReference(sequence: $0.sequence, conversation: $0.conversation) }
      case .announcements:
        messages.keys.filter(\.isAnnouncement).map { RowReference(sequence: $0.sequence) }
      case .conversations:
        conversationsOfMessages.union(conversations.keys)
          .map { RowReference(sequence: UInt64($0)) }
      case .identities: identities.keys.map { RowReference(sequence: UInt64($0)) }
      case .records: records.keys.map(RowReference.init)
      }
    let sorted = rows.sorted()
    touchedByKind[kind] = sorted
    return sorted
  }

  /// Returns the objects that the log lists of the kind that a question asks for: see `touched`.
  /// - Throws: What a read of the identities throws, if they are wanted by their users. Once this has returned, `change` tells
  ///   all changes of members.
  func touched(_ question: Question) throws -> [RowReference] {
    guard question.membersOf != nil else {
      let rows = touched(question.kind)
      return question.kind == .records ? rows.filter { $0.conversation == question.recordType } : rows
    }
    return try changesOfUsers.get().keys.sorted().map { .member($0) }
  }

  /// Returns whether the log lists messages of a conversation.
  func holdsMessages(of conversation: UInt32) -> Bool { conversationsOfMessages.contains(conversation) }

  /// Returns whether nothing has changed that messages of a conversation may show, or be selected by.
  /// - Parameter included: What comes with them.
  func passesBy(_ conversation: UInt32, showing included: IncludedReferences) -> Bool {
    listsAll && identities.isEmpty && !touchedConversations.contains(conversation)
      && (records.isEmpty || included.responded == nil)
  }

  /// Returns whether something has changed that comes with other objects.
  func concerns(_ included: IncludedReferences) throws -> Bool {
    guard !included.isEmpty else { return false }
    if try !included.objects.isEmpty && concerns(objects: included.objects) { return true }
    if let responded = included.responded, try concerns(responded) { return true }
    if !included.participations.isEmpty {
      guard listsAll, let own = try ownStates.get() else { return true }
      if own.contains(where: { included.participations.contains(UInt32(truncatingIfNeeded: $0.sequence)) }) {
        return true
      }
    }
    return try !included.conversations.isDisjoint(with: touchedConversations)
      || !included.users.isDisjoint(with: changesOfUsers.get().keys)
  }

  /// Returns a question that asks for the names which the messages and conversations to which it refers have after the batch; nil if they
  /// have the same ones.
  func renamed(_ question: Question) throws -> Question? {
    guard question.namesObjects, changesNames else { return nil }
    var renamed = question
    return try renamed.renameObjects(snapshot.names(of:)) ? renamed : nil
  }

  /// Returns how the log says that an object changed; nil if the log does not list the object.
  package func change(of row: RowReference, _ kind: ObjectKind) -> LoggedChange? {
    switch kind {
    case .messages, .parts: messages[MessageKey(conversation: row.conversation, sequence: row.sequence)]
    case .announcements: messages[MessageKey(announcement: row.sequence)]
    case .conversations: conversations[UInt32(truncatingIfNeeded: row.sequence)]
    case .identities:
      if let user = row.member {
        (try? changesOfUsers.get())?[user]
      } else {
        identities[UInt32(truncatingIfNeeded: row.sequence)]
      }
    case .records: records[TypedRecordKey(type: row.conversation, sequence: row.sequence)]
    }
  }

  /// Returns whether an object is a result of a condition after the batch. This is tested once, however many queries
  /// have the condition.
  /// - Parameter number: The condition's number, which is the same for equal conditions of the kind.
  package func isResult(_ row: RowReference, of condition: Condition, _ kind: ObjectKind, number: Int) throws
    -> Bool
  {
    let memory = testers[number] ?? ConditionMemory(ResultTester(condition, of: kind, in: snapshot))
    testers[number] = memory
    return try memory.isResult(row)
  }
}

/// Remembers which objects meet one condition, as far as that has been asked.
private final class ConditionMemory {
  private let tester: ResultTester
  private var known: [RowReference: Bool] = [:]

  init(_ tester: ResultTester) { self.tester = tester }

  func isResult(_ row: RowReference) throws -> Bool {
    if let known = known[row] { return known }
    let result = try tester.isResult(row)
    known[row] = result
    return result
  }
}

/// The number of entries in each dictionary.
package struct DictionarySizes: Hashable, Sendable {
  private let sizes: [Int]

  init(_ snapshot: Snapshot) throws {
    sizes = [
      try snapshot.users.count, try snapshot.mimeTypes.count, try snapshot.typeSets.count,
      try snapshot.participantSets.count, try snapshot.metadataPaths.count,
    ]
  }
}
