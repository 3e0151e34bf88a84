import SatchelReading
import SatchelStorage

/// A reader of a store's commits that is registered under a name. The store keeps the commits that the consumer has not
/// acknowledged, even after the process has ended.
///
/// ```swift
/// let consumer = try store.consumer(named: "search index")
/// for try await event in consumer {
///   switch event {
///   case .commit(let commit): index.apply(commit)
///   case .snapshot: index.rebuild(from: store)
///   }
///   try await consumer.acknowledge(event.sequence)
/// }
/// ```
///
/// An iterator begins after the commit that was last acknowledged when the iterator is first asked for an event: a
/// commit that was delivered but not acknowledged before a crash is delivered again. The log keeps at most 10,000
/// commits or 16 MB of them for a consumer; a consumer that is further behind gets ``Event/snapshot(sequence:)`` and
/// continues from there.
///
/// Iteration throws `closed` if the store has been closed, `unknownConsumer` if the consumer has been unregistered, and
/// `CancellationError` in a task that is cancelled.
public struct CommitConsumer: AsyncSequence, Sendable {
  /// What a consumer receives.
  public enum Event: Sendable, Hashable {
    /// A commit that changed something.
    case commit(StoreCommit)
    /// Commits are missing, because they were more than the log keeps.
    ///
    /// Read what you need from the store, which is at this commit or a later one, and acknowledge the sequence. The
    /// commits after it follow.
    case snapshot(sequence: UInt64)

    /// The number of the commit to acknowledge once the event has been handled.
    public var sequence: UInt64 {
      switch self {
      case .commit(let commit): commit.sequence
      case .snapshot(let sequence): sequence
      }
    }
  }

  /// An element of the sequence: one event.
  public typealias Element = Event

  /// The name under which the consumer is registered.
  public let name: String
  let store: MessageStore

  /// The last commit that was acknowledged; for a new consumer, the commit that registered it.
  /// - Throws: ``SatchelError`` `unknownConsumer` if it has been unregistered; and as a read.
  public var acknowledged: UInt64 {
    get throws { try store.base.read { try Self.consumer(name, $0).readCommit } }
  }

  /// Records that the consumer has handled all commits up to this one. A commit before the last acknowledged one
  /// changes nothing.
  ///
  /// Each call is a durable commit of its own: if there are many events, acknowledge several at once.
  /// - Parameter sequence: The number of the last commit that was handled.
  /// - Throws: ``SatchelError`` `unknownConsumer`, or `invalidValue` for a commit that has not happened; and as a
  ///   write.
  public func acknowledge(_ sequence: UInt64) throws {
    try store.base.write { try $0.acknowledge(sequence, consumer: name) }
  }

  /// Records that the consumer has handled all commits up to this one, without blocking the caller's thread.
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func acknowledge(_ sequence: UInt64) async throws {
    try await store.base.write { [name] in try $0.acknowledge(sequence, consumer: name) }
  }

  /// Ends the registration: the store no longer keeps commits for the consumer.
  /// - Throws: ``SatchelError`` `unknownConsumer`; and as a write.
  public func unregister() throws {
    try store.base.write { try $0.unregisterConsumer(name) }
  }

  /// Ends the registration, without blocking the caller's thread.
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func unregister() async throws {
    try await store.base.write { [name] in try $0.unregisterConsumer(name) }
  }

  /// Returns an iterator that begins after the last acknowledged commit.
  public func makeAsyncIterator() -> Iterator { Iterator(consumer: self) }

  /// A consumer's position in the change log.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private let consumer: CommitConsumer
    private var cursor: FeedCursor?
    private var isOver = false

    init(consumer: CommitConsumer) { self.consumer = consumer }

    /// Waits for the next event and returns it. Returns nil only after an error.
    /// - Throws: ``SatchelError`` `closed` or `unknownConsumer`, and `CancellationError`; see ``CommitConsumer``.
    public mutating func next() async throws -> Event? {
      guard !isOver else { return nil }
      do {
        let name = consumer.name
        // Moved out of the property, so that changing it does not copy what it holds.
        var cursor =
          try self.cursor.take()
          ?? FeedCursor(consumer.store, after: consumer.acknowledged) {
            _ = try CommitConsumer.consumer(name, $0)
          }
        defer { self.cursor = cursor }
        switch try await cursor.next() {
        case .commit(let commit): return .commit(commit)
        case .trimmed(let last): return .snapshot(sequence: last)
        }
      } catch {
        isOver = true
        throw error
      }
    }
  }

  private static func consumer(_ name: String, _ snapshot: Snapshot) throws -> Consumer {
    guard let consumer = try snapshot.consumer(named: name) else {
      throw SatchelError(
        .unknownConsumer, "No consumer of the change log is registered under that name", ["consumer": name])
    }
    return consumer
  }
}
