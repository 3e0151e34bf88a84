internal import CommitEngine
internal import SatchelGathering
internal import SatchelModel
internal import SatchelReading
package import SatchelStorage
package import SatchelWriting
internal import StoreFiles

/// Adds many objects to a store, all of them or none.
///
/// An import into a new store fills a temporary store beside it, which takes its place at the end. An import into an
/// existing store stages the objects in bounded commits: their records are in the tables, but no index has them, so
/// nobody sees them. One last commit checks the objects again against what others have written meanwhile, indexes them
/// and applies the deferred lines.
///
/// `run` calls its closure repeatedly inside a write transaction. The closure adds objects and says whether there are
/// more. If a call of an `add` function throws, it has added nothing, and the closure may go on. If the closure or the
/// import throws, the store is as it was before.
///
/// The closure must not wait for input while others may wait for the transaction. Instead, `run` calls `wait` between
/// two transactions.
package final class ImportSession {
  /// Applies a deferred line, such as an update or a deletion.
  package typealias Application = (_ writer: Writer, _ line: UInt64, _ bytes: [UInt8]) throws -> Void

  /// How many objects of each kind have been added.
  package struct Counts: Sendable, Hashable {
    package var identities = 0
    package var conversations = 0
    package var messages = 0
    package var announcements = 0
    /// Record types and records: in an existing store, those who apply their lines count them.
    package var recordTypes = 0
    package var records = 0
  }

  /// Waits, outside a transaction, until there is input or the input ends. Returns false at its end. It may gather up
  /// to the given numbers of objects and bytes, the most that one transaction takes.
  package typealias Waiting = (_ objects: Int, _ bytes: Int) throws -> Bool

  package internal(set) var counts = Counts()
  /// The store's user.
  package var user: String { store.user }
  /// Whether nobody else knows the store yet. Then nobody waits for a transaction that waits for input.
  package var isAlone: Bool { if case .new = target { true } else { false } }
  let store: Store
  let target: Target
  /// The current transaction, while the closure of `run` is called.
  var writer: Writer?
  var apply: Application?
  /// How many objects and bytes the current batch has.
  var batchObjects = 0
  var batchBytes = 0
  /// The messages of an import into a new store, as long as no line needs them in tables and trees.
  var gathered: GatheredMessages?
  /// The first deferred line, while the messages before it are brought into tables and trees.
  var held: (line: UInt64, bytes: [UInt8])?
  /// The lines that a new store is to carry out when everything else is in it.
  var last: [(line: UInt64, bytes: [UInt8])] = []
  /// Whether a line waits to be carried out, and may turn out to be wrong then.
  var hasWaitingLines = false
  /// The error of a line that cannot be taken, while lines before it wait to be carried out.
  var ending: (any Error)?
  /// What lines have deleted from a new store: what becomes of references to it is settled when all lines are carried out.
  var removed = RemovedObjects()
  private let distinctConversations: DistinctConversations

  enum Target {
    /// A temporary store that will be moved to its directory.
    case new(ImportDirectory)
    case existing(Staging, ImportLock)
  }

  private init(_ store: Store, _ target: Target) {
    self.store = store
    self.target = target
    let isNew = if case .new = target { true } else { false }
    distinctConversations = DistinctConversations(isComplete: isNew)
  }

  /// Imports into the store of a directory, or into a new store there.
  /// - Parameters:
  ///   - user: The owner of the store; needed for a new one.
  ///   - wait: Called before each transaction on a store that others may use; nil if the input never makes anybody
  ///     wait.
  ///   - next: Adds the object of the next line. Returns false if there is none: at the end of the input or, if `wait`
  ///     is called, at the end of what `wait` has gathered.
  ///   - apply: Applies a deferred line.
  ///   - conflicts: What is done about an accepted line that conflicts with what others have written meanwhile.
  ///   - gathering: How many messages of a new store wait until they are written together.
  /// - Returns: How many objects were added.
  package static func run(
    into directory: String, user: String?, options: Store.Options = Store.Options(), wait: Waiting? = nil,
    gathering: Int = 1 << 20, next: (ImportSession) throws -> Bool, apply: @escaping Application,
    conflicts: Conflicts = Conflicts()
  ) throws -> Counts {
    do {
      guard !directory.isEmpty, !directory.utf8.contains(0) else {
        throw SatchelError(
          .noSuchStore, "The path of a store is not empty, and has no NUL", ["store": directory])
      }
      let directory = Directories.trimmed(directory)
      // If that cannot be told, the error says why: it does not follow that there is no store.
      if try OwnFile.check(file: directory + "/" + StoreFiles.dataFile, "import") {
        return try runStaged(directory, user, options, wait, next, apply, conflicts)
      }
      return try runNew(directory, user, options, gathering, next, apply)
    } catch {
      throw SatchelError.translating(error, store: directory)
    }
  }

  /// Imports into a store that is open. The other parameters are those of `run(into:user:...)`.
  /// - Returns: How many objects were added.
  package static func run(
    into store: Store, wait: Waiting? = nil, next: (ImportSession) throws -> Bool,
    apply: @escaping Application, conflicts: Conflicts = Conflicts()
  ) throws -> Counts {
    do {
      // Before anything is waited for: a closed store, or a transaction that is open on this thread, is refused.
      try store.read { _ in }
      guard !store.environment.options.readOnly else {
        throw LMDBError(.readOnly, operation: "import", path: store.directory)
      }
      return try runStaged(store, wait, next, apply, conflicts)
    } catch {
      throw SatchelError.translating(error, store: store.directory)
    }
  }

  private static func runNew(
    _ directory: String, _ user: String?, _ options: Store.Options, _ gathering: Int,
    _ next: (ImportSession) throws -> Bool, _ apply: @escaping Application
  ) throws -> Counts {
    guard let user else {
      throw SatchelError(
        .noSuchStore, "There is no store at the path: name the user of a new one", ["store": directory])
    }
    let directory = try Directories.resolvingLink(directory)
    guard try Directories.makeRoom(at: directory) else {
      throw SatchelError(
        .notAStore, "What is at the path is not a Satchel store: name another path", ["store": directory])
    }
    let temporary = try ImportDirectory.claim(for: directory)
    do {
      var settings = options
      settings.create = true
      settings.durability = .temporaryImport
      let store = try Store.open(directory: temporary.path, user: user, options: settings)
      let session = ImportSession(store, .new(temporary))
      let isCompact: Bool
      do {
        session.apply = apply
        session.gathered = GatheredMessages(spool: try RecordSpool(at: temporary.spoolFile), most: gathering)
        while try session.runBatch(next, limit: session.gathered == nil ? newBatch : gatheringBatch) {
          guard session.held != nil || session.gathered?.isFull == true else { continue }
          if let gathered = session.gathered { try store.settle(gathered) }
          if session.held != nil { session.gathered = nil }
        }
        try store.finishBuilding(session.gathered)
        session.gathered = nil
        try session.applyLast()
        isCompact = try makeCompact(store, temporary)
      } catch {
        store.close()
        throw error
      }
      store.close()
      try temporary.moveIntoPlace(isCompact: isCompact)
      return session.counts
    } catch {
      try? temporary.remove()
      throw error
    }
  }

  /// Makes a store durable. If it has many free pages, which changes before the last building have left, it gets a copy
  /// without them: that is smaller, and later commits do not have to maintain the list of free pages.
  /// - Returns: Whether there is a copy.
  private static func makeCompact(_ store: Store, _ directory: ImportDirectory) throws -> Bool {
    let info = try store.environment.info
    guard UInt64(info.freePages) > info.lastPage / 64 else {
      try store.environment.sync()
      return false
    }
    try Directories.writeFile(directory.compactFile) {
      try store.environment.copy(to: $0, compact: true)
    }
    return true
  }

  private static func runStaged(
    _ directory: String, _ user: String?, _ options: Store.Options, _ wait: Waiting?,
    _ next: (ImportSession) throws -> Bool, _ apply: @escaping Application,
    _ conflicts: Conflicts
  ) throws -> Counts {
    var settings = options
    settings.create = false
    settings.creationWait = 0
    let store: Store
    do {
      store = try Store.open(directory: directory, user: user, options: settings)
    } catch let error as SatchelError where error.code == .notAStore && StoreFiles.isUnfinished(directory) {
      // The process that made the store was ended before it wrote the header. Now the header is written.
      settings.create = true
      store = try Store.open(directory: directory, user: user, options: settings)
    }
    defer { store.close() }
    return try runStaged(store, wait, next, apply, conflicts)
  }

  private static func runStaged(
    _ store: Store, _ wait: Waiting?, _ next: (ImportSession) throws -> Bool, _ apply: @escaping Application,
    _ conflicts: Conflicts
  ) throws -> Counts {
    try store.importing {
      let lock = try ImportLock.shared(store.directory)
      let staging = Staging()
      let session = ImportSession(store, .existing(staging, lock))
      session.apply = apply
      do {
        if let wait {
          while try session.ending == nil && wait(stagedBatch.objects, stagedBatch.bytes) {
            try session.runBatch(next, limit: stagedBatch)
          }
        } else {
          while try session.runBatch(next, limit: stagedBatch) {}
        }
        try session.finishStaging(staging, conflicts)
      } catch {
        // If something cannot be removed now, the next open removes it.
        if let number = staging.number { try? store.purgeStaged(number) }
        throw error
      }
      return session.counts
    }
  }

  private struct BatchLimit {
    let objects: Int
    let bytes: Int
  }

  /// Nobody waits for a temporary store, and larger batches rewrite fewer index nodes.
  private static let newBatch = BatchLimit(objects: 20_000, bytes: 24 << 20)
  /// As long as messages are gathered, which are not counted: then a batch has little else.
  private static let gatheringBatch = BatchLimit(objects: 65_536, bytes: 64 << 20)
  /// Other writers wait for a batch.
  private static let stagedBatch = BatchLimit(objects: 2000, bytes: 4 << 20)

  /// Adds a batch in one transaction.
  /// - Returns: Whether there may be more.
  @discardableResult
  private func runBatch(_ next: (ImportSession) throws -> Bool, limit: BatchLimit) throws -> Bool {
    batchObjects = 0
    batchBytes = 0
    return try store.writeAlone { writer in
      self.writer = writer
      defer { self.writer = nil }
      writer.importNumber = 0
      writer.distinctConversations = distinctConversations
      writer.gather(into: gathered)
      swap(&writer.removed, &removed)
      if let held {
        self.held = nil
        try carryOutAtOnce(held.line, held.bytes, writer)
      }
      let isMore = try addObjects(next, limit, writer)
      if isAlone { removed = try writer.takeRemoved() }
      return isMore
    }
  }

  /// Carries out a line. What it removes is noted with its number: whether a record restricts that is looked at when all lines are
  /// carried out.
  func carryOut(_ line: UInt64, _ bytes: [UInt8], _ writer: Writer) throws {
    writer.removed.line = line
    defer { writer.removed.line = nil }
    try apply?(writer, line, bytes)
  }

  /// Carries out a line of a new store. If it is wrong, lines before it that wait may be wrong, too.
  func carryOutAtOnce(_ line: UInt64, _ bytes: [UInt8], _ writer: Writer) throws {
    do { try carryOut(line, bytes, writer) } catch { try end(by: error) }
  }

  /// Adds what one transaction takes. Returns whether there may be more.
  private func addObjects(
    _ next: (ImportSession) throws -> Bool, _ limit: BatchLimit, _ writer: Writer
  ) throws -> Bool {
    while ending == nil, batchObjects < limit.objects, batchBytes < limit.bytes, held == nil,
      gathered?.isFull != true,
      writer.newDictionaryEntries < limit.objects
    {
      guard try next(self) else { return false }
    }
    return ending == nil
  }
}
