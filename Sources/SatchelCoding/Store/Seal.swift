internal import SatchelBytes

/// The state of a store after a commit, written by each commit: the next commit continues from it, and verification
/// compares the tables with it.
@usableFromInline package struct Seal: Sendable, Hashable {
  /// The tables whose entries are counted, each with a digest.
  package enum Table: Int, Sendable, Hashable, CaseIterable {
    case nodes = 0
    case messages = 1
    case bodies = 2
    case conversations = 3
    case identities = 4
    case announcements = 5
    case dictionaries = 6
    case changeLog = 7
    case consumers = 8
    case purge = 9
    case staging = 10
    /// Written only if the store has aggregates.
    case aggregates = 11
    /// Written only if the store's user has deleted something that may be delivered again.
    case deletions = 12
    /// Written only while the store is being given indexes.
    case indexBuilds = 13
    /// Written only if applications have declared indexes.
    case declaredIndexes = 14
    /// Written only if applications have declared record types, as the next one.
    case recordTypes = 15
    /// Written only if there are records of applications.
    case records = 16
  }

  /// The number of entries of a table, and the wrapping sum of their checksums.
  package struct Summary: Sendable, Hashable {
    package var count: UInt64
    package var digest: UInt64

    package init(count: UInt64 = 0, digest: UInt64 = 0) {
      self.count = count
      self.digest = digest
    }

    /// Adds a new entry, by its checksum.
    package mutating func add(_ checksum: UInt64) {
      count &+= 1
      digest &+= checksum
    }

    /// Removes an entry, by its checksum.
    package mutating func remove(_ checksum: UInt64) {
      count &-= 1
      digest &-= checksum
    }
  }

  /// The extent of the change log.
  package struct Log: Sendable, Hashable {
    /// The first commit from which the log is complete; the entries of the commits before it have been trimmed.
    package var first: UInt64
    /// The number of entries. Commits that change no object have none, except those that declare or drop an aggregate.
    package var count: UInt64
    /// The size of the entries' values, in bytes.
    package var bytes: UInt64

    package init(first: UInt64, count: UInt64, bytes: UInt64) {
      self.first = first
      self.count = count
      self.bytes = bytes
    }
  }

  /// Where a record of the journal ends: the number of its last commit, and the chain value of that.
  package struct RecordPoint: Sendable, Hashable {
    package var commit: UInt64
    package var chain: UInt64

    package init(commit: UInt64, chain: UInt64) {
      self.commit = commit
      self.chain = chain
    }

    /// What a journal without records has.
    package static let none = RecordPoint(commit: 0, chain: 0)
  }

  /// The number of this commit; the creation of the store is commit 1.
  package var commit: UInt64
  /// The creation sequence of the next message or announcement.
  package var nextSequence: UInt64
  package var nextConversation: UInt32
  package var nextIdentity: UInt32
  package var nextImport: UInt32
  package var nextConsumer: UInt32
  package var log: Log
  private var nextIDs: [UInt32]
  private var summaries: [Summary]
  /// The chain value of this commit, which tells it from a commit of another history with the same number; 0 as long as
  /// the store has had no journal.
  package var chain: UInt64 = 0
  /// Whether commits after this one may be in the journal, so that the file is not the whole store.
  @usableFromInline package var isJournalInUse = false
  /// The journal's last record when this commit was made, which may be the commit itself; nil as long as the journal is not in use,
  /// and if an older program has begun it.
  package var lastRecord: RecordPoint?
  /// The directory of the ranked indexes, in the indexes' own encoding.
  package var trees: [UInt8]

  /// Makes the state of an empty store.
  package init() {
    commit = 0
    nextSequence = 1
    nextConversation = 0
    nextIdentity = 0
    nextImport = 1
    nextConsumer = 1
    log = Log(first: 1, count: 0, bytes: 0)
    nextIDs = Array(repeating: 0, count: DictionaryKind.allCases.count)
    summaries = Array(repeating: Summary(), count: Table.allCases.count)
    trees = []
  }

  /// The next id of a dictionary, which is also the number of its entries.
  package subscript(nextID dictionary: DictionaryKind) -> UInt32 {
    get { nextIDs[Int(dictionary.rawValue)] }
    set { nextIDs[Int(dictionary.rawValue)] = newValue }
  }

  /// The count and digest of a table.
  package subscript(table: Table) -> Summary {
    get { summaries[table.rawValue] }
    set { summaries[table.rawValue] = newValue }
  }
}

extension Seal {
  static let fixedBytes = 60

  /// The number of tables that every seal has. The others were added in the formats 2, 9, 11, 12 and 14.
  private static let leastTables = Table.aggregates.rawValue

  /// The number of tables that the record has: all up to the last one that has been added later and is not empty.
  private var writtenTables: Int {
    var count = summaries.count
    while count > Self.leastTables, summaries[count - 1] == Summary() { count -= 1 }
    return count
  }

  /// Whether the record has the place in the journal, which was added in format 6: only if the store has had one.
  private var hasJournal: Bool { chain != 0 || isJournalInUse }

  /// The version that the record has: those with more were added in the formats 6 and 7.
  private var version: UInt8 {
    guard hasJournal else { return 1 }
    return isJournalInUse && lastRecord != nil ? Self.versionWithLastRecord : Self.versionWithJournal
  }

  private static let versionWithJournal: UInt8 = 2
  private static let versionWithLastRecord: UInt8 = 3

  /// The number of bytes of the place in the journal.
  private static func journalBytes(in version: UInt8) -> Int {
    switch version {
    case versionWithLastRecord: 32
    case versionWithJournal: 16
    default: 0
    }
  }

  /// Returns the bytes of the record.
  package func encode() -> [UInt8] {
    var writer = RecordFrame.writer(.seal, version: version, capacity: 368 + trees.count)
    writer.u8(UInt8(nextIDs.count))
    writer.u8(UInt8(writtenTables))
    writer.u32(nextConversation)
    writer.u64(commit)
    writer.u64(nextSequence)
    writer.u32(nextIdentity)
    writer.u32(nextImport)
    writer.u64(log.first)
    writer.u64(log.count)
    writer.u64(log.bytes)
    writer.u32(nextConsumer)
    for id in nextIDs { writer.u32(id) }
    for summary in summaries[..<writtenTables] {
      writer.u64(summary.count)
      writer.u64(summary.digest)
    }
    if hasJournal {
      writer.u64(chain)
      writer.u64(isJournalInUse ? 1 : 0)
      if version == Self.versionWithLastRecord, let lastRecord {
        writer.u64(lastRecord.commit)
        writer.u64(lastRecord.chain)
      }
    }
    writer.append(trees)
    return RecordFrame.finish(&writer, key: ObjectKey.seal.bytes)
  }

  /// Checks the record as reading it does, and returns the number of the commit.
  package static func check(_ bytes: UnsafeRawBufferPointer) throws(CodingError) -> UInt64 {
    let body = unsafe try RecordFrame.open(bytes, .seal, seed: seed, minimum: fixedBytes)
    let span = unsafe body.bytes
    _ = try Layout(span)
    return span.u64(8)
  }

  /// Reads and checks the record.
  package init(_ bytes: UnsafeRawBufferPointer) throws(CodingError) {
    let body = unsafe try RecordFrame.open(bytes, .seal, seed: Self.seed, minimum: Self.fixedBytes)
    let span = unsafe body.bytes
    let layout = try Layout(span)
    self.init()
    nextConversation = span.u32(4)
    commit = span.u64(8)
    nextSequence = span.u64(16)
    nextIdentity = span.u32(24)
    nextImport = span.u32(28)
    log = Log(first: span.u64(32), count: span.u64(40), bytes: span.u64(48))
    nextConsumer = span.u32(56)
    var offset = Self.fixedBytes
    for index in nextIDs.indices {
      nextIDs[index] = span.u32(offset)
      offset += 4
    }
    for index in 0..<layout.tables {
      summaries[index] = Summary(count: span.u64(offset), digest: span.u64(offset + 8))
      offset += 16
    }
    if let journal = layout.journal {
      chain = span.u64(journal)
      isJournalInUse = span.u64(journal + 8) == 1
    }
    if let last = layout.lastRecord {
      lastRecord = RecordPoint(commit: span.u64(last), chain: span.u64(last + 8))
    }
    trees = unsafe [UInt8](body[layout.trees...])
  }

  private static let seed = ObjectKey.seal.bytes.checksumSeed

  /// Where the parts of a record are.
  private struct Layout {
    /// The number of tables.
    let tables: Int
    /// The offset of the place in the journal; nil if the record has none.
    let journal: Int?
    /// The offset of the journal's last record; nil if the record does not say it.
    let lastRecord: Int?
    /// The offset of the directory.
    let trees: Int

    private static let dictionaries = DictionaryKind.allCases.count
    private static let allTables = Table.allCases.count

    /// Finds the parts, and checks all that is not the same in every record.
    /// - Parameter span: The bytes before the checksum, which must reach to the tables at least.
    init(_ span: RawSpan) throws(CodingError) {
      tables = Int(span.u8(3))
      let version = span.u8(1)
      let tablesEnd = Seal.fixedBytes + 4 * Self.dictionaries + 16 * tables
      journal = version >= Seal.versionWithJournal ? tablesEnd : nil
      lastRecord = version == Seal.versionWithLastRecord ? tablesEnd + 16 : nil
      trees = tablesEnd + Seal.journalBytes(in: version)
      guard Int(span.u8(2)) == Self.dictionaries,
        (Seal.leastTables...Self.allTables).contains(tables), span.byteCount >= trees
      else { throw CodingError(.seal, .malformed, offset: 2) }
      if tables > Seal.leastTables, span.u64(tablesEnd - 16) == 0, span.u64(tablesEnd - 8) == 0 {
        throw CodingError(.seal, .malformed, offset: 3)
      }
      if journal != nil {
        let isInUse = span.u64(tablesEnd + 8)
        let isUnused = isInUse == 0 && lastRecord == nil && span.u64(tablesEnd) != 0
        guard isInUse == 1 || isUnused else { throw CodingError(.seal, .malformed, offset: tablesEnd) }
      }
      if let lastRecord, span.u64(lastRecord) > span.u64(8) {
        throw CodingError(.seal, .malformed, offset: lastRecord)
      }
    }
  }
}
