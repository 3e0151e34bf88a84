package import LMDB
package import RankedIndex
package import SatchelCoding
internal import SatchelModel

/// One state of a store: what a read transaction sees, or what a write transaction has made so far.
///
/// A view of a record points into the file's map: it is good until the transaction ends or, in a write, until its next
/// change. Everything an index names exists; a record or node that is missing throws `corrupted`.
///
/// What is touched for each record is not checked for exclusive access at run time: no access of it lasts while other code of
/// the snapshot runs, and a snapshot is used by one thread.
package final class Snapshot {
  package let transaction: ReadTransaction
  package let databases: Databases
  /// The indexes.
  package let forest: Forest
  package let header: StoreHeader
  /// The user that the store belongs to.
  package let user: String
  /// The last commit's sequence, counts and digests; inside a write, those of the commit before.
  package let seal: Seal
  /// How many changes the transaction has made: what was read before one need not fit what is read after it.
  package internal(set) var changes = 0
  /// What has been read so far.
  @exclusivity(unchecked) package var metrics = ReadMetrics()

  let cache: DictionaryCache
  /// What the write has added to the dictionaries; nil in a read.
  let pending: PendingDictionaries?
  /// The texts of dictionaries that any transaction has met.
  lazy var textTables = cache.tables
  /// Identifiers of conversations that have been met, by row: messages come in runs of few conversations.
  var knownIdentifiers: [UInt32: String] = [:]
  /// The texts of the numbers that have been met last.
  @exclusivity(unchecked) var names = NamesMet()
  /// The record of a message that was looked up last by its identifier, in a read: it is often read again at once.
  @exclusivity(unchecked) var locatedMessage: MessageView?
  /// The record of a conversation that was read last, in a read: what is looked up by it next is often its own.
  @exclusivity(unchecked) var lastConversation: ConversationView?
  /// The parts of the message whose parts were asked for last, where there are many, in a read.
  @exclusivity(unchecked) private var partTable: PartTable?
  private var knownUser: UInt32?
  /// Where the last record of a message was read: the next one often lies in the same page.
  @exclusivity(unchecked) private var messageCursor: MessageCursor?
  /// As much for conversations.
  @exclusivity(unchecked) private var objectCursor: Cursor?
  /// The aggregates that are declared, once they have been read.
  var knownAggregates: [DeclaredAggregate]?
  /// By how much the transaction at hand changes the totals of aggregates, by their ids; nil in a read.
  var pendingAggregateTotals: (() throws -> [UInt32: AggregateTotals])?
  /// What evaluates aggregates; nil in a program that does not.
  let aggregateEvaluator: (any AggregateEvaluator)?
  /// What the reading layers above keep for the store; none inside a write, whose snapshots are not the store's yet.
  package let companion: (any SnapshotCompanion)?

  init(
    transaction: ReadTransaction, databases: Databases, forest: Forest, header: StoreHeader, user: String,
    seal: Seal,
    cache: DictionaryCache, pending: PendingDictionaries? = nil,
    aggregateEvaluator: (any AggregateEvaluator)? = nil, companion: (any SnapshotCompanion)? = nil
  ) {
    self.transaction = transaction
    self.databases = databases
    self.forest = forest
    self.header = header
    self.user = user
    self.seal = seal
    self.cache = cache
    self.pending = pending
    self.aggregateEvaluator = aggregateEvaluator
    self.companion = companion
  }

  /// The part at an index of a message, and whether it is the message's first text; nil where there is no such part.
  ///
  /// In a read the parts of one message cost O(1) each, however many there are.
  package func part(at index: Int, of view: MessageView) -> (part: PartView, isLeadingText: Bool)? {
    guard pending == nil, view.partCount > Self.fewParts else {
      return view.part(at: index).map { ($0, $0.kind == .text && view.leadingText?.index == index) }
    }
    if partTable?.view.key != view.key { partTable = PartTable(view) }
    guard let partTable, let part = partTable.part(at: index) else { return nil }
    return (part, partTable.leadingText == index)
  }

  /// How many parts are walked over rather than looked up, and how many a record has that is checked once for all of them.
  static var fewParts: Int { 16 }

  /// The bytes of the record of a message.
  func messageRecord(_ key: MessageKey) throws(LMDBError) -> UnsafeRawBufferPointer? {
    // One record alone is not worth a cursor; and those of a write end with its next change.
    guard pending == nil, !key.isAnnouncement, metrics.recordsRead > 0 else {
      return unsafe try transaction.get(databases.records(of: key), key.bytes)
    }
    if messageCursor == nil { messageCursor = MessageCursor(try transaction.cursor(databases.messages)) }
    return unsafe try messageCursor?.value(key)
  }

  /// The bytes of the record of a conversation.
  func conversationRecord(_ row: UInt32) throws(LMDBError) -> UnsafeRawBufferPointer? {
    let bytes = ObjectKey.conversation(row: row).bytes
    guard pending == nil, metrics.recordsRead > 0 else {
      return unsafe try transaction.get(databases.objects, bytes)
    }
    if objectCursor == nil { objectCursor = try transaction.cursor(databases.objects) }
    return unsafe try objectCursor?.value(bytes.bigEndianWords, count: bytes.count)
  }

  /// Whether this is the state of a write at hand: its memory is good until the next change.
  package var isWriting: Bool { pending != nil }

  /// The number of the store's user; nil as long as nothing refers to that user.
  package var userNumber: UInt32? {
    get throws {
      if let knownUser { return knownUser }
      knownUser = try users.number(of: user)
      return knownUser
    }
  }
}

/// How much a transaction has read. The indexes keep their own counts, in `Forest.metrics`.
package struct ReadMetrics: Sendable, Hashable {
  package var recordsRead = 0
  /// Contents read from outside their records.
  package var bodiesRead = 0
  /// Bytes of such contents.
  package var bodyBytesRead = 0

  package init() {}
}
