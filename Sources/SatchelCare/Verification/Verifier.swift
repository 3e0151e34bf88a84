internal import RankedIndex
internal import RankedKeys
internal import RecordStore
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel
package import SatchelReading
internal import SatchelRecords
internal import SatchelStorage
internal import StoreFiles

/// Checks a whole store against itself: LMDB's pages and its list of free pages, every checksum, the seal's counts and
/// digests, the indexes against the records in both directions, the nodes of the indexes, the dictionaries, the derived
/// values, the contents and, if the program can evaluate them, the aggregates.
///
/// If commits are in the journal, the file is checked as it is, then what the journal adds to it against the file, and then
/// what both together are.
///
/// Every entry that a record should have is looked up, and every index must have exactly as many entries as were looked
/// up. Since its keys are distinct, it has no others. Memory is bounded, except for what a running import has staged.
package struct Verifier {
  let snapshot: Snapshot
  var report = VerificationReport()
  /// How many entries a tree should have according to the records, by the tree's id.
  var expected: [UInt16: Int] = [:]
  /// The actual count and digest of each table.
  var found: [Seal.Table: Seal.Summary] = [:]
  /// The objects that running imports have staged.
  var staged: Set<ObjectRow> = []
  /// Deletions in the purge queue, of whole conversations and single messages; the value is nil if the entry is
  /// damaged.
  var purged: [MessageKey: PurgeEntry?] = [:]
  /// How many messages of each deleted conversation still exist.
  var remaining: [UInt32: UInt64] = [:]
  var consumerNames: Set<[UInt8]> = []
  var aggregateNames: Set<[UInt8]> = []
  /// The declared indexes whose entries are checked.
  var declared: [(record: DeclaredIndexRecord, entries: any IndexEntries)] = []
  /// The sums of the lengths of those that are of words.
  var wordTotals = WordTotals()
  /// The states of the declared indexes of each name.
  var declaredNames: [[UInt8]: [DeclaredIndexEntry.State]] = [:]
  /// The record types of applications, by their numbers.
  var recordTypes: [UInt32: RecordType] = [:]
  /// How many entries each dictionary has.
  var dictionaryCounts = [UInt32](repeating: 0, count: DictionaryKind.allCases.count)
  var changes = IndexChanges()
  /// The numbers of the indexes that came with a later set than the store's. Another program may have built them since the
  /// store was opened.
  private var lacking: Set<UInt16> = []
  /// The optional indexes that the store has.
  private(set) var optionalIndexes: StoreHeader.OptionalIndexes = []
  /// The creation sequence from which on those of the metadata of messages and announcements have no entries.
  private(set) var endOfMetadata: UInt64 = 0

  /// Checks the snapshot's store.
  package static func verify(_ snapshot: Snapshot) throws -> VerificationReport {
    var verifier = Verifier(snapshot: snapshot)
    try verifier.run()
    return verifier.report
  }

  init(snapshot: Snapshot) { self.snapshot = snapshot }

  /// Runs all checks.
  /// - Returns: The actual count and digest of each table.
  @discardableResult
  mutating func run() throws -> [Seal.Table: Seal.Summary] {
    try checkPages()
    // A damaged page ends only one part of the check; the other parts may find more.
    try attempt("objects", "header") { verifier in
      if let header = try Store.readHeader(verifier.snapshot.transaction, verifier.snapshot.databases) {
        let newer = IndexCatalog.numeric.filter { $0.since > header.versions.indexSet }
        verifier.lacking = Set(newer.map(\.number))
        verifier.optionalIndexes = header.versions.optionalIndexes
        verifier.endOfMetadata = verifier.optionalIndexes.contains(.messageMetadata) ? .max : 0
        verifier.checkHeader(header)
      }
    }
    // A damaged one is found among the objects: a repair does without it.
    if let build = try? snapshot.indexBuild()?.build { endOfMetadata = min(endOfMetadata, build.next) }
    try attempt("databases", "") { try $0.checkDatabases() }
    try attempt("declaredIndexes", "") { try $0.prepareDeclared() }
    try attempt("objects", "") { try $0.readQueues() }
    try attempt("objects", "") { try $0.checkObjects() }
    try attempt("messages", "") { try $0.checkMessages() }
    checkRemaining()
    try attempt("declaredIndexes", "") { try $0.checkWordTotals() }
    try attempt("bodies", "") { try $0.checkBodies() }
    try attempt("aggregates", "") { try $0.checkAggregates() }
    try attempt("indexes", "") { try $0.checkTrees() }
    try attempt("objects", "") { try $0.checkUniqueness() }
    checkSeal()
    return found
  }

  /// Calls `visit` with every entry of the database of objects, beginning at a key. For the bytes see `scan`.
  @safe mutating func scanObjects(
    from start: ObjectKey = .header, reportsKeys: Bool = false,
    _ visit: (inout Verifier, ObjectKey, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try scan(
      .objects, "objects", from: start.bytes, reportsKeys: reportsKeys,
      key: { bytes throws(CodingError) in unsafe try ObjectKey(bytes) }, visit)
  }

  /// Calls `visit` with every record of a database, as the snapshot sees it, beginning at a key. A key that the format does not have is a fault.
  /// The bytes are valid until the transaction ends: only to read them is unsafe.
  @safe mutating func scan<Key>(
    _ database: RecordDatabase, _ name: String, from start: KeyBytes? = nil, reportsKeys: Bool = true,
    key parse: (UnsafeRawBufferPointer) throws(CodingError) -> Key,
    _ visit: (inout Verifier, Key, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var cursor = try snapshot.tables.cursor(database)
    var entry = unsafe try start.map { unsafe try cursor.seek($0) } ?? cursor.first()
    while let (bytes, value) = unsafe entry {
      let key: Key?
      do { key = unsafe try parse(bytes) } catch { key = nil }
      if let key {
        unsafe try visit(&self, key, value)
      } else if reportsKeys {
        report.addDerived(name, unsafe "\([UInt8](bytes))", "the format has no such key")
      }
      unsafe entry = try cursor.next()
    }
  }

  /// Counts a record that a scan has read, and checks that a look-up by its key finds it too. Exchanged pages, or a
  /// damaged separator between pages, do not show in any checksum.
  mutating func count(
    _ table: Seal.Table, _ key: KeyBytes, _ value: UnsafeRawBufferPointer, _ name: @autoclosure () -> String
  ) throws {
    report.records += 1
    unsafe found[table, default: Seal.Summary()].add(RecordFrame.storedChecksum(value))
    let database = RecordDatabase(table) ?? .objects
    if unsafe try snapshot.tables.get(database, key)?.baseAddress != value.baseAddress {
      report.add("\(table)", name(), "a look-up by its key does not find it")
    }
  }

  /// Runs a check. Damage that the check finds is noted as a fault and does not end the verification.
  ///
  /// - Parameters:
  ///   - location: Where it is.
  ///   - key: What is checked. Both are put into words only if there is a fault: words for each record would take longer
  ///     than its check.
  ///   - isDerived: Whether the checked record is one that a repair rebuilds.
  mutating func attempt(
    _ location: @autoclosure () -> String, _ key: @autoclosure () -> String, isDerived: Bool = false,
    _ body: (inout Verifier) throws -> Void
  ) throws {
    do {
      try body(&self)
    } catch let error as CodingError {
      if isDerived {
        report.addDerived(location(), key(), error.description)
      } else {
        report.add(location(), key(), error.description)
      }
    } catch let error as RecordError {
      report.add(error.table, error.key, error.finding)
    } catch let error as IndexError {
      if case .lmdb(let error) = error {
        guard error.isPageFault else { throw error }
        // Whether a repair can do without the page, is told with the check of all pages.
        return report.addDerived(location(), key(), error.detail)
      }
      report.addDerived(location(), key(), "\(error)")
    } catch let error as LMDBError where error.isPageFault {
      report.add(location(), key(), error.detail)
    }
  }

  /// Returns the index that should hold an entry. The entry of an identifier may be in either of two indexes, but not
  /// in both.
  private func index(of entry: IndexChanges.Numeric) throws -> TreeSchema {
    guard entry.schema == IndexCatalog.messageIdentifier.tree else { return entry.schema }
    let recent = IndexCatalog.messageIdentifierRecent
    let isRecent = try snapshot.forest.rows(recent.tree, of: recent.first(of: entry.row))
      .contains { recent.sequence(of: $0) == recent.sequence(of: entry.row) }
    return isRecent ? recent.tree : entry.schema
  }

  /// Looks up the entries that the indexes should have for a record; `changes` holds them as insertions.
  mutating func expectEntries(of location: String, _ key: @autoclosure () -> String) throws {
    let rows = changes.numeric
    let texts = changes.text
    changes.removeAll()
    for entry in rows where !lacking.contains(entry.schema.id) {
      try attempt(location, key()) { verifier in
        let schema = try verifier.index(of: entry)
        verifier.expected[schema.id, default: 0] += 1
        var cursor = try verifier.snapshot.forest.cursor(schema)
        try cursor.seek(to: .before(entry.row, columns: entry.schema.keyColumns))
        guard let row = try cursor.next(), row == entry.row else {
          return verifier.report.addDerived(
            location, key(), "\(entry.schema.name) lacks its entry \(entry.row)")
        }
      }
    }
    for entry in texts {
      expected[entry.schema.id, default: 0] += 1
      try attempt(location, key()) { verifier in
        var cursor = try verifier.snapshot.forest.cursor(entry.schema)
        try cursor.seek(to: .before(entry.key))
        guard try cursor.next() != nil, try cursor.key() == entry.key else {
          return verifier.report.addDerived(location, key(), "\(entry.schema.name) lacks its entry")
        }
      }
    }
  }
}

/// Checks the pages of the file, which have no checksums and which LMDB trusts.
extension Verifier {
  /// Checks the use of every page. A wrong number on the free list or in a page's header does not show in anything that
  /// is read, but the next writes would overwrite pages that are in use. A repair gives all
  /// pages of the indexes up if nothing is wrong but in these.
  mutating func checkPages() throws {
    let pages = try snapshot.transaction.auditPages(givingUp: Databases.namesOfIndexes)
    report.pages = pages.pages + pages.freePages
    var faults = pages.faults.map { ($0.place, $0.finding) }
    if pages.faultCount > faults.count {
      faults.append(("pages", "\(pages.faultCount - faults.count) more faults"))
    }
    for (place, finding) in faults {
      if pages.mayGiveUp {
        report.addDerived(place, "", finding)
      } else {
        report.add(place, "", finding)
      }
    }
  }
}
