import SatchelExecution
public import SatchelModel
package import SatchelPlanning
public import SatchelQuery
package import SatchelStorage
import Synchronization

/// All results of a query, told by their places: for lists of any length, of which only what is on the screen is read.
///
/// Made by `MessageStore.virtualList(of:)`. Where an index has the results in order nothing is held for them, be they ten or ten
/// million: a commit's places before and after follow from the ranks of the index and from what the log says of the
/// changed objects. Otherwise a reference and the sort values are held for each result.
///
/// The list shows what the last change set of ``changes`` has told, at first what there was when it was made: one list is
/// for one consumer. Objects are read from the store when they are asked for.
public final class VirtualList<Object: Queryable & Identifiable & Equatable>: Sendable
where Object.ID == ObjectID<Object> {
  /// How a virtual list became another.
  public struct Change: Sendable {
    /// The store's sequence after the last commit that is in it.
    public let sequence: UInt64
    /// How many results there were.
    public let totalBefore: Int
    /// How many results there are.
    public let total: Int
    /// The places that changed; empty after a reset. An update is any change of the object itself.
    public let difference: ListDifference
    /// True when more has changed than is worth telling, or than the store's log tells: begin anew with `total` rows.
    public let isReset: Bool
  }

  private let query: RankedQuery
  private let read: @Sendable (Snapshot, RowReference) throws -> Object
  private let consumer: Int
  private let shown: Mutex<(sequence: UInt64, total: Int)>

  package init(
    of query: QueryDescription, read: @escaping @Sendable (Snapshot, RowReference) throws -> Object,
    feed: LiveFeed
  ) throws {
    self.query = RankedQuery(query, feed: feed)
    self.read = read
    try self.query.load()
    let (consumer, sequence, total) = self.query.subscribe()
    self.consumer = consumer
    shown = Mutex((sequence, total))
  }

  deinit { query.stop() }

  /// How many rows the list has.
  public var total: Int { shown.withLock { $0.total } }

  /// The store's sequence after the commit that the list shows.
  public var sequence: UInt64 { shown.withLock { $0.sequence } }

  /// Why the list is not kept up to date any more; nil while it is.
  public var failure: SatchelError? { query.failure }

  /// The object at a place of the list, as the store has it now; nil when it is gone, or there is no such place.
  /// - Throws: ``SatchelError`` when the store cannot be read.
  /// - Complexity: O(log n) where an index has the results in order.
  public func object(at place: Int) throws -> Object? {
    place < .max ? try objects(at: place..<(place + 1))[0] : nil
  }

  /// The objects at some places of the list, as the store has them now; nil for each that is gone. One read of the store
  /// for all.
  public func objects(at places: Range<Int>) throws -> [Object?] {
    try query.read(consumer) { executor, results, delta in
      let total = try results.total(in: executor.snapshot)
      return try places.map { place in
        guard place >= 0, place < delta.totalBefore, let now = delta.place(after: place), now < total,
          let row = try results.rows(in: now..<(now + 1), total: total, executor).first
        else { return nil }
        return try read(executor.snapshot, row)
      }
    }
  }

  /// The next change; nil once the list fails, or the task is cancelled. The list shows it when it is given.
  ///
  /// What has happened since the last one is one change, however many commits it was.
  public func next() async -> Change? {
    while !Task.isCancelled {
      let version = query.waiters.version
      if let change = take() { return change }
      if query.waiters.isOver || failure != nil { return nil }
      await query.waiters.wait(after: version)
    }
    return nil
  }

  /// The next change if there is one; the list shows it then.
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
    public typealias Element = Change
    public typealias Failure = Never

    let list: VirtualList

    public func makeAsyncIterator() -> Changes { self }

    /// The next change.
    public mutating func next() async -> Change? { await list.next() }

    /// The next change.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Change? { await list.next() }
  }
}
