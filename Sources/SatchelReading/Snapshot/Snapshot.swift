package import LMDB
package import RankedIndex
package import RecordStore
package import SatchelCoding
internal import SatchelModel
internal import SatchelText
internal import StoreFiles

/// One state of a store: the state that a read transaction sees, or the state that a write transaction has reached so
/// far.
///
/// A view of a record points into the file's map. It is valid until the transaction ends or, in a write, until the
/// write's next change. Everything that an index refers to exists; a missing record or node throws `corrupted`.
///
/// Properties that are used for each record are not checked for exclusive access at run time. None of these accesses
/// lasts while other code of the snapshot runs, and a snapshot is used by one thread.
package final class Snapshot {
  package let transaction: ReadTransaction
  /// A number that is a greater one after each commit of any process, as `CommitSignal` counts them.
  package let number: UInt64
  package let databases: Databases
  /// The indexes.
  package let forest: Forest
  package let header: StoreHeader
  /// The user that the store belongs to.
  package let user: String
  /// The last commit's sequence, counts and digests. Inside a write: those of the commit before it.
  package let seal: Seal
  /// The commits that are in the journal; nil if it is not in use.
  package let tail: Tail?
  /// How many changes the transaction has made. What was read before a change need not agree with what is read after
  /// it.
  package var changes = 0
  /// What the read may read; nil in a write, and for work that has to come to its end.
  @safe @exclusivity(unchecked) package var bounds: ReadBounds?
  /// How much has been read so far.
  @safe @exclusivity(unchecked) package var metrics = ReadMetrics()

  /// The records; in a write, with its changes.
  package let tables: TableReader
  package let cache: DictionaryCache
  /// The entries that the write has added to the dictionaries; nil in a read.
  let pending: PendingDictionaries?
  /// What the transaction's reader keeps for the next read; nil in a write.
  let memory: ReaderMemory?
  /// The texts of dictionaries that any transaction has read.
  lazy var textTables = memory?.textTables ?? cache.tables
  /// Identifiers of conversations that have been read, by row: messages come in runs of few conversations.
  var knownIdentifiers: [UInt32: String] = [:]
  /// The texts of the numbers that were read last.
  @safe @exclusivity(unchecked) var names = NamesMet()
  /// In a read: the record of the message that was last looked up by its identifier, or that was last read and has many
  /// parts. It is often read again at once.
  @safe @exclusivity(unchecked) var locatedMessage: MessageView?
  /// In a read: the record of the conversation that was read last. The next look-up is often for the same one.
  @safe @exclusivity(unchecked) package internal(set) var lastConversation: ConversationView?
  /// In a read: the parts of the message whose parts were asked for last, if it has many.
  @safe @exclusivity(unchecked) private var partTable: PartTable?
  private var knownUser: UInt32?
  /// At the record of the message that was read last: the next record is often in the same page.
  @safe @exclusivity(unchecked) private var messageCursor: MessageCursor?
  /// At the record of the conversation that was read last.
  @safe @exclusivity(unchecked) private var objectCursor: Cursor?
  /// The declared aggregates, once they have been read.
  var knownAggregates: [DeclaredAggregate]?
  /// The declared indexes, once they have been read.
  var knownIndexes: [DeclaredIndexRecord]?
  /// The declared record types, once they have been read; in a write, with those that it has declared.
  var knownRecordTypes: DeclaredRecordTypes?
  /// Whether declared fields may refer to objects of a type, by its name, for those that were asked for.
  var knownReferred: [ByteString: Bool] = [:]
  /// Whether the write has declared or dropped indexes, or built some.
  var haveIndexesChanged = false
  /// What `plannedIndexes` is, once it has been set or found.
  var madeOfIndexes: (any AnyObject & Sendable)?
  /// Returns by how much the current transaction changes the totals of aggregates, by their ids; nil in a read.
  package var pendingAggregateTotals: (() throws -> [UInt32: AggregateTotals])?
  /// What evaluates aggregates; nil in a program that does not evaluate them.
  package let aggregateEvaluator: (any AggregateEvaluator)?
  /// What the reading layers above keep for the store; nil inside a write, whose state is not yet that of the store.
  package let companion: (any SnapshotCompanion)?

  package init(
    transaction: ReadTransaction, databases: Databases, forest: Forest, header: StoreHeader, user: String,
    seal: Seal,
    cache: DictionaryCache, memory: ReaderMemory? = nil, tables: TableReader? = nil,
    pending: PendingDictionaries? = nil, tail: Tail? = nil, commitsOutside: UInt64 = 0,
    aggregateEvaluator: (any AggregateEvaluator)? = nil, companion: (any SnapshotCompanion)? = nil
  ) {
    number = transaction.id &+ commitsOutside &+ transaction.environment.numberOffset
    self.tail = tail
    self.transaction = transaction
    self.databases = databases
    self.forest = forest
    self.header = header
    self.user = user
    self.seal = seal
    self.cache = cache
    self.memory = memory
    self.tables = tables ?? TableReader(transaction, databases)
    self.pending = pending
    self.aggregateEvaluator = aggregateEvaluator
    self.companion = companion
  }

  /// Returns the part at an index of a message, and whether it is the message's first text; nil if there is no such
  /// part.
  ///
  /// In a read, each part costs O(1), however many parts the message has.
  package func part(at index: Int, of view: MessageView) -> (part: PartView, isLeadingText: Bool)? {
    guard pending == nil, view.partCount > Self.fewParts else {
      return view.part(at: index).map { ($0, $0.kind == .text && view.leadingText?.index == index) }
    }
    if partTable?.view.key != view.key { partTable = PartTable(view) }
    guard let partTable, let part = partTable.part(at: index) else { return nil }
    return (part, partTable.leadingText == index)
  }

  /// The most parts of a message that are searched one by one. With more parts, a table of them is made, and the record
  /// is checked once for all of them.
  static var fewParts: Int { 16 }

  /// Returns the bytes of the record of a message, or nil.
  func messageRecord(_ key: MessageKey) throws(LMDBError) -> UnsafeRawBufferPointer? {
    // A single record is not worth a cursor. In a write, the records that a cursor reads end with the next change.
    guard pending == nil, !key.isAnnouncement, metrics.recordsRead > 0 else {
      return unsafe try tables.get(RecordDatabase(of: key), key.bytes)
    }
    if let change = tables.change(.messages, key.bytes) { return unsafe change.value }
    if messageCursor == nil { messageCursor = MessageCursor(try tables.baseCursor(.messages)) }
    return unsafe try messageCursor?.value(key)
  }

  /// Returns the bytes of the record of a conversation, or nil.
  func conversationRecord(_ row: UInt32) throws(LMDBError) -> UnsafeRawBufferPointer? {
    let bytes = ObjectKey.conversation(row: row).bytes
    guard pending == nil, metrics.recordsRead > 0 else {
      return unsafe try tables.get(.objects, bytes)
    }
    if let change = tables.change(.objects, bytes) { return unsafe change.value }
    if objectCursor == nil { objectCursor = try tables.baseCursor(.objects) }
    return unsafe try objectCursor?.value(bytes.bigEndianWords, count: bytes.count)
  }

  /// Whether this is the state of a current write, whose memory is valid only until the next change.
  package var isWriting: Bool { pending != nil }

  /// The number of the store's user; nil if nothing refers to that user yet.
  package var userNumber: UInt32? {
    get throws {
      if let knownUser { return knownUser }
      knownUser = try users.number(of: user)
      return knownUser
    }
  }
}

/// How much a transaction has read. The indexes have their own counts, in `Forest.metrics`.
package struct ReadMetrics: Sendable, Hashable {
  package var recordsRead = 0
  /// The number of definitions of record types that were decoded.
  package var recordTypesRead = 0
  /// How often texts were looked for in the metadata of a record.
  package var metadataSearches = 0
  /// How often the parts of a record were gone through for one that meets a condition.
  package var partSearches = 0
  /// How often a text was folded and divided into words for several tests at once.
  package var textsFolded = 0
  /// The number of objects that were looked for because others refer to them, of which each comes along.
  package var inclusionsRead = 0
  /// The number of contents that were read from outside their records.
  package var bodiesRead = 0
  /// The values in which these contents, or what was asked for of them, are stored: at most a page each.
  package var piecesRead = 0
  /// The bytes of these contents.
  package var bodyBytesRead = 0

  package init() {}
}
