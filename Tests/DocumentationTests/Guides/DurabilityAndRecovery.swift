import Foundation
import Satchel
import Testing

/// The code of the article "Durability and recovery".
@Suite struct DurabilityAndRecoveryGuide {
  let chats: GuideStore
  let store: MessageStore

  init() throws {
    chats = try GuideStore()
    store = chats.store
    try chats.chat("lunch", messages: 20)
  }

  @Test func levels() throws {
    let directory = chats.directory
    let relaxed = #expect(throws: SatchelError.self) {
      var options = MessageStore.Options()
      options.durability = .relaxed
      _ = try MessageStore(at: directory, user: "alice", options: options)
    }
    #expect(relaxed?.code == .io)
    chats.store.close()
    var options = MessageStore.Options()
    options.durability = .relaxed
    let store = try MessageStore(at: directory, user: "alice", options: options)
    #expect(try store.write { try $0.count(Message.all) } == 20)
  }

  @Test func backups() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "satchel-backup-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let backup = try store.backup(to: folder, compacting: true) { bytes, total in
      print(bytes, "of", total)
    }
    print(backup.bytes, "bytes, up to commit", backup.sequence)
    try chats.receive("later", in: "lunch", id: "later", at: 21)
    let copy = try MessageStore(at: folder, user: "alice")
    let missing = try store.changes(since: backup.sequence)
    #expect(try copy.count(Message.all) == 20)
    #expect(missing.flatMap(\.changes).contains { $0.object == .message("later") })
    copy.close()
    let error = #expect(throws: SatchelError.self) { try store.backup(to: folder) }
    #expect(error?.code == .io)
  }

  @Test func readers() throws {
    #expect(try readersBehind().isEmpty)
    let reading = try store.read { _ in
      // A write on this thread would be inside the read.
      let written = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        _ = try? chats.receive("meanwhile", in: "lunch", at: 21)
        try? store.checkpoint()
        written.signal()
      }
      written.wait()
      return try readersBehind()
    }
    #expect(reading.map(\.commitsBehind) == [1])
    #expect(reading.map(\.process) == [ProcessInfo.processInfo.processIdentifier])
  }

  func readersBehind() throws -> [MessageStore.Reader] {
    try store.readers().filter { $0.commitsBehind > 0 }
  }

  @Test func readOnly() throws {
    let path = chats.directory.path
    var options = MessageStore.Options()
    options.isReadOnly = true
    let viewer = try MessageStore(existingAt: path, options: options)
    print(viewer.user, try viewer.count(Message.all))
    #expect(viewer.user == "alice")
    let error = #expect(throws: SatchelError.self) { try viewer.write { try $0.setFollowed(true, "bob") } }
    #expect(error?.code == .permissionDenied)
  }
}
