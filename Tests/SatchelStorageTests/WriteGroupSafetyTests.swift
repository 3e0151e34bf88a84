import LMDB
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

/// Shared transactions beside full disks, crashes and other processes.
@Suite struct WriteGroupSafetyTests {
  @Test func aStoreThatOneFillsIsFullForThatOneAlone() async throws {
    let directory = try TemporaryDirectory()
    let scene = try WritersInLine.open(directory.path) { $0.maximumFileBytes = 4 << 20 }
    let start = try scene.store.sequence()
    let outcomes = try await scene.run([
      { try $0.setFollowed(true, "a") },
      { writer in
        let parts = [MessagePart.Draft.data([UInt8](repeating: 1, count: 8 << 20), mimeType: "a/b")]
        _ = try writer.insertAnnouncement(MessageDraft(sender: "a", parts: parts))
      },
      { try $0.setFollowed(true, "b") },
    ])
    let codes = outcomes.map { outcome in code { try outcome.get() } }
    #expect(codes == [nil, .storeFull, nil])
    try #expect(scene.store.sequence() == start + 2)
    try scene.store.read { snapshot in
      for name in ["a", "b"] { try #expect(snapshot.users.number(of: name) != nil) }
      #expect(snapshot.seal[.announcements].count == 0)
    }
    try expectSound(scene.store)
  }

  /// Two processes write with many threads each; one is killed in the midst.
  @Test func aKilledProcessLosesNothingThatHasReturned() async throws {
    let directory = try TemporaryDirectory()
    let store = try openStore(directory.path)
    defer { store.close() }
    let acknowledgements: String = directory.path + "-acknowledged"
    let path: String = directory.path
    defer { unlink(acknowledgements) }
    let own = OtherThread()
    own.start {
      try onThreads(3) { number in
        for round in 0..<60 {
          try store.write { try $0.setFollowed(true, Identity.ID("p\(number)-\(round)")) }
        }
      }
    }
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, acknowledgements = acknowledgements as String] in
      let store = try openStore(path, user: nil)
      let file = open(acknowledgements, O_CREAT | O_WRONLY | O_APPEND, 0o600)
      let count = Mutex(0)
      try onThreads(6) { number in
        for round in 0..<1000 {
          let user = "c\(number)-\(round)"
          try store.write { try $0.setFollowed(true, Identity.ID(user)) }
          let line = Array("\(user)\n".utf8)
          write(file, line, line.count)
          let isEnough = count.withLock { count in
            count += 1
            return count == 200
          }
          if isEnough { kill(getpid(), SIGKILL) }
        }
      }
    }
    try own.finish()
    let file = open(acknowledgements, O_RDONLY)
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    bytes.removeLast(bytes.count - max(0, read(file, &bytes, bytes.count)))
    close(file)
    let users = bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    #expect(users.count >= 200)
    try store.read { snapshot in
      for user in users { try #expect(snapshot.users.number(of: user) != nil, "\(user)") }
      let entries = try #require(try snapshot.changes(after: 1))
      #expect(entries.map(\.commit) == Array(2...snapshot.seal.commit))
    }
    try expectSound(store)
  }
}
