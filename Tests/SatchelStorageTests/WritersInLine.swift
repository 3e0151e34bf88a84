import Dispatch
import LMDB
import SatchelModel
import SatchelStorage
import SatchelWriting
import StoreModel
import Synchronization
import TestSupport

/// Writers that are made to stand in line together, so that they share a transaction.
struct WritersInLine {
  typealias Body = @Sendable (Writer) throws -> Void

  let store: Store

  /// A store without sync whose clock stands still, and whose transactions wait for all who can join them.
  static func open(
    _ directory: String, _ change: (inout Store.Options) -> Void = { _ in }
  ) throws -> WritersInLine {
    var options = Store.Options()
    options.durability = .temporaryImport
    // Commits go to the journal, and on from there every few of them.
    options.journal.use = .always
    options.journal.commitsBefore = 0
    options.journal.mostCommits = 7
    options.sharing.seconds = 1e6
    let random = Mutex(SeededGenerator(seed: 1))
    options.writerEnvironment = WriterEnvironment(
      clock: { Timestamp(microseconds: 1_000_000) }, random: { random.withLock { $0.next() } })
    change(&options)
    return WritersInLine(store: try Store.open(directory: directory, user: "me", options: options))
  }

  /// Runs writes in this order, every third one asynchronously, the others each on a thread of its own. The first one
  /// begins its work when all others wait for it.
  func run(_ bodies: [Body]) async throws -> [Result<Void, any Error>] {
    let outcomes = Mutex<[Int: Result<Void, any Error>]>([:])
    let isBegun = Mutex(false)
    let go = DispatchSemaphore(value: 0)
    for (index, body) in bodies.enumerated() {
      let gated: Body = { writer in
        if index == 0 {
          let isRepeated = isBegun.withLock { begun in
            defer { begun = true }
            return begun
          }
          if !isRepeated { go.wait() }
        }
        try body(writer)
      }
      start(gated, onWriterThread: index % 3 == 2) { result in outcomes.withLock { $0[index] = result } }
      // Never blocks its thread: there are few of them for all tests.
      while index == 0 ? !isBegun.withLock({ $0 }) : store.environment.waitingWriters < index {
        try await Task.sleep(nanoseconds: 100_000)
      }
    }
    go.signal()
    while outcomes.withLock({ $0.count }) < bodies.count { try await Task.sleep(nanoseconds: 100_000) }
    return outcomes.withLock { found in bodies.indices.map { found[$0] ?? .failure(CancellationError()) } }
  }

  private func start(
    _ body: @escaping Body, onWriterThread: Bool,
    _ answer: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    let store = store
    if onWriterThread {
      Task {
        do {
          try await store.write(body)
          answer(.success(()))
        } catch {
          answer(.failure(error))
        }
      }
    } else {
      DispatchQueue(label: "writer").async { answer(Result { try store.write(body) }) }
    }
  }

  /// The last transaction of LMDB.
  /// The number of the last transaction, of LMDB's or of the journal's.
  func transaction() throws -> UInt64 { try store.environment.lastTransaction }
}

/// Runs a body on so many threads at once, and waits for all.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
  let failure = Mutex<(any Error)?>(nil)
  let all = DispatchGroup()
  for number in 0..<count {
    DispatchQueue(label: "thread \(number)").async(group: all) {
      do { try body(number) } catch { failure.withLock { $0 = error } }
    }
  }
  all.wait()
  if let error = failure.withLock({ $0 }) { throw error }
}

extension Store {
  /// The synchronous form, for functions in which Swift would take the asynchronous one.
  func writeHere<R>(_ body: (Writer) throws -> R) throws -> R { try write(body) }
}
