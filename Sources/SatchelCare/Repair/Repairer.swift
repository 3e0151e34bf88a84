internal import CommitEngine
internal import LMDB
internal import RankedIndex
internal import RecordStore
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel
internal import SatchelStorage
internal import StoreFiles

/// One repair, in one write transaction.
struct Repairer {
  /// The reason why there was no repair: faults of records.
  struct Refusal: Error {
    let faults: [VerificationReport.Fault]
  }

  let store: Store
  let transaction: LMDBWriteTransaction
  let databases: Databases
  private(set) var actions: [String] = []
  /// What the repair says to the journal when it is committed.
  private(set) var turn: WriteTurn?
  /// What the journal adds to the indexes, which are checked before they are built anew.
  private var pending: PendingForest?

  init(_ store: Store, _ transaction: LMDBWriteTransaction) throws {
    self.store = store
    self.transaction = transaction
    databases = store.databases
  }

  /// - Returns: What was done, one sentence for each action.
  /// - Throws: `Refusal`; then nothing was done.
  mutating func run() throws -> [String] {
    if transaction.mendedHeaders > 0 {
      actions.append("the headers of \(transaction.mendedHeaders) damaged pages of indexes were written anew")
    }
    let oldSeal = try takeOverJournal()
    let oldDirectory = try? oldSeal.map { try Directory($0.trees) }
    if let oldDirectory { try recoverDictionaries(oldDirectory) }
    try removeUnknown()
    let survey = try NumberSurvey(transaction, databases)
    var seal = survey.seal(from: oldSeal)
    let found = try checkRecords(seal, oldDirectory ?? survey.directory)
    for table in Seal.Table.allCases where table != .nodes { seal[table] = found[table] ?? Seal.Summary() }
    var directory = survey.directory
    directory.sequence = seal.commit
    if let oldDirectory {
      directory.nextInner = max(directory.nextInner, oldDirectory.nextInner)
      directory.nextLeaf = max(directory.nextLeaf, oldDirectory.nextLeaf)
      directory.nextContinuation = max(directory.nextContinuation, oldDirectory.nextContinuation)
    }
    seal.trees = directory.encode()
    let rebuilt = try store.rebuild(in: transaction, seal, after: oldSeal ?? seal)
    turn = rebuilt.turn
    actions += rebuilt.actions
    return actions
  }

  /// Writes the records of the commits that are in the journal: their entries of indexes follow from them.
  /// - Returns: The seal after them, with the directory that LMDB has; nil if it is damaged.
  private mutating func takeOverJournal() throws -> Seal? {
    guard var seal = try? Store.readSeal(transaction, databases) else { return nil }
    guard seal.isJournalInUse,
      let tail = try store.journal?.beginTransaction(seal, until: transaction.waitLimit), !tail.isEmpty
    else { return seal }
    try PendingTables(over: tail.tables).write(to: transaction, databases)
    pending = tail.forest
    actions.append("the commits from \(seal.commit + 1) to \(tail.seal.commit) were taken from the journal")
    let trees = seal.trees
    seal = tail.seal
    seal.trees = trees
    return seal
  }

  /// Restores entries of dictionaries that are missing or damaged, if the tree of all entries still has their text.
  private mutating func recoverDictionaries(_ directory: Directory) throws {
    let forest = Forest(
      reading: transaction, nodes: databases.nodes, overflow: databases.texts, directory: directory,
      cache: NodeCache(capacity: 64), pageSize: Int(store.header.pageSize))
    var missing: [(DictionaryKind, UInt32, DictionaryEntry)] = []
    do {
      _ = try forest.verify(IndexCatalog.dictionaryText.tree, report: { _ in }) { key in
        guard let kind = UInt8(exactly: key.group).flatMap(DictionaryKind.init),
          let id = UInt32(exactly: key.row), try !hasEntry(kind, id)
        else { return }
        if !kind.holdsSets {
          missing.append((kind, id, .text(key.text)))
        } else if let members = DictionaryEntry.unpacked(key.text) {
          missing.append((kind, id, .set(members)))
        }
      }
    } catch let error as IndexError {
      // The tree is damaged: it gives no more entries.
      if case .lmdb(let error) = error { throw error }
    }
    for (kind, id, entry) in missing {
      try put(ObjectKey.dictionary(kind, id: id).bytes, entry.encode(kind, id: id))
    }
    if !missing.isEmpty {
      actions.append("\(missing.count) entries of dictionaries were taken from their index")
    }
  }

  private func hasEntry(_ kind: DictionaryKind, _ id: UInt32) throws -> Bool {
    let record = unsafe try transaction.get(databases.objects, ObjectKey.dictionary(kind, id: id).bytes)
    return unsafe record.map { unsafe (try? DictionaryEntry($0, kind, id: id)) != nil } ?? false
  }

  /// Removes databases and keys that the format does not have.
  private mutating func removeUnknown() throws {
    for name in try transaction.databaseNames().map({ String(decoding: $0, as: UTF8.self) })
    where !Databases.names.contains(name) {
      try transaction.removeDatabase(named: name)
      actions.append("the database \(name), which the format does not have, was removed")
    }
    try removeKeys(in: databases.objects, "objects") { unsafe (try? ObjectKey($0)) != nil }
    try removeKeys(in: databases.messages, "messages") { unsafe (try? MessageKey(messages: $0)) != nil }
    try removeKeys(in: databases.bodies, "bodies") { unsafe (try? BodyKey($0)) != nil }
  }

  /// Removes the entries whose keys `isKnown` does not accept. A key is valid during the call: only to read it is unsafe.
  @safe private mutating func removeKeys(
    in database: Database, _ name: String, unless isKnown: (UnsafeRawBufferPointer) -> Bool
  ) throws {
    var unknown: [[UInt8]] = []
    do {
      var cursor = try transaction.cursor(database)
      while let entry = unsafe try cursor.next() {
        if unsafe !isKnown(entry.key) { unknown.append(unsafe [UInt8](entry.key)) }
      }
    }
    for key in unknown {
      _ = unsafe try withUnsafeTemporaryKey(key) { key throws(LMDBError) in
        unsafe try transaction.delete(database, key)
      }
    }
    if !unknown.isEmpty {
      actions.append(
        "\(unknown.count) entries of \(name) with keys that the format does not have were removed")
    }
  }

  /// Checks all records once more, with numbers in the seal that are high enough.
  /// - Returns: The actual count and digest of each table.
  private func checkRecords(_ seal: Seal, _ directory: Directory) throws -> [Seal.Table: Seal.Summary] {
    var verifier = Verifier(snapshot: store.snapshot(transaction, seal, directory, pending))
    let found = try verifier.run()
    guard verifier.report.recordFaultCount == 0 else {
      throw Refusal(faults: verifier.report.faults.filter { !$0.isDerived })
    }
    return found
  }

  private func put(_ key: KeyBytes, _ record: [UInt8]) throws {
    unsafe try key.withUnsafeBytes { key throws(LMDBError) in
      unsafe try withUnsafeTemporaryKey(record) { value throws(LMDBError) in
        unsafe try transaction.put(databases.objects, key, value)
      }
    }
  }
}
