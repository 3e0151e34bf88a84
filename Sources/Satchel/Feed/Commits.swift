import SatchelStorage

/// The commits of a store, by whatever process, as they happen: ``MessageStore/commits(after:)``.
///
/// Each iterator reads the change log on its own and on demand; what nobody has asked for yet is in no queue. It never ends
/// by itself: it throws `logTrimmed` when the log has lost what comes next, `closed` when the store has been closed, and
/// `CancellationError` in a task that is cancelled.
public struct Commits: AsyncSequence, Sendable {
  public typealias Element = Commit

  let store: MessageStore
  let start: Result<UInt64, any Error>

  public func makeAsyncIterator() -> Iterator { Iterator(store: store, start: start) }

  /// A place in the change log.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private let store: MessageStore
    private let start: Result<UInt64, any Error>
    private var cursor: FeedCursor?
    private var isOver = false

    init(store: MessageStore, start: Result<UInt64, any Error>) {
      self.store = store
      self.start = start
    }

    /// The next commit that has changed something, once it has happened; nil only after an error.
    public mutating func next() async throws -> Commit? {
      guard !isOver else { return nil }
      do {
        // Taken out, so that what it holds is not copied to be changed.
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
