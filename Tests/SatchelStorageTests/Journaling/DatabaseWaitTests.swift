import SatchelModel
import SatchelStorage
import SatchelWriting
import StoreFiles
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A process may stand still while it makes a checkpoint, with LMDB's lock. Whoever needs that lock has the bound of every write,
/// and all others learn for whom they wait.
@Suite struct DatabaseWaitTests {
  @Test func aLargeWriteGivesUpAndSmallOnesGoOn() async throws {
    let directory = try TemporaryDirectory()
    let path: String = directory.path
    let store = try Self.open(path) { $0.writerWait = 0.2 }
    defer { store.close() }
    for name in ["first", "second", "third"] {
      try store.writeHere { try $0.setFollowed(true, Identity.ID(name)) }
    }
    let last = try store.environment.info.lastTransaction
    let child = Self.standStill(path)
    defer { try? signal(path, "go") }
    let process = try await Self.process(path, "holder")
    for round in 0..<2 {
      let error = #expect(throws: SatchelError.self) {
        try store.writeHere { try Self.addMany(to: $0, "lost") }
      }
      #expect(error?.code == .busy)
      #expect(error?.context["process"] == String(process))
      // One that was begun elsewhere waits as long.
      await #expect(throws: SatchelError.self) { try await store.write { try Self.addMany(to: $0, "lost") } }
      #expect(throws: LMDBError.self) { try store.environment.writeBeside { _ in } }
      try store.writeHere { try $0.setFollowed(true, Identity.ID("small \(round)")) }
    }
    try #expect(store.environment.info.lastTransaction == last)
    try signal(path, "go")
    await child.value
    try store.writeHere { try Self.addMany(to: $0, "large") }
    try store.read { snapshot in
      for name in ["first", "small 0", "small 1", "large 0"] {
        try #expect(snapshot.users.number(of: name) != nil)
      }
      try #expect(snapshot.users.number(of: "lost 0") == nil)
    }
    try expectSound(store)
  }

  /// A small write waits for a large one that waits for a checkpoint: both are told who makes that. Nothing here waits on a task's
  /// thread but the two processes, since there may be no third one.
  @Test func aWaitNamesWhoHasTheLock() async throws {
    let directory = try TemporaryDirectory()
    let path: String = directory.path
    let store = try Self.open(path)
    defer { store.close() }
    for name in ["first", "second", "third"] {
      try store.writeHere { try $0.setFollowed(true, Identity.ID(name)) }
    }
    let holder = OtherThread()
    holder.start {
      try store.environment.writeBeside { _ in
        try signal(path, "holder")
        wait(for: path, "small")
      }
    }
    wait(for: path, "holder")
    let large = Task {
      _ = await #expect(processExitsWith: .success) { [path = path as String] in
        let store = try DatabaseWaitTests.open(path) { options in
          options.onWriterWait = { wait in signalOnce(path, "large", wait.process ?? 0) }
        }
        try store.writeHere { try DatabaseWaitTests.addMany(to: $0, "large") }
        store.close()
      }
    }
    await #expect(processExitsWith: .success) { [path = path as String] in
      let store = try DatabaseWaitTests.open(path) { options in
        options.onWriterWait = { wait in signalOnce(path, "small", wait.process ?? 0) }
      }
      wait(for: path, "large")
      try store.writeHere { try $0.setFollowed(true, "small") }
      store.close()
    }
    // It goes on, whatever has become of that one.
    if access("\(path)/small", F_OK) != 0 { try signal(path, "small", 0) }
    await large.value
    try holder.finish()
    for name in ["large", "small"] { try #expect(Self.number(path, name) == getpid()) }
    try store.read { snapshot in
      for name in ["first", "small", "large 0"] { try #expect(snapshot.users.number(of: name) != nil) }
    }
    try expectSound(store)
  }

  /// Another process that has LMDB's write transaction, as a checkpoint has it, until the file `go` is there.
  private static func standStill(_ path: String) -> Task<Void, Never> {
    Task {
      _ = await #expect(processExitsWith: .success) { [path = path as String] in
        let store = try DatabaseWaitTests.open(path)
        try store.environment.writeBeside { _ in
          try signal(path, "holder")
          wait(for: path, "go")
        }
        store.close()
      }
    }
  }

  private static func open(_ path: String, _ change: (inout Store.Options) -> Void = { _ in }) throws -> Store
  {
    var options = Store.Options()
    options.journal.commitsBefore = 0
    change(&options)
    return try Store.open(directory: path + "/store", user: "me", options: options)
  }

  /// More than the journal takes at once.
  private static func addMany(to writer: Writer, _ name: String) throws {
    for number in 0..<15_000 { try writer.setFollowed(true, Identity.ID("\(name) \(number)")) }
  }

  /// Waits for a process's signal, and returns the number in it.
  private static func process(_ path: String, _ name: String) async throws -> Int32 {
    while access("\(path)/\(name)", F_OK) != 0 { try await Task.sleep(for: .milliseconds(2)) }
    return try number(path, name)
  }

  private static func number(_ path: String, _ name: String) throws -> Int32 {
    try #require(Int32(String(decoding: JournaledStore.readFile("\(path)/\(name)"), as: UTF8.self)))
  }
}

/// Makes a file with a number in it, for another process that waits for the file.
private func signal(_ path: String, _ name: String, _ number: Int32 = getpid()) throws {
  try JournaledStore.writeFile(Array("\(number)".utf8), to: "\(path)/\(name).new")
  rename("\(path)/\(name).new", "\(path)/\(name)")
}

/// Does the same for the first of several calls: whoever waits on, once what was waited for has happened, is told of somebody else.
private func signalOnce(_ path: String, _ name: String, _ number: Int32) {
  if access("\(path)/\(name)", F_OK) != 0 { try? signal(path, name, number) }
}

private func wait(for path: String, _ name: String) {
  while access("\(path)/\(name)", F_OK) != 0 { usleep(1000) }
}
