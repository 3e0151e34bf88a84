import Dispatch
import Journal
import SatchelModel
import SatchelStorage
import SatchelWriting
import StoreFiles
import StoreModel
import Synchronization
import TestSupport
import Testing

/// An asynchronous write never works on the thread of its caller, of which there are few for all tasks: not on what has to be done
/// before it either.
@Suite struct CallersThreadTests {
  /// Runs tasks, and tells whether something runs on their thread.
  private final class Caller: TaskExecutor {
    private let queue = DispatchQueue(label: "caller")
    private static let key = DispatchSpecificKey<Bool>()

    init() { queue.setSpecific(key: Self.key, value: true) }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    static var isHere: Bool { DispatchQueue.getSpecific(key: key) == true }
  }

  /// Where transactions have ended, and where the journal was emptied.
  private final class Ends: Sendable {
    private let places = Mutex<[Bool]>([])

    func note() { places.withLock { $0.append(Caller.isHere) } }

    /// What stands between a journal and its file.
    var interposer: JournalInterposer { { Storage(storage: $0, ends: self) } }

    /// Returns how many there were since the last call, and how many of them on the caller's thread.
    func take() -> (all: Int, ofCaller: Int) {
      places.withLock { places in
        defer { places = [] }
        return (places.count, places.count { $0 })
      }
    }
  }

  private struct Storage: JournalStorage {
    let storage: any JournalStorage
    let ends: Ends

    func size() throws(SystemFailure) -> Int { try storage.size() }
    func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int {
      try storage.read(buffer, at: offset)
    }
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int {
      try storage.write(bytes, at: offset)
    }
    func sync() throws(SystemFailure) { try storage.sync() }
    func syncName() throws(SystemFailure) { try storage.syncName() }
    func truncate() throws(SystemFailure) {
      ends.note()
      try storage.truncate()
    }
    func identity() throws(SystemFailure) -> FileIdentity { try storage.identity() }
  }

  private func opened(
    _ path: String, _ change: (inout Store.Options) -> Void = { _ in }
  ) throws -> (Store, Ends) {
    let ends = Ends()
    var options = Store.Options()
    options.journal.commitsBefore = 0
    options.writerEnvironment.onChanges = { _ in ends.note() }
    options.writerEnvironment.journalStorage = ends.interposer
    change(&options)
    return (try Store.open(directory: path, user: "me", options: options), ends)
  }

  private func write(_ store: Store, _ body: @escaping @Sendable (Writer) throws -> Void) async throws {
    try await withTaskExecutorPreference(Caller()) {
      #expect(Caller.isHere)
      try await store.write(body)
    }
  }

  @Test func aJournalIsGivenUpElsewhere() async throws {
    let directory = try TemporaryDirectory()
    let (store, ends) = try opened(directory.path)
    defer { store.close() }
    for name in ["a", "b", "c"] { try store.writeHere { try $0.setFollowed(true, Identity.ID(name)) } }
    let head = try JournalHead(directory.path + "/journal.head", .writing)
    var state = try #require(head.read()).state
    state.isPoisoned = true
    try head.publish(state)
    _ = ends.take()
    try await write(store) { try $0.setFollowed(true, "d") }
    // The journal, whose commits are in the database, and the write.
    let (all, ofCaller) = ends.take()
    #expect(all > 1 && ofCaller == 0)
    try store.read { snapshot in
      for name in ["a", "b", "c", "d"] { try #expect(snapshot.users.number(of: name) != nil) }
    }
  }

  @Test func roomIsMadeElsewhere() async throws {
    let directory = try TemporaryDirectory()
    let (store, ends) = try opened(directory.path) {
      $0.maximumFileBytes = 4 << 20
      $0.durability = .relaxed
    }
    defer { store.close() }
    try store.writeHere { writer in
      for id in ["c", "d"] {
        _ = try writer.createConversation(
          ConversationDraft(identifier: Conversation.ID(id), participants: ["bob"]))
      }
      for number in 0..<20 {
        _ = try writer.send([.text("hello")], to: "d", identifier: Message.ID("d\(number)"))
      }
    }
    let bytes = [UInt8](repeating: 1, count: 10_000)
    let error = #expect(throws: SatchelError.self) {
      for _ in 0..<1000 {
        try store.writeHere { _ = try $0.send([.data(bytes, mimeType: "a/b")], to: "c") }
      }
    }
    #expect(error?.code == .storeFull)
    try store.writeHere { try $0.deleteConversation("d") }
    #expect(store.environment.isShortOfRoom)
    _ = ends.take()
    try await write(store) { try $0.setFollowed(true, "ann") }
    let (all, ofCaller) = ends.take()
    // What was deleted is removed before the write.
    #expect(all > 1 && ofCaller == 0)
  }
}
