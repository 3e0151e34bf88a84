import LMDB
import SatchelModel
import SatchelStorage
import StoreModel
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

/// Somebody removes, renames or replaces the files of a store that is open: nothing is acknowledged that others would not find.
@Suite struct RemovedFilesTests {
  /// What is done to the store's directory, `data.mdb` or `lock.mdb`.
  enum Accident: String, CaseIterable {
    case lockRemoved, lockReplaced, dataRemoved, dataReplaced, directoryRemoved, directoryRenamed

    func happen(to path: String) {
      let (data, lock) = (path + "/data.mdb", path + "/lock.mdb")
      switch self {
      case .lockRemoved: #expect(unlink(lock) == 0)
      case .lockReplaced: replace(lock)
      case .dataRemoved: #expect(unlink(data) == 0)
      case .dataReplaced: replace(data)
      case .directoryRemoved:
        for name in ["data.mdb", "lock.mdb", "journal", "journal.head"] { unlink(path + "/" + name) }
        #expect(rmdir(path) == 0)
      case .directoryRenamed: #expect(rename(path, path + ".away") == 0)
      }
    }

    /// Undoes it, as far as it can be undone.
    func end(at path: String) {
      switch self {
      case .lockRemoved, .lockReplaced, .dataRemoved, .directoryRemoved: break
      case .dataReplaced: #expect(rename(path + "/data.mdb.away", path + "/data.mdb") == 0)
      case .directoryRenamed: #expect(rename(path + ".away", path) == 0)
      }
    }

    /// Whether what was acknowledged is there once it is undone.
    var leavesCommits: Bool { self != .dataRemoved && self != .directoryRemoved }

    /// What the error says.
    var found: String {
      switch self {
      case .lockRemoved: "lock.mdb was removed"
      case .lockReplaced: "another file is in the place of lock.mdb"
      case .dataRemoved: "data.mdb was removed"
      case .dataReplaced: "another file is in the place of data.mdb"
      case .directoryRemoved, .directoryRenamed: "the directory was removed or renamed"
      }
    }

    private func replace(_ path: String) {
      do {
        let bytes = try JournaledStore.readFile(path)
        #expect(rename(path, path + ".away") == 0)
        try JournaledStore.writeFile(bytes, to: path)
      } catch { Issue.record(error) }
    }
  }

  /// A store in a directory of its own, whose commits go to a journal or not.
  private struct Scene {
    let directory: TemporaryDirectory
    let options: Store.Options
    var path: String { directory.path + "/parent/store" }

    init(hasJournal: Bool, _ durability: Environment.Durability = .full, interposer: Interruption? = nil)
      throws
    {
      directory = try TemporaryDirectory()
      var options = Store.Options()
      options.durability = durability
      options.journal.commitsBefore = 0
      options.journal.use = hasJournal ? .always : .never
      options.writerEnvironment.journalStorage = interposer?.interposer
      self.options = options
      mkdir(directory.path + "/parent", 0o700)
    }

    func open() throws -> Store { try Store.open(directory: path, user: "me", options: options) }
  }

  /// Follows somebody, in a commit of its own.
  private static func follow(_ name: String, _ store: Store) throws {
    try store.write { try $0.setFollowed(true, Identity.ID(name)) }
  }

  private static func follows(_ name: String, _ store: Store) throws -> Bool {
    try store.read { try $0.users.number(of: name) != nil }
  }

  private static func expectReplaced(
    _ accident: Accident, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) {
    let error = #expect(throws: SatchelError.self, "\(accident)", sourceLocation: sourceLocation) {
      try body()
    }
    #expect(error?.code == .storeReplaced, "\(accident)", sourceLocation: sourceLocation)
    #expect(
      error?.context["found"]?.contains(accident.found) == true, "\(accident): \(error?.description ?? "")",
      sourceLocation: sourceLocation)
  }

  @Test(arguments: Accident.allCases, [Environment.Durability.full, .relaxed])
  func aWriterFailsByName(accident: Accident, durability: Environment.Durability) throws {
    for hasJournal in [true, false] {
      let scene = try Scene(hasJournal: hasJournal, durability)
      let store = try scene.open()
      for name in ["a", "b", "c"] { try Self.follow(name, store) }
      accident.happen(to: scene.path)
      for name in ["d", "e"] { Self.expectReplaced(accident) { try Self.follow(name, store) } }
      // Whoever reads learns it as well, and so does another handle of the same process.
      Self.expectReplaced(accident) { _ = try Self.follows("a", store) }
      Self.expectReplaced(accident) { try store.checkpoint() }
      store.close()
      accident.end(at: scene.path)
      guard accident.leavesCommits else { continue }
      let again = try scene.open()
      defer { again.close() }
      for name in ["a", "b", "c"] { try #expect(Self.follows(name, again)) }
      for name in ["d", "e"] { try #expect(!Self.follows(name, again)) }
      try Self.follow("f", again)
      try expectSound(again)
    }
  }

  /// Files of two times look damaged, or like those of two stores: a program is told what has happened to them, also before it would
  /// look at the names by itself.
  @Test(arguments: Accident.allCases, [SatchelError.Code.corrupted, .foreignJournal])
  func whatLooksLikeDamageIsTheAccident(accident: Accident, code: SatchelError.Code) throws {
    let scene = try Scene(hasJournal: true)
    let store = try scene.open()
    defer { store.close() }
    func fail() throws { try store.read { _ in throw SatchelError(code, "as the journal says") } }
    let before = #expect(throws: SatchelError.self) { try fail() }
    #expect(before?.code == code)
    accident.happen(to: scene.path)
    Self.expectReplaced(accident) { try fail() }
    accident.end(at: scene.path)
  }

  /// A process that only reads learns it within a second, since nothing else would tell it.
  @Test(arguments: Accident.allCases) func aReaderFailsByName(accident: Accident) throws {
    let scene = try Scene(hasJournal: true)
    let store = try scene.open()
    defer { store.close() }
    try Self.follow("a", store)
    accident.happen(to: scene.path)
    Self.expectReplaced(accident) { while true { try #expect(Self.follows("a", store)) } }
    Self.expectReplaced(accident) { try Self.follow("b", store) }
    accident.end(at: scene.path)
  }

  /// A directory above the store's is renamed: what was acknowledged until that is noticed is in the store, wherever it is now.
  @Test func aDirectoryAboveIsRenamed() throws {
    let scene = try Scene(hasJournal: true)
    let store = try scene.open()
    let parent = scene.directory.path + "/parent"
    #expect(rename(parent, parent + ".away") == 0)
    var count = 0
    Self.expectReplaced(.directoryRenamed) {
      while true {
        try Self.follow("user \(count)", store)
        count += 1
      }
    }
    store.close()
    #expect(rename(parent + ".away", parent) == 0)
    let again = try scene.open()
    defer { again.close() }
    for number in 0..<count { try #expect(Self.follows("user \(number)", again)) }
    try expectSound(again)
  }

  /// Something happens while a commit is on its way to the disk: it is not acknowledged.
  @Test(arguments: Accident.allCases) func aCommitOnItsWayIsNotAcknowledged(accident: Accident) throws {
    let interruption = Interruption()
    let scene = try Scene(hasJournal: true, interposer: interruption)
    let store = try scene.open()
    for name in ["a", "b", "c"] { try Self.follow(name, store) }
    let path = scene.path
    interruption.beforeSync { accident.happen(to: path) }
    Self.expectReplaced(accident) { try Self.follow("d", store) }
    #expect(interruption.hasHappened)
    store.close()
    accident.end(at: scene.path)
    guard accident.leavesCommits else { return }
    let again = try scene.open()
    defer { again.close() }
    // It may be there or not.
    for name in ["a", "b", "c"] { try #expect(Self.follows(name, again)) }
    try Self.follow("e", again)
    try expectSound(again)
  }

  /// The same in a large write, which goes to LMDB, in a checkpoint beside the commits and in the one of a program that closes the
  /// store.
  @Test(arguments: Accident.allCases) func aDatabaseCommitIsNotMade(accident: Accident) throws {
    for isLarge in [true, false] {
      let scene = try Scene(hasJournal: true)
      let store = try scene.open()
      for name in ["a", "b", "c"] { try Self.follow(name, store) }
      let last = try store.environment.info.lastTransaction
      let path = scene.path
      if isLarge {
        Self.expectReplaced(accident) {
          try store.write { writer in
            for number in 0..<15_000 { try writer.setFollowed(true, Identity.ID("large \(number)")) }
            accident.happen(to: path)
          }
        }
      } else {
        accident.happen(to: path)
        #expect(throws: (any Error).self) { try store.checkpointBeside() }
      }
      store.close()
      accident.end(at: path)
      guard accident.leavesCommits else { continue }
      let again = try scene.open()
      defer { again.close() }
      try #expect(again.environment.info.lastTransaction == last)
      for name in ["a", "b", "c"] { try #expect(Self.follows(name, again)) }
      try #expect(!Self.follows("large 0", again))
      try expectSound(again)
    }
  }

  /// A second name is no fault for who has the store open: it is how some programs make copies. Who opens the store is refused.
  @Test func aSecondNameIsNoFault() async throws {
    let scene = try Scene(hasJournal: true)
    let store = try scene.open()
    defer { store.close() }
    try Self.follow("a", store)
    for name in ["data.mdb", "lock.mdb", "journal", "journal.head"] {
      #expect(link(scene.path + "/" + name, scene.path + "/" + name + ".second") == 0)
    }
    try Self.follow("b", store)
    #if os(Linux)
      let path: String = scene.path
      await #expect(processExitsWith: .success) { [path = path as String] in
        let error = #expect(throws: SatchelError.self) { try RemovedFilesTests.opened(path).close() }
        #expect(error?.code == .foreignFile)
      }
    #endif
    try Self.follow("c", store)
    for name in ["data.mdb", "lock.mdb", "journal", "journal.head"] {
      #expect(unlink(scene.path + "/" + name + ".second") == 0)
    }
    try #expect(Self.follows("c", store))
    try expectSound(store)
  }

  #if os(Linux)
    /// `lock.mdb` is removed, another process opens the store and makes a new one, and both write: what either of them was told is
    /// there.
    @Test func twoProcessesWithALockFileEach() async throws {
      let directory = try TemporaryDirectory()
      let path: String = directory.path + "/store"
      let store = try Self.opened(path)
      for name in ["a", "b", "c"] { try store.writeHere { try $0.setFollowed(true, Identity.ID(name)) } }
      #expect(unlink(path + "/lock.mdb") == 0)
      await #expect(processExitsWith: .success) { [path = path as String] in
        let other = try RemovedFilesTests.opened(path)
        for name in ["d", "e"] { try other.writeHere { try $0.setFollowed(true, Identity.ID(name)) } }
        try other.checkpoint()
        try other.writeHere { try $0.setFollowed(true, "f") }
        try other.checkpoint()
      }
      let error = #expect(throws: SatchelError.self) { try Self.follow("g", store) }
      #expect(error?.code == .storeReplaced)
      store.close()
      let again = try Self.opened(path)
      defer { again.close() }
      for name in ["a", "b", "c", "d", "e", "f"] { try #expect(Self.follows(name, again), "\(name)") }
      try #expect(!Self.follows("g", again))
      try expectSound(again)
    }

    static func opened(_ path: String) throws -> Store {
      var options = Store.Options()
      options.journal.commitsBefore = 0
      return try Store.open(directory: path, user: "me", options: options)
    }
  #endif
}
