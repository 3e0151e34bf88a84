import Foundation
import Satchel
import SatchelCare
import SatchelScenes
import SatchelStorage
import Testing

/// Contents that are stored piece by piece before the write that gets them.
@Suite(.timeLimit(.minutes(2)))
struct LargeContentTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try store.write { _ = try $0.createConversation(with: ["bob"], id: "c") }
  }

  private func pieces(_ bytes: [UInt8], of size: Int) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min(bytes.count, $0 + size)]) }
  }

  /// The store has so many pieces of contents, nothing staged, and is sound.
  private func expectSound(
    pieces: UInt64? = nil, in store: MessageStore? = nil, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let store = store ?? self.store
    // What was stored for nothing leaves with later commits.
    for number in 0..<100 where try store.base.read({ $0.seal[.purge].count > 0 }) {
      try store.write { try $0.put(Identity(userID: "purge", displayName: "\(number)")) }
    }
    let base = store.base
    let report = try base.read { try Verifier.verify($0) }
    #expect(report.faults == [], sourceLocation: location)
    #expect(try base.read { $0.seal[.staging].count } == 0, sourceLocation: location)
    if let pieces { #expect(try base.read { $0.seal[.bodies].count } == pieces, sourceLocation: location) }
  }

  @Test(arguments: [
    0, 1, 512, 4072, 4073, 10_000, ContentSteps.size - 1, ContentSteps.size, ContentSteps.size + 1,
    2 * ContentSteps.size + 4072 + 5,
  ])
  func contentsOfEverySize(_ count: Int) throws {
    let bytes = randomBytes(count)
    let file = scratch.directory.url.appending(path: "content")
    try Data(bytes).write(to: file)
    let id = try store.write(
      contents: [
        .draft(.text("Look")), .file(file, mimeType: "a/b"),
        .chunks(pieces(bytes, of: 70_001), mimeType: "c/d", transferStatus: .uploading),
      ], for: "c"
    ) { transaction, parts in
      try transaction.send(parts + [.text("the end")], to: "c", id: "m", metadata: ["k": "v"])
    }
    let message = try #require(try store.message(id))
    #expect(
      message.text == "Look" && message.parts.map(\.mimeType) == ["text/plain", "a/b", "c/d", "text/plain"])
    #expect(message.parts.map(\.size) == [4, Int64(count), Int64(count), 7])
    #expect(message.parts[2].transferStatus == .uploading && message.metadata["k"] == "v")
    for index in 1...2 { #expect(try store.content(of: message.parts[index].id) == bytes) }
    #expect(
      try store.count(MessagePart.filter { $0.size == Int64(count) && $0.mimeType != "text/plain" }) == 2)
    #expect(try store.conversation("c")?.lastMessage?.id == "m")
    try expectSound()
    // It is deleted, and edited, as any other.
    try store.write { try $0.update("m") { $0.removedParts = [1] } }
    #expect(try store.content(of: "m/parts/1") == bytes)
    try store.write { try $0.delete(Message.ID("m")) }
    try expectSound(pieces: 0)
  }

  @Test func theAsynchronousForm() async throws {
    let bytes = randomBytes(ContentSteps.size + 99)
    let all = pieces(bytes, of: 50_000)
    let arriving = AsyncStream<Data> { continuation in
      for piece in all { continuation.yield(Data(piece)) }
      continuation.finish()
    }
    let id = try await store.write(
      contents: [.chunks(arriving, mimeType: "a/b"), .chunks(all, mimeType: "c/d")], for: nil
    ) { transaction, parts in
      try transaction.announce(parts, from: "bob", id: "notice")
    }
    #expect(id == "notice")
    for part in try #require(try await store.announcement("notice")).parts {
      var read: [UInt8] = []
      for try await chunk in store.chunks(of: part.id) { read += chunk }
      #expect(read == bytes)
    }
    try expectSound()
    failure(.invalidValue) {
      try synchronously {
        try $0.write(contents: [.chunks(arriving, mimeType: "a/b")], for: "c") { _, _ in }
      }
    }
  }

  private func synchronously(_ body: (MessageStore) throws -> Void) throws { try store.synchronously(body) }

  /// Never more than a step and a piece is anywhere but in the store.
  @Test func littleIsHeld() throws {
    let source = CountedChunks(base: store.base, piece: 30_000, count: 500)
    try store.write(contents: [.chunks(source, mimeType: "a/b")], for: "c") { _ = try $0.send($1, to: "c") }
    #expect(source.most.value <= ContentSteps.size + 30_000)
    #expect(try store.first(MessagePart.all)?.size == 15_000_000)
    try expectSound()
  }

  @Test func whateverFailsLeavesNothing() async throws {
    try synchronously { try $0.write { _ = try $0.send([.text("here")], to: "c") } }
    let large = MessagePart.Source.chunks(Failing(piece: 1_000_000, last: 5), mimeType: "a/b")
    // The closure throws, or passes the parts over.
    #expect(throws: Broken.self) {
      try synchronously { try $0.write(contents: [large], for: "c") { _, _ in throw Broken() } }
    }
    try synchronously {
      try $0.write(contents: [large], for: "c") { tx, _ in _ = try tx.send([.text("x")], to: "c") }
    }
    try expectSound(pieces: 0)
    // The sequence fails.
    let failing = AsyncThrowingStream<[UInt8], any Error> { continuation in
      for number in 0..<5 { continuation.yield(randomBytes(1_000_000, seed: UInt64(number))) }
      continuation.finish(throwing: Broken())
    }
    await #expect(throws: Broken.self) {
      try await store.write(contents: [.chunks(failing, mimeType: "a/b")], for: "c") {
        _ = try $0.send($1, to: "c")
      }
    }
    try expectSound(pieces: 0)
    // There is no such conversation, or not any more.
    failure(.unknownConversation) {
      try synchronously { try $0.write(contents: [large], for: "none") { _ = try $0.send($1, to: "c") } }
    }
    let base = store
    let deleting = Failing(piece: 3_000_000, last: 1) {
      try? base.write { try $0.delete(Conversation.ID("c")) }
    }
    failure(.unknownConversation) {
      try synchronously {
        try $0.write(contents: [.chunks(deleting, mimeType: "a/b")], for: "c") {
          _ = try $0.send($1, to: "c")
        }
      }
    }
    try expectSound(pieces: 0)
  }

  @Test func aTaskThatIsCancelled() async throws {
    let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
    let store = store
    let task = Task {
      try await store.write(contents: [.chunks(stream, mimeType: "a/b")], for: "c") {
        _ = try $0.send($1, to: "c")
      }
    }
    continuation.yield(randomBytes(3_000_000))
    while try store.base.read({ $0.seal[.bodies].count }) == 0 { await Task.yield() }
    task.cancel()
    continuation.yield(randomBytes(3_000_000))
    continuation.finish()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try store.synchronously { try $0.count(Message.all) } == 0)
    try expectSound(pieces: 0)
  }

  /// The store becomes full in the midst of it.
  @Test func aStoreThatIsFull() throws {
    var options = MessageStore.Options()
    options.maximumFileBytes = 24 << 20
    options.purgePause = nil
    let store = try MessageStore(
      at: scratch.directory.url.appending(path: "small"), user: "alice", options: options)
    defer { store.close() }
    try store.write { _ = try $0.createConversation(with: ["bob"], id: "c") }
    failure(.storeFull) {
      try store.write(
        contents: [.chunks(Failing(piece: 1_000_000, last: 60), mimeType: "a/b")], for: "c"
      ) { _ = try $0.send($1, to: "c") }
    }
    try expectSound(pieces: 0, in: store)
    try store.write { _ = try $0.send([.text("goes on")], to: "c") }
    try expectSound(in: store)
  }

  /// What is left of the message and what is left of its conversation leave together, and each piece once.
  @Test func itsMessageIsDeletedAndThenItsConversation() throws {
    try store.write(contents: [.chunks(Failing(piece: 1_000_000, last: 3), mimeType: "a/b")], for: "c") {
      _ = try $0.send($1, to: "c", id: "m")
    }
    try store.write { _ = try $0.send([.text(String(repeating: "x", count: 100_000))], to: "c") }
    try store.write { try $0.delete(Message.ID("m")) }
    try store.write { try $0.delete(Conversation.ID("c")) }
    try expectSound(pieces: 0)
  }

  /// Whether they are stored before the write or with it.
  @Test(arguments: [0, 100, 1_000_000]) func partsThatAreUsedOtherwise(_ size: Int) throws {
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "other")
      try tx.send([.text("here")], to: "c", id: "known")
    }
    let large = MessagePart.Source.chunks(Failing(piece: size, last: 1), mimeType: "a/b")
    var kept: [MessagePart.Draft] = []
    try store.write(contents: [large, large], for: "c") { tx, parts in
      kept = parts
      failure(.invalidValue) { try tx.send(parts, to: "other") }
      failure(.invalidValue) { try tx.announce(parts, from: "bob") }
      failure(.invalidValue) { try tx.send([parts[0]], to: "c") }
      failure(.invalidValue) { try tx.send([parts[1], parts[0]], to: "c") }
      failure(.invalidValue) { try tx.send([.text("x")] + parts, to: "c") }
      failure(.invalidValue) { try tx.send([parts[0], .data([1], mimeType: "a/b")], to: "c") }
      failure(.invalidValue) { try tx.update("known") { $0.appendedParts = parts } }
      try tx.receive(parts, in: "c", from: "bob", id: "m")
      failure(.invalidValue) { try tx.send(parts, to: "c") }
    }
    failure(.invalidValue) { try store.write { _ = try $0.send(kept, to: "c") } }
    #expect(try store.count(Message.all) == 2)
    failure(.nestedTransaction) {
      try store.read { _ in try store.write(contents: [large], for: "c") { _ = try $0.send($1, to: "c") } }
    }
    failure(.invalidValue) {
      try store.write(contents: [.chunks(Failing(piece: 9_999, last: 1), mimeType: "no type")], for: "c") {
        _ = try $0.send($1, to: "c")
      }
    }
    try expectSound()
  }

  @Test func filesThatCannotBeRead() throws {
    let url = scratch.directory.url
    func read(_ path: String) throws {
      try store.write(contents: [.file(path: path, mimeType: "a/b")], for: "c") {
        _ = try $0.send($1, to: "c")
      }
    }
    let missing = failure(.io) { try read(url.path + "/missing") }
    #expect(missing?.context["file"] == url.path + "/missing" && missing?.context["reason"] != nil)
    failure(.io) { try read(url.path) }
    // One that grows while it is read.
    let file = url.appending(path: "grows")
    try Data(randomBytes(10_000)).write(to: file)
    let growing = Failing(piece: 10, last: 1) {
      guard let handle = try? FileHandle(forWritingTo: file) else { return }
      _ = try? handle.seekToEnd()
      try? handle.write(contentsOf: Data([1]))
    }
    let opened = try ContentFile(file.path)
    _ = try opened.next()
    _ = Array(growing)
    failure(.io) { while try opened.next() != nil {} }
    try expectSound(pieces: 0)
  }

  /// The process is killed between the steps, or in the midst of the write.
  @Test(arguments: [1, 3, 5, 6]) func killed(_ step: Int) async throws {
    let directory = scratch.directory.url.appending(path: "killed \(step)").path
    await #expect(processExitsWith: .success) { [directory = directory as String, step = step as Int] in
      try LargeContentTests.storeAndDie(directory, step)
    }
    try expectNothingLeft(directory)
  }

  static func storeAndDie(_ directory: String, _ step: Int) throws {
    let store = try MessageStore(path: directory, user: "alice")
    try store.write { _ = try $0.createConversation(with: ["bob"], id: "c") }
    let last = Failing(piece: ContentSteps.size, last: min(step, 5)) { if step < 6 { _exit(0) } }
    try store.write(contents: [.chunks(last, mimeType: "a/b")], for: "c") { tx, parts in
      try tx.send(parts, to: "c")
      _exit(0)
    }
  }

  private func expectNothingLeft(_ directory: String) throws {
    var options = MessageStore.Options()
    options.purgePause = nil
    let store = try MessageStore(path: directory, user: "alice", options: options)
    defer { store.close() }
    #expect(try store.count(Message.all) == 0 && store.conversation("c") != nil)
    try expectSound(pieces: 0, in: store)
    try store.write(contents: [.chunks(Failing(piece: 1_000_000, last: 3), mimeType: "a/b")], for: "c") {
      _ = try $0.send($1, to: "c")
    }
    try expectSound(in: store)
  }
}
