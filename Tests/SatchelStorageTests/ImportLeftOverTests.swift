import LMDB
import SatchelImport
import SatchelModel
import SatchelStorage
import SatchelWriting
import StoreFiles
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What imports leave that are ended at whatever step, and what others have at the places that imports use.
@Suite struct ImportLeftOverTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path + "/store"
  }

  /// Imports one conversation into the store of the path, or a new one there.
  private static func importOne(_ path: String, _ identifier: String = "c") throws {
    var isDone = false
    _ = try ImportSession.run(
      into: path, user: "me",
      next: { session in
        guard !isDone else { return false }
        isDone = true
        let draft = ConversationDraft(identifier: Conversation.ID(identifier), participants: ["bob"])
        try session.addConversation(draft, line: 1)
        return true
      }, apply: { _, _, _ in })
  }

  private func error(_ path: String) -> SatchelError? {
    do {
      try Self.importOne(path)
      return nil
    } catch {
      return error as? SatchelError
    }
  }

  private func expectImported() throws {
    let store = try openStore(path, create: false)
    defer { store.close() }
    #expect(try store.read { try $0.locateConversation("c") } != nil)
    try expectSound(store)
  }

  private func make(_ names: [String], in base: String) throws {
    for name in names {
      if name.hasSuffix("/") { mkdir(base + name, 0o700) } else { try createFile(base + name) }
    }
  }

  /// The steps of an import into a new store: making the directory and its lock, making a store in it (by way of
  /// `.creating`), the compact copy, the renaming of that; and then the steps of tidying up after a failure.
  static let steps: [[String]] = [
    ["/"], ["/", "/importing.lock"],
    ["/", "/importing.lock", "/.creating/"],
    ["/", "/importing.lock", "/.creating/", "/.creating/lock.mdb"],
    ["/", "/importing.lock", "/.creating/", "/.creating/lock.mdb", "/.creating/data.mdb"],
    ["/", "/importing.lock", "/.creating/", "/.creating/lock.mdb", "/data.mdb"],
    ["/", "/importing.lock", "/.creating/", "/data.mdb"],
    ["/", "/importing.lock", "/data.mdb"], ["/", "/importing.lock", "/data.mdb", "/lock.mdb"],
    ["/", "/importing.lock", "/data.mdb", "/lock.mdb", "/compact.mdb"],
    ["/", "/importing.lock", "/compact.mdb", "/lock.mdb"], ["/", "/importing.lock", "/compact.mdb"],
    ["/", "/importing.lock", "/lock.mdb"], ["/", "/importing.lock", "/data.mdb", "/import.lock"],
  ]

  @Test(arguments: steps) func leftOversOfEveryStepAreSwept(_ names: [String]) throws {
    try make(names, in: path + ".importing")
    try Self.importOne(path)
    try expectImported()
    #expect(!TemporaryDirectory.exists(path + ".importing"))
  }

  /// The same in the directory of the store itself, where a program was ended while it made one.
  @Test(arguments: [
    ["/"], ["/", "/.creating/"], ["/", "/.creating/", "/.creating/lock.mdb"],
    ["/", "/.creating/", "/.creating/lock.mdb", "/.creating/data.mdb"],
  ])
  func leftOversOfAStoreThatWasBeingMade(_ names: [String]) throws {
    try make(names, in: path)
    try Self.importOne(path)
    try expectImported()
  }

  /// The file is there, and its maker was ended before its databases, or before its header.
  @Test(arguments: [false, true]) func aStoreWithoutAHeader(_ hasDatabases: Bool) throws {
    var names: [String] = []
    if hasDatabases {
      let store = try openStore(path + "-other")
      names = Array(store.environment.options.databases)
      store.close()
    }
    try Environment.open(directory: path, options: .init(databases: names, create: true)).close()
    try Self.importOne(path)
    try expectImported()
  }

  /// Whose lock is held is at work, wherever it is.
  @Test func theLockFileOfAFinishedImportStaysWithoutEffect() throws {
    try Self.importOne(path)
    try createFile(path + "/importing.lock")
    try Self.importOne(path, "d")
    try expectImported()
  }

  static let foreign = [
    "open", "openWithLock", "file", "link", "fifo", "notes", "linkedLock", "linkedData", "linkedNursery",
    "hardLink", "directoryForFile", "noLock", "nurseryNotes", "others",
  ]

  @Test(arguments: foreign) func whatOthersHaveMadeIsNeitherAdoptedNorDeleted(_ kind: String) throws {
    if kind == "others", geteuid() != 0 { return }
    let place = path + ".importing"
    let victim = directory.path + "/victim"
    mkdir(victim, 0o700)
    try createFile(victim + "/data.mdb")
    try createFile(victim + "/importing.lock")
    switch kind {
    case "file": try createFile(place)
    case "link": symlink(victim, place)
    case "fifo": mkfifo(place, 0o600)
    case "open":
      mkdir(place, 0o700)
      chmod(place, 0o777)
    case "openWithLock":
      try make(["/", "/importing.lock"], in: place)
      chmod(place, 0o777)
    case "notes": try make(["/", "/importing.lock", "/notes.txt"], in: place)
    case "linkedLock":
      try make(["/"], in: place)
      symlink(victim + "/importing.lock", place + "/importing.lock")
    case "linkedData":
      try make(["/", "/importing.lock"], in: place)
      symlink(victim + "/data.mdb", place + "/data.mdb")
    case "linkedNursery":
      try make(["/", "/importing.lock"], in: place)
      symlink(victim, place + "/.creating")
    case "hardLink":
      try make(["/", "/importing.lock"], in: place)
      link(victim + "/data.mdb", place + "/compact.mdb")
    case "directoryForFile": try make(["/", "/importing.lock", "/data.mdb/"], in: place)
    case "noLock": try make(["/", "/data.mdb"], in: place)
    case "nurseryNotes":
      try make(["/", "/importing.lock", "/.creating/", "/.creating/notes.txt"], in: place)
    default:
      try make(["/", "/importing.lock"], in: place)
      chown(place, 65534, 65534)
    }
    let before = Self.tree(directory.path)
    let found = try #require(error(path))
    #expect(found.code == .foreignFile, "\(found)")
    #expect(found.context["path"]?.hasPrefix(place) == true, "\(found)")
    #expect(Self.tree(directory.path) == before)
  }

  /// Every path below a directory, with what is there.
  private static func tree(_ path: String) -> [String] {
    var status = stat()
    guard lstat(path, &status) == 0 else { return [] }
    var all = ["\(path) \(status.st_ino) \(status.st_mode) \(status.st_size) \(status.st_uid)"]
    if status.st_mode & S_IFMT == S_IFDIR {
      let names = (try? FileSystem.names(in: path)) ?? []
      for name in names.sorted() { all += tree(path + "/" + name) }
    }
    return all
  }

  @Test(arguments: ["", "store\0other"]) func aPathThatIsNone(_ path: String) throws {
    #expect(error(path)?.code == .noSuchStore)
  }

  /// A directory that may be written but not read cannot be synced: the store is complete there, and that is said.
  @Test func aDirectoryThatCannotBeSynced() async throws {
    let parent: String = directory.path
    await #expect(processExitsWith: .success) { [parent = parent as String] in
      if geteuid() == 0 {
        try #require(chown(parent, 65534, 65534) == 0 && setgid(65534) == 0 && setuid(65534) == 0)
      }
      chmod(parent, 0o300)
      let path = parent + "/store"
      var code: SatchelError.Code?
      do {
        try ImportLeftOverTests.importOne(path)
      } catch let error as SatchelError {
        code = error.code
      }
      chmod(parent, 0o700)
      try #require(code == .notSynced)
      let names = try FileSystem.names(in: path).sorted()
      try #require(names == ["data.mdb"] && !TemporaryDirectory.exists(path + ".importing"))
      let store = try openStore(path, create: false)
      let row = try store.read { try $0.locateConversation("c") }
      try #require(row != nil)
      store.close()
    }
  }

  @Test func theErrorsOfTheFileLayerHaveTheirOwnCodes() {
    func code(_ code: LMDBError.Code) -> SatchelError? {
      SatchelError.translating(LMDBError(code, operation: "read", path: "/s"), store: "/s") as? SatchelError
    }
    #expect(code(.readersFull)?.code == .tooManyReaders)
    #expect(code(.writerBusy(process: 7))?.code == .busy)
    #expect(code(.writerBusy(process: 7))?.context["process"] == "7")
    #expect(code(.writerBusy(process: 0))?.context["process"] == nil)
    #expect(code(.notSynced)?.code == .notSynced)
    #expect(code(.foreignFile)?.code == .foreignFile)
  }
}
