internal import LMDB
internal import RankedIndex
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel

/// Checks a whole store against itself: every checksum, the seal's counts and digests, the indexes against the records
/// in both directions, the nodes of the indexes, the dictionaries, the derived values, the contents and, where the program
/// can evaluate them, the aggregates.
///
/// Every entry that a record should have is looked up, and every index has as many entries as were looked up: since
/// its keys are distinct, it has no others. Memory stays bounded, but for what a running import has staged.
package struct Verifier {
  let snapshot: Snapshot
  var report = VerificationReport()
  /// The entries that the records say a tree has, by its id.
  var expected: [UInt16: Int] = [:]
  /// Count and digest of each table as they are.
  var found: [Seal.Table: Seal.Summary] = [:]
  /// What running imports have staged.
  var staged: Set<ObjectRow> = []
  /// Deletions that wait: whole conversations, and single messages.
  var purged: Set<MessageKey> = []
  var consumerNames: Set<[UInt8]> = []
  /// The entries of each dictionary.
  var dictionaryCounts = [UInt32](repeating: 0, count: DictionaryKind.allCases.count)
  var changes = IndexChanges()
  /// Whether the store has the indexes that came later: another program may have built them since it was opened.
  private var hasLaterIndexes = true

  /// Checks the snapshot's store.
  package static func verify(_ snapshot: Snapshot) throws -> VerificationReport {
    var verifier = Verifier(snapshot: snapshot)
    try verifier.run()
    return verifier.report
  }

  private init(snapshot: Snapshot) { self.snapshot = snapshot }

  private mutating func run() throws {
    if let header = try Store.readHeader(snapshot.transaction, snapshot.databases) {
      hasLaterIndexes = header.versions.indexSet >= Store.versions.indexSet
    }
    try readQueues()
    try checkObjects()
    try checkMessages()
    try checkBodies()
    try checkAggregates()
    try checkTrees()
    checkSeal()
  }

  /// Reads the two tables that explain why records are in no index.
  private mutating func readQueues() throws {
    try snapshot.scanObjects(from: .purge(MessageKey(conversation: 0, sequence: 0))) { key, value in
      switch key {
      case .purge(let message): purged.insert(message)
      case .staging(let number, let ordinal):
        if case .created(let object)? = try? unsafe StagingEntry(
          value, importNumber: number, ordinal: ordinal
        ).content {
          staged.insert(object)
        }
      default: return false
      }
      return true
    }
    report.staged = staged.count
    report.purges = purged.count
  }

  /// Counts a record that a scan has met, and checks that a look-up by its key leads to it, too: pages that have
  /// changed places, or a damaged separator between them, show in no checksum.
  mutating func count(
    _ table: Seal.Table, _ key: KeyBytes, _ value: UnsafeRawBufferPointer, _ name: @autoclosure () -> String
  ) throws {
    report.records += 1
    unsafe found[table, default: Seal.Summary()].add(RecordFrame.storedChecksum(value))
    let database =
      switch table {
      case .messages: snapshot.databases.messages
      case .bodies: snapshot.databases.bodies
      default: snapshot.databases.objects
      }
    if unsafe try snapshot.transaction.get(database, key)?.baseAddress != value.baseAddress {
      report.add("\(table)", name(), "a look-up by its key does not find it")
    }
  }

  /// Runs a check; damage that it meets is a fault, not an end.
  mutating func attempt(_ place: String, _ key: String, _ body: (inout Verifier) throws -> Void) throws {
    do {
      try body(&self)
    } catch let error as CodingError {
      report.add(place, key, error.description)
    } catch let error as RecordError {
      report.add(error.table, error.key, error.finding)
    } catch let error as IndexError {
      if case .lmdb(let error) = error { throw error }
      report.add(place, key, "\(error)")
    }
  }

  /// The index that has to hold an entry: that of an identifier may be either of two, and must not be both.
  private func index(of entry: IndexChanges.Numeric) throws -> TreeSchema {
    guard entry.schema == IndexCatalog.messageIdentifier else { return entry.schema }
    let recent = IndexCatalog.messageIdentifierRecent
    let isRecent = try snapshot.forest.rows(recent, of: entry.row[0]).contains { $0[1] == entry.row[1] }
    return isRecent ? recent : entry.schema
  }

  /// Looks for the entries that a record says the indexes have, which `changes` holds as insertions.
  mutating func expectEntries(of place: String, _ key: String) throws {
    let rows = changes.numeric
    let texts = changes.text
    changes.removeAll()
    for entry in rows where hasLaterIndexes || !IndexCatalog.later.contains(entry.schema) {
      try attempt(place, key) { verifier in
        let schema = try verifier.index(of: entry)
        verifier.expected[schema.id, default: 0] += 1
        var cursor = try verifier.snapshot.forest.cursor(schema)
        try cursor.seek(to: .before(entry.row, columns: entry.schema.keyColumns))
        guard let row = try cursor.next(), row == entry.row else {
          return verifier.report.add(place, key, "\(entry.schema.name) lacks its entry \(entry.row)")
        }
      }
    }
    for entry in texts {
      expected[entry.schema.id, default: 0] += 1
      try attempt(place, key) { verifier in
        var cursor = try verifier.snapshot.forest.cursor(entry.schema)
        try cursor.seek(to: .before(entry.key))
        guard try cursor.next() != nil, try cursor.key() == entry.key else {
          return verifier.report.add(place, key, "\(entry.schema.name) lacks its entry")
        }
      }
    }
  }
}
