import LMDB
import LMDBScenes
import StoreFiles
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite struct OpeningTests {
  @Test func aMissingDirectoryIsNoStore() {
    let scratch = Scratch()
    let error = Environment.refusal(of: scratch.store)
    #expect(error?.code == .noSuchStore)
    #expect(error?.path == scratch.store)
    #expect(error?.description.contains(scratch.store) == true)
    #expect(error?.description.contains("\n") == false)
  }

  @Test func anEmptyDirectoryIsNoStore() {
    let scratch = Scratch()
    #expect(Environment.refusal(of: scratch.path)?.code == .noSuchStore)
    #expect(access("\(scratch.path)/lock.mdb", F_OK) != 0)
  }

  @Test func readingNeverCreates() {
    let scratch = Scratch()
    let options = Environment.Options(databases: ["t"], create: true, readOnly: true)
    #expect(Environment.refusal(of: scratch.store, options)?.code == .noSuchStore)
    #expect(access(scratch.store, F_OK) != 0)
  }

  /// What a umask takes from the user's own rights would block every later use.
  @Test func theUmaskTakesNoRightsOfTheUser() throws {
    let scratch = Scratch()
    let options = Environment.Options(databases: ["t"], create: true)
    let mask = umask(0o777)
    // Only the superuser gets further than the directory.
    try? Environment.open(directory: scratch.store, options: options).close()
    umask(mask)
    try Environment.open(directory: scratch.store, options: options).close()
    for (name, mode) in [("", 0o700), ("/data.mdb", 0o600), ("/lock.mdb", 0o600)] {
      var status = stat()
      #expect(stat(scratch.store + name, &status) == 0 && Int(status.st_mode) & 0o777 == mode, "\(name)")
    }
  }

  @Test func aFileIsNotADirectory() {
    let scratch = Scratch()
    write([1, 2, 3], to: scratch.store)
    let options = Environment.Options(databases: ["t"], create: true)
    #expect(Environment.refusal(of: scratch.store, options)?.code == .notADirectory)
    #expect(Environment.refusal(of: "\(scratch.store)/below", options)?.code == .notADirectory)
  }

  @Test func aDirectoryInPlaceOfTheDataFileIsRefused() {
    let scratch = Scratch()
    mkdir(scratch.store, 0o700)
    mkdir(scratch.data, 0o700)
    #expect(Environment.refusal(of: scratch.store)?.code == .foreignFile)
  }

  @Test func aTextFileIsRefused() {
    let scratch = Scratch()
    mkdir(scratch.store, 0o700)
    write(Array(String(repeating: "These are my notes.\n", count: 2000).utf8), to: scratch.data)
    let options = Environment.Options(databases: ["t"], create: true)
    #expect(Environment.refusal(of: scratch.store, options)?.code == .invalid)
  }

  @Test func aPathWithNULIsRefused() {
    let scratch = Scratch()
    let options = Environment.Options(databases: ["t"], create: true)
    #expect(Environment.refusal(of: "\(scratch.store)\0/x", options)?.code == .noSuchStore)
    #expect(Environment.refusal(of: "", options)?.code == .noSuchStore)
    #expect(access(scratch.store, F_OK) != 0)
  }

  @Test func aNewStoreIsForItsUserOnly() throws {
    let scratch = Scratch()
    let (environment, _) = try makeStore(scratch)
    defer { environment.close() }
    func mode(_ path: String) -> mode_t {
      var status = stat()
      return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }
    #expect(mode(scratch.store) == 0o700)
    #expect(mode(scratch.data) == 0o600)
    #expect(mode("\(scratch.store)/lock.mdb") == 0o600)
    #expect(access("\(scratch.store)/.creating", F_OK) != 0)
  }

  #if os(Linux)
    @Test func programsStartedLaterInheritNothing() throws {
      let scratch = Scratch()
      let (environment, _) = try makeStore(scratch)
      defer { environment.close() }
      var own = 0
      for descriptor in Int32(3)..<1024 {
        var target = [UInt8](repeating: 0, count: 4096)
        let length = target.withUnsafeMutableBytes { buffer in
          buffer.baseAddress.map {
            readlink("/proc/self/fd/\(descriptor)", $0.assumingMemoryBound(to: CChar.self), 4096)
          } ?? -1
        }
        guard length > 0, String(decoding: target.prefix(length), as: UTF8.self).hasPrefix(scratch.store)
        else {
          continue
        }
        own += 1
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
      }
      // data.mdb, lock.mdb, and the directory, for the order of the writers: LMDB has data.mdb twice.
      #expect(own == 4)
    }
  #endif

  @Test func whatACrashDuringCreationLeftIsNoObstacle() throws {
    let scratch = Scratch()
    mkdir(scratch.store, 0o700)
    mkdir("\(scratch.store)/.creating", 0o700)
    write([1], to: "\(scratch.store)/.creating/data.mdb")
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    try environment.write { try $0.put(table, "a", "b") }
    try #expect(environment.read { try $0.get(table, "a") } == "b")
  }

  @Test func aMissingDatabaseIsNamed() throws {
    let scratch = Scratch()
    try makeStore(scratch).0.close()
    let error = Environment.refusal(of: scratch.store, .init(databases: ["t", "other"]))
    #expect(error?.code == .noSuchDatabase)
    #expect(error?.description.contains("other") == true)
    #expect(Environment.refusal(of: scratch.store) == nil)
  }

  @Test func databaseNamesAreChecked() throws {
    let scratch = Scratch()
    for name in ["", "a\0b", String(repeating: "x", count: 512)] {
      let options = Environment.Options(databases: [name], create: true)
      #expect(Environment.refusal(of: scratch.store, options)?.code == .noSuchDatabase)
    }
  }

  @Test func theDirectoryItselfStaysUsableAfterRefusals() throws {
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    try environment.write { try $0.put(table, "a", "b") }
    environment.close()
    let sound = contents(of: scratch.data)
    write([], to: scratch.data)
    #expect(Environment.refusal(of: scratch.store, .init(databases: ["t"], create: true))?.code == .invalid)
    write(sound, to: scratch.data)
    let again = try Environment.open(directory: scratch.store, options: .init(databases: ["t"]))
    defer { again.close() }
    let database = try again.database("t")
    try #expect(again.read { try $0.get(database, "a") } == "b")
  }

  @Test func theParentOfAPathIsFoundByItsText() {
    #expect(FileSystem.parent(of: "/a/b") == "/a")
    #expect(FileSystem.parent(of: "/a/b//") == "/a")
    #expect(FileSystem.parent(of: "/a") == "/")
    #expect(FileSystem.parent(of: "a") == ".")
  }

  @Test func networkFileSystemsAreKnownByNumber() throws {
    #expect(FileSystem.networkFileSystem(magic: 0x6969) == "NFS")
    #expect(FileSystem.networkFileSystem(magic: 0xfe53_4d42) == "SMB2")
    #expect(FileSystem.networkFileSystem(magic: 0xef53) == nil)
    try #expect(FileSystem.networkFileSystem("/proc") == nil)
  }
}
