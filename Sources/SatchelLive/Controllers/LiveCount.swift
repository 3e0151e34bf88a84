public import SatchelModel
public import SatchelQuery

/// The number of results of a query, kept up to date with every commit. No object is read for it, unless the program
/// filters the objects with a condition of its own.
///
/// Made by `MessageStore.liveCount(of:)`, which counts for the first time.
///
/// - Complexity: A commit costs O(objects changed + log n) if the results are runs of an index, as for an unread count.
///   Otherwise references to all results are held, and each changed object is tested.
public final class LiveCount<Object: Queryable & Equatable>: Sendable {
  private let live: LiveQuery<Object>
  private let waiters = ChangeWaiters()

  package init(of query: QueryDescription, source: LiveQuery<Object>.Source, feed: LiveFeed) throws {
    live = LiveQuery(source, feed: feed)
    live.whenChanged { [waiters] in waiters.wake() }
    var specification = LiveQuery<Object>.Specification(query: query, window: .all)
    specification.showsRows = false
    try live.load(specification)
  }

  deinit { waiters.end() }

  /// The number after the newest commit that has been taken in.
  public var value: Int { live.list?.total ?? 0 }

  /// Why the count is no longer kept up to date; nil while it is.
  public var failure: SatchelError? { live.failure }

  /// The count now, then each count that differs from the one before. A slow loop misses the counts in between.
  ///
  /// The sequence ends when the store is closed or the task is cancelled; until then it keeps the count alive.
  public var values: Values { Values(count: self) }

  /// An asynchronous sequence of counts.
  public struct Values: AsyncSequence, Sendable {
    /// A count.
    public typealias Element = Int
    /// Never: the sequence ends instead.
    public typealias Failure = Never

    let count: LiveCount

    /// Gives the counts to one loop; it keeps the last count that it gave.
    public struct Iterator: AsyncIteratorProtocol {
      let count: LiveCount
      var last: Int?

      /// Returns the next count that differs from the last one; nil at the end.
      public mutating func next() async -> Int? { await next(isolation: nil) }

      /// Returns the next count that differs from the last one; nil at the end.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
        while !Task.isCancelled {
          let version = count.waiters.version
          let value = count.value
          if value != last {
            last = value
            return value
          }
          if count.waiters.isOver || count.failure != nil { return nil }
          await count.waiters.wait(after: version)
        }
        return nil
      }
    }

    /// Returns an iterator of its own for each loop.
    public func makeAsyncIterator() -> Iterator { Iterator(count: count) }
  }
}
