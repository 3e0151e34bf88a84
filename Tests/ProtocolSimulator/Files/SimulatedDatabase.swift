internal import CommitEngine
internal import Journal
internal import SatchelCoding
internal import StoreFiles
internal import TestSupport

/// LMDB, as a state with a point: two meta pages, each with a transaction, of which the later one is the file's state.
///
/// The data of a transaction is synced before its meta page is written. That one is on the disk at once (`.full`), or with the next
/// sync (`.relaxed`). Then its number is announced to those who begin: a writer that is killed in between leaves a transaction
/// that is in the file and that nobody sees.
final class SimulatedDatabase {
  /// The state after a transaction.
  final class Version {
    let number: UInt64
    let seal: Seal
    let content: Content

    init(_ number: UInt64, _ seal: Seal, _ content: Content) {
      self.number = number
      self.seal = seal
      self.content = content
    }
  }

  let machine: Machine
  let directory: SimulatedDirectory
  let lock = LockFile("LMDB's write lock")
  /// Whether the system tells who gets the lock that its owner has ended: then the last transaction of the file is announced.
  let isRobust: Bool
  fileprivate var pages: [Version]
  private var disk: [Version]
  /// The pages that were written since the last sync, and those that a failed sync has lost.
  private var isPending = [false, false]
  private var isLost = [false, false]
  fileprivate(set) var announced: UInt64
  /// How many syncs have failed.
  fileprivate var failures = 0
  /// Whether the system tells everybody who has the file open of a failed sync, as Linux does, or only who has asked for it.
  fileprivate let tellsAll: Bool
  fileprivate var users: [SimulatedProcess] = []

  init(_ directory: SimulatedDirectory, isRobust: Bool, tellsAll: Bool) {
    machine = directory.machine
    self.directory = directory
    self.isRobust = isRobust
    self.tellsAll = tellsAll
    var seal = Seal()
    seal.commit = 1
    let first = Version(1, seal, Content())
    pages = [first, first]
    disk = pages
    announced = 1
  }

  /// The number of the last transaction in the file.
  var lastInFile: UInt64 { max(pages[0].number, pages[1].number) }

  func version(_ number: UInt64) -> Version { pages[Int(number & 1)] }

  fileprivate func write(_ version: Version, isDurable: Bool) {
    let page = Int(version.number & 1)
    pages[page] = version
    isLost[page] = false
    isPending[page] = !isDurable
    if isDurable { disk[page] = version }
  }

  fileprivate func announce(_ number: UInt64) { announced = number }

  /// Everything that is not lost is on the disk.
  fileprivate func sync() {
    for page in 0..<2 where isPending[page] { disk[page] = pages[page] }
    isPending = [false, false]
  }

  fileprivate func failSync() {
    for page in 0..<2 where isPending[page] {
      if machine.random.percent(50) { disk[page] = pages[page] } else { isLost[page] = true }
    }
    isPending = [false, false]
    failures += 1
  }

  /// Writes the meta pages again, so that the next sync has them.
  fileprivate func renew() {
    for page in 0..<2 where isLost[page] { (isLost[page], isPending[page]) = (false, true) }
  }

  func cutPower() {
    for page in 0..<2 where isPending[page] && machine.random.percent(50) { disk[page] = pages[page] }
    pages = disk
    isPending = [false, false]
    isLost = [false, false]
    announced = lastInFile
    lock.holders = []
    users = []
    machine.note { "the database is at \(version(lastInFile).seal.commit)" }
  }
}

/// The database, as a process has it open.
final class SimulatedEnvironment: JournaledDatabase, @unchecked Sendable {
  /// What `MetaPageState` says.
  private enum MetaPages { case unknown, renewed, lost }

  let database: SimulatedDatabase
  let process: SimulatedProcess
  let isSynced: Bool
  /// Whether the outcome of a commit is unknown, after which LMDB does nothing more.
  private(set) var isFatal = false
  private var metaPages = MetaPages.unknown
  private let lock: SimulatedLock
  /// How many failed syncs it was told of.
  private var told: Int
  /// The files that the journal has open.
  private var held: [HeldFiles.Name: FileIdentity] = [:]
  private var machine: Machine { database.machine }

  init(_ database: SimulatedDatabase, _ process: SimulatedProcess, isSynced: Bool) {
    self.database = database
    self.process = process
    self.isSynced = isSynced
    lock = SimulatedLock(database.directory, process, database.lock)
    told = database.failures
    // The first one makes the lock file anew.
    if !database.users.contains(where: { !$0.isDead }) { database.announce(database.lastInFile) }
    database.users.removeAll { $0.isDead }
    database.users.append(process)
  }

  func close() { database.users.removeAll { $0 === process } }

  /// Begins a snapshot. It may be of a later transaction than its number says, if two were committed meanwhile.
  func snapshot() throws -> (version: SimulatedDatabase.Version, isExact: Bool) {
    try step("read")
    let number = database.announced
    try step("read")
    let version = database.version(number)
    return (version, version.number == number)
  }

  /// Begins LMDB's write transaction, and returns the state before it.
  func beginWrite(isBounded: Bool) throws -> SimulatedDatabase.Version {
    if isFatal { throw error(.io(5), "write") }
    try step("write")
    while !lock.tryToTake() {
      let isFree = machine.wait(
        isBounded: isBounded, for: { self.database.lock.text },
        until: { self.lock.isFree })
      guard isFree else { throw error(process.isDead ? .io(5) : .writerBusy(process: 1), "write") }
    }
    if database.lock.hasLostOwner {
      database.lock.hasLostOwner = false
      if database.isRobust { database.announce(database.lastInFile) }
    }
    renewMetaPages()
    return database.version(database.announced)
  }

  func endWrite() { lock.unlock() }

  private func renewMetaPages() {
    guard metaPages != .renewed else { return }
    database.renew()
    metaPages = .renewed
  }

  func commit(_ version: SimulatedDatabase.Version) throws {
    try step("commit")
    renewMetaPages()
    if let failure = machine.failure(.databaseWrite) {
      metaPages = .lost
      throw error(.diskFull, "commit", failure)
    }
    try step("commit")
    if let failure = machine.failure(.databaseSync) {
      database.failSync()
      told = database.failures
      metaPages = .lost
      throw error(.io(5), "commit", failure)
    }
    database.sync()
    if isTold() {
      metaPages = .lost
      throw error(.io(5), "commit")
    }
    try step("commit")
    if let failure = machine.failure(.databaseMeta) {
      if machine.random.percent(50) { database.write(version, isDurable: machine.random.percent(50)) }
      isFatal = true
      throw error(.outcomeUnknown, "commit", failure)
    }
    database.write(version, isDurable: isSynced)
    machine.note { "commit \(version.seal.commit) is in the file of the database" }
    try step("commit")
    database.announce(version.number)
    try step("commit")
  }

  func sync() throws(LMDBError) {
    try step("sync")
    if database.directory.control == .spaceUsedEarly { return }
    guard metaPages != .lost else { throw error(.io(5), "sync") }
    if let failure = machine.failure(.databaseSync) {
      database.failSync()
      told = database.failures
      metaPages = .lost
      throw error(.io(5), "sync", failure)
    }
    database.sync()
    if isTold() {
      metaPages = .lost
      throw error(.io(5), "sync")
    }
    try step("sync")
  }

  /// Whether a sync says that one has failed, whoever has asked for that one.
  private func isTold() -> Bool {
    defer { told = database.failures }
    return database.tellsAll && told != database.failures
  }

  var hasRenewedMetaPages: Bool { metaPages != .unknown }

  /// The number of the last transaction in the file.
  var lastTransactionInFile: UInt64 {
    machine.pause(16)
    return database.directory.control == .unannouncedIgnored ? database.announced : database.lastInFile
  }

  // MARK: What the journal asks

  func syncAfterCommit() throws(LMDBError) { try sync() }

  func checkFiles() throws(LMDBError) -> HeldFiles.Flaws {
    try step("write")
    var flaws = HeldFiles.Flaws()
    guard database.directory.control != .fileReplaced else { return flaws }
    for (name, file) in held {
      let current = database.directory.identity(of: name == .journal ? .journal : .head)
      flaws.hasLostJournal = flaws.hasLostJournal || current != file
    }
    return flaws
  }

  func hold(_ file: FileIdentity?, as name: HeldFiles.Name) { held[name] = file }

  var mapRenewals: UInt64 { 0 }
  var usedBytes: Int? { 0 }
  var mostBytes: Int { 1 << 40 }
  func hasRoom(for bytes: Int, atMost most: Int) -> Bool { true }
  func setOutsideCommits(_ commits: any OutsideCommits) {}

  private func step(_ operation: StaticString) throws(LMDBError) {
    guard machine.pause(17) else { throw error(.io(5), "\(operation)") }
  }

  private func error(
    _ code: LMDBError.Code, _ operation: String, _ failure: CallFailure? = nil
  ) -> LMDBError {
    LMDBError(code, rawCode: failure?.number ?? 5, operation: operation, path: "simulated")
  }
}
