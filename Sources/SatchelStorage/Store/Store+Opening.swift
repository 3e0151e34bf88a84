package import CommitEngine
package import LMDB
internal import RankedIndex
package import RecordStore
package import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel
package import SatchelReading
package import SatchelWriting
package import StoreFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension Store {
  /// How to open a store.
  package struct Options: Sendable {
    /// Whether to create a store that does not exist; that needs a user.
    package var create = true
    /// Whether a store that is created, or that is raised from a format before 11, has indexes of the metadata of messages and
    /// announcements.
    package var indexesMessageMetadata = true
    package var readOnly = false
    package var durability: Environment.Durability = .full
    /// The most bytes that the file may grow to.
    package var maximumFileBytes = Environment.Options.defaultMaxMapSize
    /// Where writes get the time and random numbers from.
    package var writerEnvironment = WriterEnvironment()
    /// How writers of this process share commits.
    package var sharing = GroupLimits()
    /// After how many seconds a write gives up waiting for another process; nil for never. The first open of the file
    /// decides on this option and on `onWriterWait`.
    package var writerWait: Double?
    /// Called once a second while a write waits for another process, with what it waits for.
    package var onWriterWait: (@Sendable (WriterWait) -> Void)?
    /// What evaluates aggregates. Without it a store that has aggregates can only be read.
    package var aggregateEvaluator: (any AggregateEvaluator)?
    /// The companion that each snapshot of the store carries.
    package var companion: (any SnapshotCompanion)?
    /// Whether commits are given up that cannot be read any more, because the journal is missing or damaged.
    package var givesUpLostCommits = false
    /// Which commits go to a journal first. The first open of the file decides.
    package var journal = JournalOptions()
    /// The seconds between two commits that remove what was deleted in bulk, beside other commits; nil if each write takes some of it
    /// along instead. In a store that is not relied on yet it does so in any case.
    package var purgePause: Double? = 0.025
    /// When free pages go back to the file system. The first open of the file decides.
    package var givingBack = Environment.GivingBackLimits()
    /// For how many seconds an open that creates no store waits for one that another program is just creating.
    package var creationWait = 2.0

    package init() {}
  }

  /// Opens the store in a directory, or creates it there.
  /// - Parameter user: The owner of the store; nil opens a store of any user, and creates none.
  /// - Throws: ``SatchelError`` `noSuchStore`, `notAStore`, `wrongUser`, `newerFormat`, `corrupted`,
  ///   `permissionDenied`, `invalidIdentifier`, `journalMissing`, `foreignJournal` or `io`.
  package static func open(
    directory: String, user: String?, options: Options = Options()
  ) throws -> Store {
    do {
      if let user { try Writer.check(identifier: user, "user") }
      // For all that is waited for, but a journal and the conversion of an older format.
      let limit = deadline(afterSeconds: Environment.Options.defaultOpenWait)
      var store = try openCreated(directory, user, options, until: limit)
      do {
        if options.givesUpLostCommits, !options.readOnly {
          _ = try store.giveUpLostCommits()
        } else {
          try store.recover()
        }
        if !options.readOnly {
          if try store.buildLaterIndexes(andMetadata: options.indexesMessageMetadata) {
            // Opened again, with the header that has just been changed.
            let older = store
            store = try openChecked(directory, user, options)
            older.close()
          }
          try store.purgeAbandonedImports(until: limit)
          try store.beginBuildingIndexes()
        }
      } catch {
        let told = store.told(of: error)
        store.close()
        throw told
      }
      return store
    } catch {
      throw SatchelError.translating(error, store: directory)
    }
  }

  /// Opens the store. If its file is there and has no content yet, as between the steps of its creation, waits for that.
  private static func openCreated(
    _ directory: String, _ user: String?, _ options: Options, until openLimit: UInt64
  ) throws -> Store {
    let limit = min(openLimit, deadline(afterSeconds: options.creationWait))
    // Until when a file that has something else is looked at again. The first commit is in the file a moment before LMDB shows it.
    var otherLimit: UInt64?
    while true {
      do { return try openChecked(directory, user, options, until: openLimit) } catch {
        let failure = SatchelError.translating(error, store: directory) as? SatchelError
        guard failure?.code == .notAStore else { throw error }
        guard StoreFiles.isUnfinished(directory) else {
          if let otherLimit {
            guard deadline(afterSeconds: 0) < otherLimit else { throw error }
            usleep(2_000)
          } else {
            otherLimit = min(limit, deadline(afterSeconds: 0.25))
          }
          continue
        }
        guard deadline(afterSeconds: 0) < limit else {
          throw SatchelError(
            .notAStore,
            "The store has no content yet: it is being created, which takes a moment, or that was broken off; open it again, or name its user to finish it",
            ["store": directory])
        }
        usleep(2_000)
      }
    }
  }

  /// - Parameter limit: When to give up waiting for other processes; nil for some seconds from now.
  package static func openChecked(
    _ directory: String, _ user: String?, _ options: Options, until limit: UInt64? = nil
  ) throws -> Store {
    let limit = limit ?? deadline(afterSeconds: Environment.Options.defaultOpenWait)
    var settings = Environment.Options(databases: Databases.names)
    settings.create = options.create && user != nil && !options.readOnly
    settings.readOnly = options.readOnly
    settings.durability = options.durability
    settings.maxMapSize = options.maximumFileBytes
    settings.openWait = secondsLeft(until: limit)
    settings.writerWait = options.writerWait
    settings.givingBack = options.givingBack
    settings.onWriterWait = options.onWriterWait
    let environment = try Environment.open(directory: directory, options: settings)
    do {
      let databases = try Databases(environment)
      let found = try environment.read { try readHeader($0, databases) }
      let header =
        try found
        ?? create(
          environment, databases, directory, settings.create ? user : nil, options, until: limit)
      try check(header, environment, directory, user)
      return Store(
        environment, databases, header: header, directory: directory,
        writerEnvironment: options.writerEnvironment, aggregateEvaluator: options.aggregateEvaluator,
        companion: options.companion, journal: options.journal,
        sharing: options.sharing,
        purgePause: options.durability == .temporaryImport ? nil : options.purgePause,
        isReadOnly: options.readOnly)
    } catch {
      environment.close()
      throw error
    }
  }

  package static func readHeader(_ transaction: ReadTransaction, _ databases: Databases) throws
    -> StoreHeader?
  {
    guard let bytes = unsafe try transaction.get(databases.objects, ObjectKey.header.bytes) else {
      return nil
    }
    return try unsafe StoreHeader(bytes)
  }

  /// Writes the header and the first seal. If two processes create a store at the same time, the second one finds the
  /// store of the first.
  private static func create(
    _ environment: Environment, _ databases: Databases, _ directory: String, _ user: String?,
    _ options: Options, until limit: UInt64
  ) throws -> StoreHeader {
    guard let user else {
      throw SatchelError(
        .notAStore, "There is no Satchel store at the path; name its user to create one", ["store": directory]
      )
    }
    let pageSize = UInt32(try environment.info.pageSize)
    let writerEnvironment = options.writerEnvironment
    var versions = StoreHeader.Versions.current
    if options.indexesMessageMetadata { versions.optionalIndexes.insert(.messageMetadata) }
    let header = try environment.write(waiting: secondsLeft(until: limit)) { transaction in
      if let header = try readHeader(transaction, databases) { return header }
      let header = StoreHeader(
        versions: versions, pageSize: pageSize,
        uuid: StoreUUID(high: writerEnvironment.random(), low: writerEnvironment.random()),
        createdAt: writerEnvironment.clock().microseconds, limits: Self.limits(pageSize: pageSize),
        user: Array(user.utf8))
      var seal = Seal()
      seal.trees = Forest.emptyDirectory
      unsafe try ObjectKey.header.bytes.withUnsafeBytes { key in
        unsafe try withUnsafeTemporaryKey(header.encode()) { value in
          unsafe try transaction.put(databases.objects, key, value)
        }
      }
      let forest = try Forest(
        writing: transaction, nodes: databases.nodes, overflow: databases.texts, directory: seal.trees,
        cache: NodeCache(capacity: 64), pageSize: Int(pageSize))
      let writer = Writer(
        transaction: transaction, databases: databases, forest: forest, header: header, user: user,
        seal: seal,
        cache: DictionaryCache(), environment: writerEnvironment, turn: WriteTurn(after: seal))
      try writer.numberUser()
      try writer.finish()
      _ = try writer.complete(in: nil)
      return header
    }
    // A power cut may lose the last commits of a relaxed store, but must not lose the store itself.
    if environment.options.durability == .relaxed { try environment.sync() }
    return header
  }

  /// The format of a new store.
  package static var format: UInt32 { StoreHeader.Versions.current.format }

  static func limits(pageSize: UInt32) -> StoreHeader.Limits {
    StoreHeader.Limits(node: UInt32(min(max(pageSize, 4096), 16384) - 16))
  }

  /// Throws `newerFormat` if a newer program has written the store.
  package static func checkFormat(_ header: StoreHeader, _ directory: String) throws {
    let current = StoreHeader.Versions.current
    guard header.versions.minimumReader <= current.format, header.versions.indexSet <= current.indexSet,
      header.versions.optionalIndexes.isSubset(of: .known)
    else {
      throw SatchelError(
        .newerFormat, "A newer version of Satchel wrote the store: open it with that version",
        [
          "store": directory, "format": String(header.versions.format),
          "supported": String(current.format),
        ])
    }
  }

  private static func check(
    _ header: StoreHeader, _ environment: Environment, _ directory: String, _ user: String?
  ) throws {
    try checkFormat(header, directory)
    let pageSize = try environment.info.pageSize
    guard header.byteOrder == .native, Int(header.wordSize) == MemoryLayout<Int>.size,
      Int(header.pageSize) == pageSize, header.limits == limits(pageSize: header.pageSize)
    else {
      throw SatchelError(
        .notAStore, "The store was made for another kind of machine: export it there and import it here",
        [
          "store": directory, "byteOrder": "\(header.byteOrder)", "wordSize": String(header.wordSize),
          "pageSize": String(header.pageSize),
        ])
    }
    if let user, Array(user.utf8) != header.user {
      throw SatchelError(
        .wrongUser, "The store belongs to another user: open it as that one",
        ["store": directory, "user": user, "owner": String(decoding: header.user, as: UTF8.self)])
    }
  }
}
