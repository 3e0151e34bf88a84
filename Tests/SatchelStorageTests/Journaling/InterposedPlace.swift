import CommitEngine
import Journal
import LMDB
import RecordStore
import SatchelCoding
import SatchelStorage
import StoreFiles
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A journal's place, with something between the journal and its locks and head.
struct InterposedPlace: JournalPlace {
  let place: SystemPlace
  var lock: @Sendable (JournalLockName, JournalLock) -> JournalLock = { $1 }
  var head: @Sendable (JournalHead) throws(JournalError) -> JournalHead = { $0 }

  var path: String { place.path }
  var boot: BootIdentity? { place.boot }

  func exists(_ name: JournalName) -> Bool { place.exists(name) }

  func openJournal(_ access: JournalFile.Access) throws(JournalError) -> JournalFile {
    try place.openJournal(access)
  }

  func openHead(_ access: JournalFile.Access) throws(JournalError) -> JournalHead {
    try head(place.openHead(access))
  }

  func openLock(_ name: JournalLockName, _ access: JournalFile.Access) throws(JournalError) -> JournalLock {
    lock(name, try place.openLock(name, access))
  }

  func identity(of name: JournalName) throws(JournalError) -> FileIdentity? { try place.identity(of: name) }

  func makeNonce() -> UInt32 { place.makeNonce() }
}

/// Journals of several processes in one directory, before a database that has nothing to say.
final class JournalScene: @unchecked Sendable {
  let directory: TemporaryDirectory
  let place: SystemPlace
  /// The state of LMDB whose seal says that the journal is in use.
  private(set) var base = Seal()
  /// One for each journal, which does not keep it.
  private var databases: [Database] = []
  let owner = JournalOwner(high: 1, low: 2)

  init() throws {
    directory = try TemporaryDirectory()
    place = SystemPlace(directory.path)
    // Where the claim is.
    try JournaledStore.writeFile([], to: directory.path + "/data.mdb")
    base.commit = 1
  }

  func journal(_ place: (any JournalPlace)? = nil, isReadOnly: Bool = false, isSynced: Bool = true)
    -> CommitJournal
  {
    var access = CommitJournal.Access()
    access.isSynced = isSynced
    access.isReadOnly = isReadOnly
    access.isAppending = !isReadOnly
    var options = JournalOptions()
    options.commitsBefore = 0
    let database = Database(self.place)
    databases.append(database)
    return CommitJournal(before: database, in: place ?? self.place, of: owner, access, options)
  }

  /// Begins to use the journal, with a commit of LMDB.
  /// - Parameter beforeItsEnd: Runs when others can see the commit, and its writer has not said that it has succeeded. If it throws, the
  ///   commit has failed.
  func begin(_ journal: CommitJournal, beforeItsEnd: () throws -> Void = {}) throws {
    let before = base
    do {
      let turn = WriteTurn(journal: journal, tail: Tail(after: base), way: .any, base: base)
      base.commit += 1
      try turn.place(&base)
      try withExtendedLifetime(turn) { try beforeItsEnd() }
    } catch {
      base = before
      throw error
    }
    journal.committed(base)
  }

  /// Takes names of files away.
  func remove(_ names: [String]) throws {
    for name in names { try #require(unlink(directory.path + "/" + name) == 0, "\(name)") }
  }

  /// Appends a commit that changes nothing but a number of the seal, and perhaps a record.
  func append(_ journal: CommitJournal, nextSequence: UInt64 = 1, value: [UInt8]? = nil) throws {
    let tail = try journal.beginTransaction(base)
    let changes = try changes(after: tail, nextSequence: nextSequence, value: value)
    #expect(try journal.append(changes, commits: 1, to: tail))
  }

  /// The record that commits may change.
  static let key = BodyKey(message: MessageKey(conversation: 1, sequence: 1), part: 0, piece: 0).bytes

  /// Returns what a commit after a tail changes. Its value is in the memory of the tail.
  func changes(after tail: Tail, nextSequence: UInt64 = 1, value: [UInt8]? = nil) throws -> CommitChanges {
    var seal = tail.seal
    seal.commit += 1
    seal.nextSequence = nextSequence
    let key = Self.key.withUnsafeBytes { [UInt8]($0) }
    // The seal, and what is changed of each kind: of the contents, the second one, a record that is put.
    let contents = value.map { [1, 0] + Self.counted(key) + Self.counted($0) } ?? [0]
    return try CommitChanges(Self.counted(seal.encode()) + [0] + contents + [0, 0, 0], in: tail.arena)
  }

  private static func counted(_ bytes: [UInt8]) -> [UInt8] {
    var left = bytes.count
    var length: [UInt8] = []
    while left >= 0x80 {
      length.append(UInt8(left & 0x7F) | 0x80)
      left >>= 7
    }
    return length + [UInt8(left)] + bytes
  }

  private final class Database: JournaledDatabase {
    func syncAfterCommit() throws(LMDBError) {}
    private let place: SystemPlace
    private let held = Mutex<[HeldFiles.Name: FileIdentity]>([:])

    init(_ place: SystemPlace) { self.place = place }

    func checkFiles() throws(LMDBError) -> HeldFiles.Flaws {
      var flaws = HeldFiles.Flaws()
      flaws.hasLostJournal = held.withLock { held in
        held.contains { FileIdentity(path: "\(place.path)/\($0.key.file)") != $0.value }
      }
      return flaws
    }

    func hold(_ file: FileIdentity?, as name: HeldFiles.Name) { held.withLock { $0[name] = file } }
    var mapRenewals: UInt64 { 0 }
    var usedBytes: Int? { 0 }
    var mostBytes: Int { 1 << 40 }
    func hasRoom(for bytes: Int, atMost most: Int) -> Bool { true }
    func setOutsideCommits(_ commits: any OutsideCommits) {}
  }
}

extension JournalLock {
  /// Does what is asked of something in the place of this lock.
  func take(_ mode: Mode, _ waiting: Waiting) throws(SystemFailure) -> Bool {
    do {
      switch waiting {
      case .no: return try tryAcquire(mode)
      case .aMoment: return try tryAcquirePatiently(mode)
      case .until(let limit):
        try acquire(mode, until: limit)
        return true
      }
    } catch {
      throw SystemFailure(5)
    }
  }
}
