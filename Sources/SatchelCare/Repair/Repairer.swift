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
    if let pages = transaction.givenUpPages {
      actions.append("\(pages) pages were given up: those of the indexes, of which some were damaged")
    }
    let oldSeal = try takeOverJournal()
    let seal = try transaction.readBefore { try check(oldSeal, indexes: $0) }
    let rebuilt = try store.rebuild(in: transaction, seal, after: oldSeal ?? seal)
    turn = rebuilt.turn
    actions += rebuilt.actions
    return actions
  }

  /// Checks the records, and restores of them what the indexes still have.
  /// - Parameter indexes: The state before the repair. LMDB itself must read nothing of indexes that are given up.
  /// - Returns: The seal that the records are to have, with a directory without trees.
  private mutating func check(_ oldSeal: Seal?, indexes: ReadTransaction) throws -> Seal {
    let oldDirectory = try? oldSeal.map { try Directory($0.trees) }
    if let oldDirectory { try recoverDictionaries(oldDirectory, indexes) }
    try removeUnknown()
    var directory = try survey(indexes, unlessIn: oldDirectory)
    var seal = try NumberSurvey(transaction, databases, indexed: directory.sequence).seal(from: oldSeal)
    let found = try checkRecords(seal, oldDirectory ?? directory, indexes)
    try checkAgreement(of: found, with: oldSeal)
    for table in Seal.Table.allCases where table != .nodes { seal[table] = found[table] ?? Seal.Summary() }
    directory.sequence = seal.commit
    if let oldDirectory {
      directory.nextInner = max(directory.nextInner, oldDirectory.nextInner)
      directory.nextLeaf = max(directory.nextLeaf, oldDirectory.nextLeaf)
      directory.nextContinuation = max(directory.nextContinuation, oldDirectory.nextContinuation)
    }
    seal.trees = directory.encode()
    return seal
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
  private mutating func recoverDictionaries(_ directory: Directory, _ indexes: ReadTransaction) throws {
    let forest = Forest(
      reading: indexes, nodes: databases.nodes, overflow: databases.texts, directory: directory,
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
      if case .lmdb(let error) = error, !error.isPageFault { throw error }
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

  /// Returns a directory without trees, with next numbers of nodes that are high enough as far as nodes can be read.
  /// - Parameter known: One that has higher ones than all nodes, if there is one.
  private func survey(_ indexes: ReadTransaction, unlessIn known: Directory?) throws -> Directory {
    do {
      return try Directory.surveying(indexes, nodes: databases.nodes, texts: databases.texts)
    } catch {
      guard error.isPageFault, known != nil else { throw error }
      return Directory()
    }
  }

  /// Checks that no record is missing: indexes tell, but where they are given up, the seal alone does.
  private func checkAgreement(of found: [Seal.Table: Seal.Summary], with seal: Seal?) throws {
    guard transaction.givenUpPages != nil else { return }
    let others = Seal.Table.allCases.filter { $0 != .nodes && seal?[$0] != found[$0] ?? Seal.Summary() }
    guard others.isEmpty else {
      throw Refusal(
        faults: others.map { table in
          VerificationReport.Fault(
            location: "seal", key: "\(table)",
            finding: "it does not match, and indexes that would show whether records are missing are damaged",
            isDerived: false)
        })
    }
  }

  /// Checks all records once more, with numbers in the seal that are high enough.
  /// - Returns: The actual count and digest of each table.
  private func checkRecords(
    _ seal: Seal, _ directory: Directory, _ indexes: ReadTransaction
  ) throws -> [Seal.Table: Seal.Summary] {
    var verifier = Verifier(snapshot: store.snapshot(transaction, seal, directory, indexes: indexes, pending))
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
