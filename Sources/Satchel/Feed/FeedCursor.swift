import SatchelReading
import SatchelStorage

/// A position in the change log that moves forward as commits happen.
struct FeedCursor: Sendable {
  enum Element {
    case commit(StoreCommit)
    /// The entries that came next have been trimmed; the cursor is now after this commit, the last one of the store.
    case trimmed(UInt64)
  }

  private let store: MessageStore
  /// Called with each snapshot that is read; throws to end the reading.
  private let check: @Sendable (Snapshot) throws -> Void
  /// Keeps the store's thread that waits for commits alive between two waits.
  private let observation: CommitObservation
  private var position: UInt64
  /// Commits that have been read but not asked for, at most about a megabyte of the log, in reverse order: the next one
  /// is the last element.
  private var pending: [StoreCommit] = []
  /// The cursor's position before it last gave `trimmed`.
  private(set) var trimmedAfter: UInt64 = 0

  /// Makes a cursor whose next commit is the one after `position`.
  init(
    _ store: MessageStore, after position: UInt64,
    check: @escaping @Sendable (Snapshot) throws -> Void = { _ in }
  ) throws {
    self.store = store
    self.position = position
    self.check = check
    observation = try store.base.commitSignal.observe { _ in }
  }

  /// Waits for the next commit that changed something, and returns it; also while the store is suspended.
  mutating func next() async throws -> Element {
    while true {
      try Task.checkCancellation()
      if let commit = pending.popLast() { return .commit(commit) }
      let found: (batch: FeedBatch?, last: UInt64)
      do { found = try read() } catch let error as SatchelError where error.code == .suspended {
        try await store.base.commitSignal.resumed()
        continue
      }
      guard let batch = found.batch else {
        trimmedAfter = position
        position = found.last
        return .trimmed(found.last)
      }
      position = batch.position
      pending = batch.commits.reversed()
      if pending.isEmpty, let transaction = batch.lastTransaction {
        _ = try await store.base.commitSignal.next(after: transaction)
      }
    }
  }

  private func read() throws -> (FeedBatch?, last: UInt64) {
    let position = position
    return try store.base.read { snapshot in
      try check(snapshot)
      let last = snapshot.seal.commit
      guard position <= last else {
        throw SatchelError(
          .invalidValue, "The store has not come to that commit: it may be another store than the one meant",
          ["store": store.path, "after": String(position), "last": String(last)])
      }
      return (try FeedReader.read(after: position, snapshot), last)
    }
  }
}
