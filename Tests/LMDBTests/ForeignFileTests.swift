import LMDB
import LMDBScenes
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What somebody else has put under the name of a file of the store's is refused, and nothing is done to it.
@Suite struct ForeignFileTests {
  enum Thing: String, CaseIterable {
    case link, danglingLink, hardLink, fifo, directory, socket, othersFile
  }

  /// Puts a thing at a path; `victim` is a file that nobody may touch.
  static func put(_ thing: Thing, at path: String, victim: String) {
    switch thing {
    case .link: symlink(victim, path)
    case .danglingLink: symlink(victim + "-nowhere", path)
    case .hardLink: link(victim, path)
    case .fifo: mkfifo(path, 0o600)
    case .directory: mkdir(path, 0o700)
    case .socket:
      let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(100)) }
      _ = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      close(file)
    case .othersFile:
      write([1, 2, 3], to: path)
      chown(path, 65534, 65534)
    }
  }

  static func kind(of path: String) -> (mode: mode_t, inode: ino_t)? {
    var status = stat()
    return lstat(path, &status) == 0 ? (status.st_mode, status.st_ino) : nil
  }

  @Test(arguments: ["data.mdb", "lock.mdb"], Thing.allCases)
  func underTheNamesOfAStore(_ name: String, _ thing: Thing) throws {
    if thing == .othersFile, geteuid() != 0 { return }
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    try environment.write { try $0.put(table, "a", "b") }
    environment.close()
    let (path, victim) = ("\(scratch.store)/\(name)", "\(scratch.path)/victim")
    // One that would be taken for a store if a link were followed.
    let bytes = contents(of: scratch.data)
    write(bytes, to: victim)
    unlink(path)
    Self.put(thing, at: path, victim: victim)
    let before = try #require(Self.kind(of: path))
    for readOnly in [true, false] {
      let error = Environment.refusal(
        of: scratch.store, .init(databases: ["t"], create: !readOnly, readOnly: readOnly))
      #expect(error?.code == .foreignFile, "\(String(describing: error))")
      #expect(error?.path == path)
      #expect(error?.description.contains(path) == true)
    }
    let after = try #require(Self.kind(of: path))
    #expect(before == after)
    #expect(contents(of: victim) == bytes)
    #expect(access(victim + "-nowhere", F_OK) != 0)
  }

  /// Every state in which the end of a process can leave the creation of a store.
  @Test(arguments: [
    [], [".creating/"], [".creating/", ".creating/lock.mdb"], [".creating/", ".creating/data.mdb"],
    [".creating/", ".creating/lock.mdb", ".creating/data.mdb"],
  ])
  func leftOversOfACreationAreNoObstacle(_ names: [String]) throws {
    let scratch = Scratch()
    mkdir(scratch.store, 0o700)
    for name in names {
      let path = "\(scratch.store)/\(name)"
      if name.hasSuffix("/") { mkdir(path, 0o700) } else { write([1, 2, 3], to: path) }
    }
    let (environment, table) = try makeStore(scratch)
    defer { environment.close() }
    try environment.write { try $0.put(table, "a", "b") }
    #expect(Self.kind(of: "\(scratch.store)/.creating") == nil)
  }

  /// The store is at its place, and beside it is what was left when its maker ended a moment later.
  @Test func leftOversBesideAStoreAreNoObstacle() throws {
    let scratch = Scratch()
    try makeStore(scratch).0.close()
    mkdir("\(scratch.store)/.creating", 0o700)
    write([1], to: "\(scratch.store)/.creating/lock.mdb")
    #expect(Environment.refusal(of: scratch.store) == nil)
  }

  @Test(arguments: ["open", "link", "file", "other", "linkInside", "others"])
  func aDirectoryOfSomebodyElsesIsNotEmptied(_ kind: String) throws {
    if kind == "others", geteuid() != 0 { return }
    let scratch = Scratch()
    mkdir(scratch.store, 0o700)
    let (aside, victim) = ("\(scratch.store)/.creating", "\(scratch.path)/victim")
    mkdir(victim, 0o700)
    write([1, 2, 3], to: victim + "/data.mdb")
    switch kind {
    case "open":
      mkdir(aside, 0o700)
      chmod(aside, 0o777)
    case "link": symlink(victim, aside)
    case "file": write([1], to: aside)
    case "other":
      mkdir(aside, 0o700)
      write([1], to: aside + "/notes.txt")
    case "others":
      mkdir(aside, 0o700)
      chown(aside, 65534, 65534)
    default:
      mkdir(aside, 0o700)
      symlink(victim + "/data.mdb", aside + "/data.mdb")
    }
    let before = try #require(Self.kind(of: aside))
    let error = Environment.refusal(of: scratch.store, .init(databases: ["t"], create: true))
    #expect(
      error?.code == .foreignFile && error?.path.hasPrefix(aside) == true, "\(String(describing: error))")
    let after = try #require(Self.kind(of: aside))
    #expect(before == after)
    #expect(contents(of: victim + "/data.mdb") == [1, 2, 3])
    #expect(kind != "other" || Self.kind(of: aside + "/notes.txt") != nil)
    #expect(Self.kind(of: scratch.data) == nil)
  }

  /// A directory that may be written but not read cannot be synced: the store is there, and that is said.
  @Test func aStoreInADirectoryThatCannotBeSynced() async throws {
    let scratch = Scratch()
    let parent: String = scratch.path
    await #expect(processExitsWith: .success) { [parent = parent as String] in
      if geteuid() == 0 {
        try #require(chown(parent, 65534, 65534) == 0 && setgid(65534) == 0 && setuid(65534) == 0)
      }
      chmod(parent, 0o300)
      let error = Environment.refusal(of: "\(parent)/store", .init(databases: ["t"], create: true))
      chmod(parent, 0o700)
      try #require(error?.code == .notSynced)
      // It says that everything is in its place, and so it is.
      try #require(Environment.refusal(of: "\(parent)/store", .init(databases: ["t"], create: true)) == nil)
      try #require(Environment.refusal(of: "\(parent)/store") == nil)
    }
  }
}
