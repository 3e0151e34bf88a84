import Foundation
import Satchel
import SatchelScenes
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What contents of parts are read from: files, sequences, and on which threads.
@Suite(.timeLimit(.minutes(2)))
struct ContentSourceTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try store.write { _ = try $0.createConversation(with: ["bob"], id: "c") }
  }

  private func path(_ name: String) -> String { scratch.directory.url.appending(path: name).path }

  // MARK: Files

  /// Somebody writes to the file in place, as long as it was, between two reads.
  @Test func aFileThatIsWrittenOverIsNotStored() throws {
    let file = path("film")
    try Data(repeating: 1, count: 1_000_000).write(to: URL(fileURLWithPath: file))
    // Long ago, so that the clock of the file system has gone on since.
    let long = [timespec(tv_sec: 1_600_000_000, tv_nsec: 0), timespec(tv_sec: 1_600_000_000, tv_nsec: 0)]
    #expect(unsafe utimensat(AT_FDCWD, file, long, 0) == 0)
    let untouched = try ContentFile(file)
    while try untouched.next() != nil {}
    let opened = try ContentFile(file)
    #expect(try opened.next()?.allSatisfy { $0 == 1 } == true)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
    try handle.write(contentsOf: Data(repeating: 2, count: 1_000_000))
    try handle.close()
    let error = failure(.io) { while try opened.next() != nil {} }
    #expect(error?.context["file"] == file)
  }

  /// Nobody writes to the pipe: whoever waited for it would wait for ever.
  @Test func onlyRegularFilesAreRead() async throws {
    let pipe = path("pipe")
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    for path in [pipe, "/dev/zero", "/dev/null"] {
      let error = await #expect(throws: SatchelError.self) {
        try await self.store.write(contents: [.file(path: path, mimeType: "a/b")], for: "c") {
          _ = try $0.send($1, to: "c")
        }
      }
      #expect(error?.code == .invalidValue && error?.context["file"] == path)
    }
    #expect(try store.synchronously { try $0.count(Message.all) } == 0)
  }

  @Test func whatNamesNoFileIsRefused() throws {
    // They are there, where a cut path or the path of the URL would lead.
    try Data([1]).write(to: URL(fileURLWithPath: path("big")))
    let file = URL(fileURLWithPath: path("big"))
    let elsewhere = try #require(URL(string: "https://example.com" + file.path))
    let plain = try #require(URL(string: file.path))
    for source in [
      MessagePart.Source.file(elsewhere, mimeType: "a/b"), .file(plain, mimeType: "a/b"),
      .file(path: path("big") + "\0x", mimeType: "a/b"), .file(path: "\0", mimeType: "a/b"),
    ] {
      failure(.invalidValue) {
        try store.write(contents: [source], for: "c") { _ = try $0.send($1, to: "c") }
      }
    }
    try store.write(contents: [.file(file, mimeType: "a/b")], for: "c") { _ = try $0.send($1, to: "c") }
    #expect(try store.first(MessagePart.all)?.content == .data([1]))
  }

  #if os(Linux)
    /// The system says that they have no bytes.
    @Test func filesThatAreMadeWhenTheyAreRead() throws {
      try store.write(contents: [.file(path: "/proc/version", mimeType: "text/plain")], for: "c") {
        _ = try $0.send($1, to: "c")
      }
      #expect(try store.first(MessagePart.all)?.size ?? 0 > 10)
    }
  #endif

  // MARK: Threads

  /// More sequences than there are threads for tasks each wait until all of them are being read.
  @Test func whatBlocksKeepsNoTaskFromRunning() async throws {
    let count = ProcessInfo.processInfo.activeProcessorCount + 3
    let meeting = Meeting(count)
    let store = store
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        group.addTask {
          try await store.write(contents: [.chunks(Waiting(meeting: meeting), mimeType: "a/b")], for: "c") {
            _ = try $0.send($1, to: "c")
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(meeting.hasMet)
    #expect(try store.synchronously { try $0.count(Message.all) } == count)
  }

  @Test func cancellingEndsAnEndlessSequence() async throws {
    let began = Meeting(2)
    let store = store
    let task = Task {
      try await store.write(contents: [.chunks(Endless(began: began), mimeType: "a/b")], for: "c") {
        _ = try $0.send($1, to: "c")
      }
    }
    while began.come < 1 { await Task.yield() }
    task.cancel()
    began.arrive()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try store.synchronously { try $0.base.read { $0.seal[.staging].count } } == 0)
  }

  // MARK: What is too small to be stored before

  @Test func smallContentsTakeOneCommit() throws {
    let before = try store.read { $0.sequence }
    let source = MessagePart.Source.chunks([[UInt8(1)], [2]], mimeType: "a/b")
    try store.write(contents: [source, .draft(.text("x"))], for: "c") { tx, parts in
      try tx.send(parts, to: "c", id: "m")
    }
    #expect(try store.read { $0.sequence } == before + 1)
    #expect(try store.message("m")?.parts.map(\.content) == [.data([1, 2]), .text("x")])
    // The closure does not use them.
    try store.write(contents: [source], for: "c") { tx, _ in try tx.send([.text("y")], to: "c") }
    #expect(try store.base.read { $0.seal[.staging].count } == 0)
    #expect(try store.count(Message.all) == 2)
    failure(.unknownConversation) { try store.write(contents: [source], for: "none") { _, _ in } }
    try expectSound(store)
  }
}

/// A number of threads that wait for one another.
private final class Meeting: Sendable {
  private let number: Int
  private let condition = NSCondition()
  private let arrived = Mutex(0)

  init(_ number: Int) { self.number = number }

  var come: Int { arrived.withLock(\.self) }
  var hasMet: Bool { come >= number }

  func arrive() {
    condition.lock()
    arrived.withLock { $0 += 1 }
    condition.broadcast()
    condition.unlock()
  }

  /// Waits for the others; goes on without them in the end, so that a test that fails does not last for ever.
  func wait() {
    arrive()
    let limit = Date(timeIntervalSinceNow: 60)
    condition.lock()
    while !hasMet, condition.wait(until: limit) {}
    condition.unlock()
  }
}

/// One piece, before which a thread waits for the others of the meeting.
private struct Waiting: Sequence, Sendable {
  let meeting: Meeting

  func makeIterator() -> AnyIterator<[UInt8]> {
    var isFirst = true
    return AnyIterator {
      guard isFirst else { return nil }
      isFirst = false
      meeting.wait()
      return meeting.hasMet ? [1] : nil
    }
  }
}

/// Pieces without end, from when the meeting is complete.
private struct Endless: Sequence, Sendable {
  let began: Meeting

  func makeIterator() -> AnyIterator<[UInt8]> {
    var isFirst = true
    return AnyIterator {
      if isFirst { began.wait() }
      isFirst = false
      return [UInt8](repeating: 1, count: 1000)
    }
  }
}
