import SatchelExecution
public import SatchelModel
import SatchelPlanning
public import SatchelQuery
import SatchelReading
import Synchronization

/// All results of a query, addressed by rank: for lists of any length, of which only the visible rows are read.
///
/// Made by `MessageStore.virtualList(of:)`. If an index has the results in order, nothing is held for them, be they ten
/// or ten million: the ranks before and after a commit follow from the index and from what the log says about the
/// changed objects. Otherwise a reference and the sort values are held for each result.
///
/// The list shows the state after the last change that ``changes`` has given; at first, the state when the list was
/// made. So one list is for one consumer. Objects are read from the store when they are asked for.
public final class VirtualList<Object: Queryable & Equatable>: Sendable {
  /// How a virtual list changed.
  public struct Change: Sendable {
    /// The store's sequence after the last commit that the change contains.
    public let sequence: UInt64
    /// The number of results before the change.
    public let totalBefore: Int
    /// The number of results after the change.
    public let total: Int
    /// The ranks that changed, as indices of the rows; empty after a reset. Every change of the object itself is an
    /// update, and of an object that comes with it.
    public let difference: ListDifference
    /// True if more has changed than is worth reporting, or than the store's log tells: start again with `total` rows.
    public let isReset: Bool
  }

  private let query: RankedQuery
  private let read: LiveQuery<Object>.Read
  private let consumer: Int
  private let shown: Mutex<(sequence: UInt64, total: Int)>

  package init(
    of query: QueryDescription, read: @escaping LiveQuery<Object>.Read, feed: LiveFeed
  ) throws {
    self.query = RankedQuery(query, feed: feed)
    self.read = read
    try self.query.load()
    let (consumer, sequence, total) = self.query.subscribe()
    self.consumer = consumer
    shown = Mutex((sequence, total))
  }

  deinit { query.stop() }

  /// The number of rows in the list.
  public var total: Int { shown.withLock { $0.total } }

  /// The store's sequence after the commit that the list shows.
  public var sequence: UInt64 { shown.withLock { $0.sequence } }

  /// Why the list is no longer kept up to date; nil while it is.
  public var failure: SatchelError? { query.failure }

  /// Returns the object at a rank of the list, as the store has it now; nil if the object is gone, or if there is no
  /// such rank.
  /// - Throws: ``SatchelError`` if the store cannot be read.
  /// - Complexity: O(log n) if an index has the results in order, plus O(k log k) for k changed objects that the list
  ///   does not show yet.
  public func object(at rank: Int) throws -> Object? {
    rank < .max ? try objects(at: rank..<(rank + 1))[0] : nil
  }

  /// Returns the objects at a range of ranks of the list, as the store has them now; nil for each object that is gone,
  /// and for all of them if there has been a reset that the list does not show yet. All objects are read in one read of
  /// the store.
  /// - Throws: ``SatchelError`` if the store cannot be read.
  /// - Complexity: As `object(at:)`, for each of the ranks.
  public func objects(at ranks: Range<Int>) throws -> [Object?] { try objectsNow(at: ranks) }

  private func objectsNow(at ranks: Range<Int>) throws -> [Object?] {
    try query.read(consumer) { executor, results, delta in
      let along = try Accompaniment(query.query, in: executor.snapshot)
      let total = try results.total(in: executor.snapshot)
      return try ranks.map { rank in
        guard rank >= 0, rank < delta.totalBefore, let now = delta.rank(after: rank), now < total,
          let row = try results.rows(in: now..<(now + 1), total: total, executor).first
        else { return nil }
        return try read(executor.snapshot, row, along)
      }
    }
  }

  /// Returns the object at a rank of the list, without blocking the caller's actor.
  /// - Throws: As the synchronous form.
  /// - Complexity: As the synchronous form.
  public func object(at rank: Int) async throws -> Object? {
    rank < .max ? try await objects(at: rank..<(rank + 1))[0] : nil
  }

  /// Returns the objects at a range of ranks of the list, without blocking the caller's actor.
  /// - Throws: As the synchronous form.
  /// - Complexity: As the synchronous form.
  public func objects(at ranks: Range<Int>) async throws -> [Object?] { try objectsNow(at: ranks) }

  /// Waits for the next change and returns it; nil once the list fails or the task is cancelled. The list shows the
  /// change from then on.
  ///
  /// All that has happened since the last change is one change, however many commits there were.
  public func next() async -> Change? {
    while !Task.isCancelled {
      let version = query.waiters.version
      if let change = take() { return change }
      if query.waiters.isOver || failure != nil { return nil }
      await query.waiters.wait(after: version)
    }
    return nil
  }

  /// Returns the next change if there is one; the list shows it from then on.
  package func take() -> Change? {
    shown.withLock { shown in
      guard let pending = query.take(consumer) else { return nil }
      let change = Change(
        sequence: pending.sequence, totalBefore: shown.total, total: pending.delta.totalAfter,
        difference: pending.delta.difference, isReset: pending.delta.isReset)
      shown = (pending.sequence, pending.delta.totalAfter)
      guard change.isReset || !change.difference.isEmpty else { return nil }
      return change
    }
  }

  /// The changes, for `for await`; see ``next()``.
  public var changes: Changes { Changes(list: self) }

  /// An asynchronous sequence of changes.
  public struct Changes: AsyncSequence, AsyncIteratorProtocol, Sendable {
    /// What a loop gets.
    public typealias Element = Change
    /// Never: the sequence ends instead.
    public typealias Failure = Never

    let list: VirtualList

    /// Returns an iterator of its own for each loop.
    public func makeAsyncIterator() -> Changes { self }

    /// Returns the next change; nil at the end.
    public mutating func next() async -> Change? { await list.next() }

    /// Returns the next change; nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Change? { await list.next() }
  }
}
