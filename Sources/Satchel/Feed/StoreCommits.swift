import SatchelStorage

/// The commits of a store, by any process, as they happen; made by ``MessageStore/commits(after:)``.
///
/// Each iterator reads the change log independently and on demand: commits that have not been asked for wait in the
/// log, not in a queue. Iteration never ends by itself. It throws `logTrimmed` if the log no longer has the next
/// commits, `closed` if the store has been closed, and `CancellationError` in a task that is cancelled.
public struct StoreCommits: AsyncSequence, Sendable {
  /// An element of the sequence: one commit.
  public typealias Element = StoreCommit

  let store: MessageStore
  let start: Result<UInt64, any Error>

  /// Returns an iterator that begins after the commit that the sequence was made with.
  public func makeAsyncIterator() -> Iterator { Iterator(store: store, start: start) }

  /// A position in the change log.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private let store: MessageStore
    private let start: Result<UInt64, any Error>
    private var cursor: FeedCursor?
    private var isOver = false

    init(store: MessageStore, start: Result<UInt64, any Error>) {
      self.store = store
      self.start = start
    }

    /// Waits for the next commit that changed something and returns it. Returns nil only after an error.
    /// - Throws: ``SatchelError`` `logTrimmed`, `closed`, or `invalidValue` if the iteration was to start after a
    ///   commit that has not happened; and `CancellationError`.
    public mutating func next() async throws -> StoreCommit? {
      guard !isOver else { return nil }
      do {
        // Moved out of the property, so that changing it does not copy what it holds.
        var cursor = try self.cursor.take() ?? FeedCursor(store, after: start.get())
        defer { self.cursor = cursor }
        switch try await cursor.next() {
        case .commit(let commit): return commit
        case .trimmed(let last):
          throw SatchelError(
            .logTrimmed, "The change log no longer reaches back that far: read the store anew",
            ["store": store.path, "after": String(cursor.trimmedAfter), "last": String(last)])
        }
      } catch {
        isOver = true
        throw error
      }
    }
  }
}
