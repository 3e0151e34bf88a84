import LMDB
import SatchelCare
import SatchelModel
import SatchelStorage
import SatchelWriting
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Copies of one snapshot, made while others write.
@Suite struct BackupTests {
  private func makeStore(_ path: String, messages: Int = 3000, journaled: Bool = true) throws -> Store {
    let store = try openStore(path, journaled: journaled)
    try store.write { writer in
      _ = try writer.createConversation(ConversationDraft(identifier: "c", participants: ["bob"]))
      for index in 0..<messages {
        _ = try writer.insertMessage(
          MessageDraft(
            identifier: Message.ID("m\(index)"), sender: "bob", position: Int64(index),
            parts: index % 20 == 0 ? [.data([UInt8](repeating: 3, count: 6000), mimeType: "a/b")] : []),
          in: "c")
      }
    }
    return store
  }

  private func mode(_ path: String) throws -> UInt32 {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw Failure(description: "no \(path)") }
    return UInt32(status.st_mode) & 0o777
  }

  @Test(arguments: [false, true]) func isAStoreOfItsOwn(compacting: Bool) throws {
    let directory = try TemporaryDirectory()
    let store = try makeStore(directory.path + "/store")
    let destination = directory.path + "/copy"
    var last = 0
    var phases: Set<BackupProgress.Phase> = []
    let old = umask(0)
    defer { umask(old) }
    let summary = try store.backup(to: destination, compacting: compacting) { progress in
      #expect(progress.bytes >= last || progress.phase == .verifying)
      #expect(progress.bytes <= progress.totalBytes)
      last = progress.bytes
      phases.insert(progress.phase)
    }
    #expect(phases == [.copying, .verifying])
    #expect(try summary.sequence == store.sequence())
    #expect(try mode(destination) == 0o700 && mode(destination + "/data.mdb") == 0o600)
    #expect(try Self.names(directory.path) == ["copy", "store"])
    #expect(try Self.names(destination) == ["data.mdb"])
    let copy = try openStore(destination, create: false)
    defer { copy.close() }
    try expectSound(copy)
    #expect(try copy.read { try $0.locateMessage("m2999") } != nil)
    // Both go on, each for itself.
    try copy.write { _ = try $0.send([.text("copy")], to: "c") }
    try store.write { _ = try $0.send([.text("store")], to: "c") }
    try expectSound(copy)
    try expectSound(store)
  }

  @Test func compactingLeavesFreePagesOut() throws {
    let directory = try TemporaryDirectory()
    let store = try makeStore(directory.path + "/store")
    try store.write { try $0.deleteConversation("c") }
    // Its messages leave the tables a slice a commit.
    var commits = 0
    while try store.read({ $0.seal[.purge].count > 0 }) {
      try store.write { writer in
        _ = try writer.createConversation(
          ConversationDraft(identifier: Conversation.ID("x\(commits)"), participants: ["bob"]))
      }
      commits += 1
    }
    #expect(commits > 4)
    let plain = try store.backup(to: directory.path + "/plain")
    let compact = try store.backup(to: directory.path + "/compact", compacting: true)
    #expect(compact.bytes * 2 < plain.bytes, "\(compact.bytes) of \(plain.bytes)")
  }

  private static func names(_ path: String) throws -> [String] {
    guard let directory = opendir(path) else { throw Failure(description: "no \(path)") }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Each write adds one message to each of two conversations: a copy of two states would have more in one of them.
  @Test(arguments: [false, true]) func isOneSnapshotBesideAWriter(compacting: Bool) throws {
    let directory = try TemporaryDirectory()
    let store = try makeStore(directory.path + "/store")
    try store.write { writer in
      for name in ["a", "b"] {
        _ = try writer.createConversation(
          ConversationDraft(identifier: Conversation.ID(name), participants: ["bob"]))
      }
    }
    let isOver = Mutex(false)
    let thread = OtherThread()
    defer { isOver.withLock { $0 = true } }
    thread.start {
      while !isOver.withLock({ $0 }) {
        try store.write { writer in
          for name in ["a", "b"] {
            _ = try writer.send(
              [.data([UInt8](repeating: 1, count: 900), mimeType: "a/b")], to: Conversation.ID(name))
          }
        }
      }
    }
    for round in 0..<4 {
      let path = directory.path + "/copy\(round)"
      let summary = try store.backup(to: path, compacting: compacting)
      let copy = try openStore(path, create: false)
      defer { copy.close() }
      #expect(try copy.sequence() == summary.sequence)
      let counts = try copy.read { snapshot in
        try ["a", "b"].map { name in
          try snapshot.locateConversation(name).flatMap { try snapshot.findConversation($0) }?.messageCount
        }
      }
      #expect(counts[0] == counts[1] && counts[0] != nil, "\(counts)")
      try expectSound(copy)
    }
    isOver.withLock { $0 = true }
    try thread.finish()
    try expectSound(store)
  }

  @Test func takesNothingsPlace() throws {
    let directory = try TemporaryDirectory()
    let store = try makeStore(directory.path + "/store", messages: 10)
    let destination = directory.path + "/there"
    #expect(mkdir(destination, 0o755) == 0)
    try createFile(destination + "/file")
    #expect(code { _ = try store.backup(to: destination) } == .io)
    #expect(code { _ = try store.backup(to: directory.path + "/no/such") } == .io)
    #expect(code { _ = try store.backup(to: directory.path + "/store") } == .io)
    #expect(try Self.names(directory.path) == ["store", "there"])
    unlink(destination + "/file")
    _ = try store.backup(to: destination)
    #expect(try mode(destination) == 0o700)
  }

  @Test(arguments: [false, true]) func whoEndsItLeavesNothing(compacting: Bool) throws {
    let directory = try TemporaryDirectory()
    let store = try makeStore(directory.path + "/store")
    #expect(throws: CancellationError.self) {
      _ = try store.backup(to: directory.path + "/copy", compacting: compacting) { _ in
        throw CancellationError()
      }
    }
    #expect(try Self.names(directory.path) == ["store"])
  }

  @Test func leftOversOfACrashAreRemoved() throws {
    let directory = try TemporaryDirectory()
    let store = try makeStore(directory.path + "/store", messages: 10)
    let left = directory.path + "/copy.backup-4711"
    #expect(mkdir(left, 0o700) == 0)
    for name in ["backup.lock", "data.mdb", "lock.mdb"] { try createFile(left + "/" + name) }
    let others = directory.path + "/copy.backup-mine"
    #expect(mkdir(others, 0o700) == 0)
    try createFile(others + "/letters")
    _ = try store.backup(to: directory.path + "/copy")
    #expect(try Self.names(directory.path) == ["copy", "copy.backup-mine", "store"])
  }

  @Test func damageIsFoundInTheCopy() throws {
    let planted = try PlantedStore()
    try planted.changeSeal { $0[.messages].digest &+= 1 }
    let copy = planted.directory.path + "-copy"
    #expect(code { _ = try planted.store.backup(to: copy) } == .corrupted)
    #expect(!TemporaryDirectory.exists(copy))
    _ = try planted.store.backup(to: copy, verifying: false)
    #expect(TemporaryDirectory.exists(copy))
    TemporaryDirectory.remove(copy)
  }

  @Test func readersAreNamed() throws {
    let directory = try TemporaryDirectory()
    let store = try makeStore(directory.path + "/store", messages: 10, journaled: false)
    try store.read { _ in
      try onAnotherThread {
        for _ in 0..<3 { try store.write { _ = try $0.send([], to: "c") } }
        let readers = try store.readers()
        #expect(readers.first?.process == getpid() && readers.first?.lag == 3)
        #expect(try store.statistics().activeReaders.first?.lag == 3)
      }
    }
    #expect(try store.readers().isEmpty)
  }
}
