import SatchelStorage

/// A reader of a store's commits that is registered under a name: what it has not acknowledged is kept for it, beyond the
/// end of the process.
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
/// Each iterator begins after the last commit that was acknowledged when it was first asked: what was delivered and not
/// acknowledged before a crash is delivered again. The log keeps at most 10,000 commits or 16 MB of them for a consumer;
/// one that is further behind gets ``Event/snapshot(sequence:)`` and goes on from there.
///
/// Iteration throws `closed` when the store has been closed, `unknownConsumer` when the consumer has been unregistered, and
/// `CancellationError` in a task that is cancelled.
public struct CommitConsumer: AsyncSequence, Sendable {
  /// What a consumer gets.
  public enum Event: Sendable, Hashable {
    /// A commit that has changed something.
    case commit(Commit)
    /// Commits are missing: they were more than the log keeps. Read what you need from the store, which is at this commit
    /// or a later one, and acknowledge the sequence; the commits after it follow.
    case snapshot(sequence: UInt64)

    /// What to acknowledge.
    public var sequence: UInt64 {
      switch self {
      case .commit(let commit): commit.sequence
      case .snapshot(let sequence): sequence
      }
    }
  }

  public typealias Element = Event

  /// The name that it is registered under.
  public let name: String
  let store: MessageStore

  /// The last commit that was acknowledged; for a new consumer the one that registered it.
  /// - Throws: ``SatchelError`` `unknownConsumer` when it has been unregistered.
  public var acknowledged: UInt64 {
    get throws { try store.base.read { try Self.consumer(name, $0).readCommit } }
  }

  /// Notes that everything up to a commit has been taken care of; an earlier commit than the last one noted changes
  /// nothing. Each call is a durable commit of its own: with many events acknowledge some at a time.
  /// - Throws: ``SatchelError`` `unknownConsumer`, or `invalidValue` for a commit that has not happened; and as a write.
  public func acknowledge(_ sequence: UInt64) throws {
    try store.base.write { try $0.acknowledge(sequence, consumer: name) }
  }

  /// Notes that everything up to a commit has been taken care of, without blocking the caller's thread.
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func acknowledge(_ sequence: UInt64) async throws {
    try await store.base.write { [name] in try $0.acknowledge(sequence, consumer: name) }
  }

  /// Ends the registration: nothing is kept for the consumer any more.
  /// - Throws: ``SatchelError`` `unknownConsumer`; and as a write.
  public func unregister() throws {
    try store.base.write { try $0.unregisterConsumer(name) }
  }

  public func makeAsyncIterator() -> Iterator { Iterator(consumer: self) }

  /// A consumer's place in the change log.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private let consumer: CommitConsumer
    private var cursor: FeedCursor?
    private var isOver = false

    init(consumer: CommitConsumer) { self.consumer = consumer }

    /// The next event, once there is one; nil only after an error.
    public mutating func next() async throws -> Event? {
      guard !isOver else { return nil }
      do {
        let name = consumer.name
        // Taken out, so that what it holds is not copied to be changed.
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
