import Foundation
import LMDB
import Satchel
import SatchelScenes
import SatchelStorage
import Testing

/// The errors of a store and its file: which code, and what they name.
@Suite struct StoreErrorTests {
  let directory: TemporaryDirectory
  var url: URL { directory.url.appendingPathComponent("store") }

  init() throws { directory = try TemporaryDirectory() }

  @Test func openingAgain() throws {
    let id = try {
      let store = try MessageStore(at: url, user: "alice")
      #expect(store.user == "alice" && store.path == url.path)
      return try store.write { tx in
        try tx.send([.text("kept")], to: tx.conversation(with: ["bob"]).id)
      }
    }()
    for store in [
      try MessageStore(at: url, user: "alice"), try MessageStore(path: url.path, user: "alice"),
      try MessageStore(existingAt: url.path),
    ] {
      #expect(store.user == "alice")
      #expect(try store.read { try $0.message(id)?.text } == "kept")
    }
    let error = failure(.wrongUser) { _ = try MessageStore(at: url, user: "bob") }
    #expect(error?.context["user"] == "bob" && error?.context["owner"] == "alice")
    // Another spelling is another user.
    let cafe = directory.url.appendingPathComponent("cafe")
    _ = try MessageStore(at: cafe, user: "caf\u{E9}")
    failure(.wrongUser) { _ = try MessageStore(at: cafe, user: "cafe\u{301}") }
  }

  @Test func twoHandlesOfOneStore() throws {
    let first = try MessageStore(at: url, user: "alice")
    let second = try MessageStore(at: url, user: "alice")
    let room = try first.write { tx in try tx.conversation(with: ["bob"]).id }
    let id = try second.write { tx in
      #expect(try tx.conversation(with: ["bob"]).id == room)
      return try tx.send([.text("from the second", mimeType: "new/type")], to: room)
    }
    #expect(try first.read { try $0.message(id)?.parts.first?.mimeType } == "new/type")
    first.close()
    failure(.closed) { _ = try first.count(Message.all) }
    #expect(failure(.closed) { try first.write { _ in } }?.context["store"] == url.path)
    first.close()
    #expect(try second.count(Message.all) == 1)
    second.close()
    failure(.closed) { try second.read { _ in } }
    let third = try MessageStore(at: url, user: "alice")
    #expect(try third.count(Message.all) == 1)
    try expectSound(third)
  }

  @Test func asynchronousFormsOfAClosedStore() async throws {
    let store = try MessageStore(at: url, user: "alice")
    store.close()
    for body in [
      { @Sendable in _ = try await store.count(Message.all) },
      { @Sendable in try await store.write { _ in } },
      { @Sendable in try await store.read { _ in } },
    ] as [@Sendable () async throws -> Void] {
      do {
        try await body()
        Issue.record("a closed store has answered")
      } catch { #expect((error as? SatchelError)?.code == .closed) }
    }
  }

  @Test func whereThereIsNoStore() throws {
    var options = MessageStore.Options()
    options.createsIfMissing = false
    #expect(
      failure(.noSuchStore) { _ = try MessageStore(at: url, user: "alice", options: options) }?
        .context["store"] == url.path)
    failure(.noSuchStore) { _ = try MessageStore(existingAt: url.path) }
    #expect(!FileManager.default.fileExists(atPath: url.path))
    options.createsIfMissing = true
    options.isReadOnly = true
    failure(.noSuchStore) { _ = try MessageStore(at: url, user: "alice", options: options) }
  }

  @Test func whatIsNoStore() throws {
    try Data("not a directory".utf8).write(to: url)
    failure(.notAStore) { _ = try MessageStore(at: url, user: "alice") }
    let other = directory.url.appendingPathComponent("other")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    try Data(repeating: 7, count: 20_000).write(to: other.appendingPathComponent("data.mdb"))
    let error = failure(.notAStore) { _ = try MessageStore(at: other, user: "alice") }
    #expect(error?.context["store"] == other.path)
    #expect(try Data(contentsOf: other.appendingPathComponent("data.mdb")).count == 20_000)
  }

  @Test func readOnlyStores() throws {
    let store = try MessageStore(at: url, user: "alice")
    try store.write { tx in try tx.send([], to: tx.conversation(with: ["bob"]).id) }
    store.close()
    var options = MessageStore.Options()
    options.isReadOnly = true
    let reader = try MessageStore(at: url, user: "alice", options: options)
    #expect(try reader.count(Message.all) == 1)
    #expect(failure(.permissionDenied) { try reader.write { _ in } }?.context["store"] == url.path)
    failure(.permissionDenied) { try reader.write { tx in _ = try tx.send([], to: "c") } }
    #expect(try reader.count(Message.all) == 1)
  }

  /// The file is open for writing, because the process has another handle of it.
  @Test func readOnlyHandlesBesideOthers() async throws {
    let writer = try MessageStore(at: url, user: "alice")
    var options = MessageStore.Options()
    options.isReadOnly = true
    let reader = try MessageStore(at: url, user: "alice", options: options)
    let writes: [@Sendable () async throws -> Void] = [
      { try Self.here { try reader.write { try $0.setFollowed(true, "bob") } } },
      { try await reader.write { try $0.setFollowed(true, "bob") } },
      { _ = try Self.here { try reader.consumer(named: "search") } },
      { try await reader.declare(Aggregate(named: "all", counting: Message.all)) },
    ]
    for write in writes {
      let error = await #expect(throws: SatchelError.self) { try await write() }
      #expect(error?.code == .permissionDenied)
      #expect(error?.context["store"] == url.path)
    }
    #expect(try Self.here { try reader.count(Identity.all) } == 0)
    try Self.here { try writer.write { try $0.setFollowed(true, "bob") } }
    #expect(try Self.here { try reader.count(Identity.all) } == 1)
  }

  /// Calls, in an asynchronous function, the synchronous form of a function.
  private static func here<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }

  @Test func fullStores() throws {
    var options = MessageStore.Options()
    options.durability = .relaxed
    options.maximumFileBytes = 4 << 20
    let store = try MessageStore(at: url, user: "alice", options: options)
    let room = try store.write { tx in try tx.conversation(with: ["bob"]).id }
    let bytes = [UInt8](repeating: 1, count: 1 << 20)
    let error = failure(.storeFull) {
      for _ in 0..<10 { try store.write { tx in _ = try tx.send([.data(bytes, mimeType: "t/t")], to: room) } }
    }
    #expect(error?.context["store"] != nil)
    let count = try store.count(Message.all)
    #expect((1..<4).contains(count))
    try expectSound(store)
    // A write that catches the error is not committed either.
    failure(.storeFull) {
      try store.write { tx in
        try tx.send([.text("small")], to: room)
        failure(.storeFull) { for _ in 0..<10 { try tx.send([.data(bytes, mimeType: "t/t")], to: room) } }
      }
    }
    #expect(try store.count(Message.all) == count)
    try store.write { tx in try tx.send([.text("small")], to: room) }
    #expect(try store.count(Message.all) == count + 1)
    try expectSound(store)
  }

  @Test func damageIsReportedAndNothingIsBuiltOnIt() throws {
    let store = try MessageStore(at: url, user: "alice")
    let room = try store.write { tx in
      let room = try tx.conversation(with: ["bob"]).id
      try tx.send([.text("gone")], to: room, id: "gone")
      try tx.send([.text("there")], to: room, id: "there")
      return room
    }
    // The record of the first message is taken away behind the store's back.
    let messages = try store.base.read { $0.databases.messages }
    try store.base.environment.write { transaction in
      var cursor = try transaction.cursor(messages)
      guard let first = try cursor.first() else { return }
      let key = Array(first.key)
      #expect(try key.withUnsafeBytes { try transaction.delete(messages, $0) })
    }
    #expect(failure(.corrupted) { _ = try store.fetch(Message.all) }?.context["key"] != nil)
    failure(.corrupted) { _ = try store.read { try $0.message("gone") } }
    failure(.corrupted) { _ = try store.content(of: "gone/parts/0") }
    let before = try store.read { $0.sequence }
    // Caught or not: a change that cannot be made whole is not made at all.
    failure(.corrupted) {
      try store.write { tx in
        try tx.send([.text("new")], to: room)
        failure(.corrupted) { try tx.delete(room) }
        failure(.corrupted) { try tx.send([.text("more")], to: room) }
      }
    }
    #expect(try store.read { $0.sequence } == before)
    // A look-up that meets damage does not stop a write of something else.
    try store.write { tx in
      failure(.corrupted) { _ = try tx.fetch(Message.all) }
      failure(.corrupted) { try tx.delete(Message.ID("gone")) }
      try tx.send([.text("new")], to: room)
    }
    #expect(try store.count(Message.all) == 3)
  }

  @Test func errorsSayInOneLineWhatTheyAreAbout() {
    let store = try? MessageStore(at: url, user: "alice")
    let name = "line\nbreak\u{2028}" + String(repeating: "x", count: 1000)
    do {
      try store?.write { tx in try tx.delete(Message.ID(name)) }
      Issue.record("nothing was thrown")
    } catch {
      let line = "\(error)"
      #expect(line.contains("message: line\\nbreak\\u{2028}xxx") && line.count < 500, "\(line)")
      #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
      #expect((error as? SatchelError)?.context["message"] == name)
    }
    #expect("\(SatchelError.Code.unknownMessage)" == "unknownMessage")
    #expect(SatchelError.Code(rawValue: "unknownMessage") == .unknownMessage)
  }
}
