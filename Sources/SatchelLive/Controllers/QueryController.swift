public import SatchelModel
public import SatchelQuery
import Synchronization

/// Keeps the list of a query's results, or a window of it, up to date with every commit, and says how it changed.
///
/// Made by `MessageStore.controller(for:window:)`. After `execute()` the controller follows the commits of
/// this process and of others. It shows a list of its own: reading the list takes no transaction, and the list changes
/// only between deliveries. There are three kinds of delivery, which may be used together:
///
/// - a ``delegate`` on the main actor, with the calls that a table view needs;
/// - ``changes``, an asynchronous sequence of change sets; ``observe(on:_:)`` runs a closure on an actor for each;
/// - ``LiveResults``, an observable object for SwiftUI.
///
/// With a delegate, the controller shows the list that the delegate has been told of; without one, the newest list.
/// Each change set contains the lists before and after it, so that no consumer sees a list that does not fit the
/// changes. A consumer that is slower than the commits gets several commits as one set; nothing is queued.
///
/// - Complexity: If an index has the results in order (`explain` then shows no residual and no sort), a commit costs
///   O(objects changed + window · log n), whatever the number of results n. Otherwise references and sort values of all
///   results are held, and a commit costs O(objects changed · (log n + n / 512)).
public final class QueryController<Object: Queryable & Equatable>: Sendable {
  struct Delivery: Sendable {
    /// The list that the delegate has been told of; nil before the first answer.
    var shown: LiveList<Object>?
    var hasDelegate = false
    var isScheduled = false
    var hasToldFailure = false
  }

  let live: LiveQuery<Object>
  let wanted: Mutex<LiveQuery<Object>.Specification>
  /// Held while the query or the window is changed, so that there is one change at a time.
  private let changing = Mutex(())
  let delivery = Mutex(Delivery())
  let waiters = ChangeWaiters()
  let delegateReference = DelegateReference<Object>()

  package init(
    _ specification: LiveQuery<Object>.Specification, source: LiveQuery<Object>.Source, feed: LiveFeed
  ) {
    wanted = Mutex(specification)
    live = LiveQuery(source, feed: feed)
    live.whenChanged { [weak self] in self?.listChanged() }
  }

  deinit { waiters.end() }

  // MARK: Asking

  /// The query. Change it with `setQuery(_:)`.
  public var query: Query<Object> {
    guard let query = Query<Object>(wanted.withLock { $0.query }) else { return Query() }
    return query
  }

  /// Which range of the results is held. Change it with `setWindow(_:)`.
  public var window: ListWindow { wanted.withLock { $0.window } }

  /// The properties whose changes are updates. Nil means all properties of the object, and those properties of related
  /// objects that do not change with every message; an empty set means none. Inserts, deletes and moves are always
  /// reported.
  public var updatableProperties: Set<String>? { wanted.withLock { $0.updatableProperties } }

  /// Selects the list on this thread and follows it from then on. A further call selects the list again and delivers
  /// the difference.
  ///
  /// The first list is not delivered to the delegate: read it when this method returns.
  /// - Throws: ``SatchelError`` for a query that cannot be asked, a window of no rows, a closed controller, or a closed
  ///   or damaged store; `nestedTransaction` inside a read or write of this thread.
  public func execute() throws { try change { _ in } }

  /// Selects the list without blocking the caller's actor. Returns after the delegate has been told of the difference.
  ///
  /// The first list is not delivered; on the caller's actor, the controller shows it when this method returns. A table
  /// that is drawn then, without waiting for anything else, is drawn before the first delivery.
  /// - Throws: The same errors as the synchronous form.
  public func execute(isolation: isolated (any Actor)? = #isolation) async throws {
    try await change(isolation: isolation) { _ in }
  }

  /// Sets another query and, if one is given, another window; the difference is delivered as one change set.
  ///
  /// A window around an object goes on only in a list that holds the object: give another one with the query.
  /// - Throws: ``SatchelError`` for a query that cannot be asked; the old query and window then stay.
  public func setQuery(_ query: Query<Object>, window: ListWindow? = nil) throws {
    try change { $0.set(query.untyped, window) }
  }

  /// Sets another query and, if one is given, another window; returns when the difference has been delivered to the
  /// delegate.
  /// - Throws: The same errors as the synchronous form.
  public func setQuery(_ query: Query<Object>, window: ListWindow? = nil) async throws {
    try await change { $0.set(query.untyped, window) }
  }

  /// Holds another range of the results; the difference is delivered as one change set. A ``ListWindow/tail(_:)`` begins
  /// anew, even if it is the same.
  /// - Throws: ``SatchelError`` `invalidValue` for a window of no rows, or around an object that the list does not hold;
  ///   the old window then stays.
  public func setWindow(_ window: ListWindow) throws { try change { $0.set($0.query, window) } }

  /// Holds another range of the results; returns when the difference has been delivered to the delegate.
  /// - Throws: The same errors as the synchronous form.
  public func setWindow(_ window: ListWindow) async throws { try await change { $0.set($0.query, window) } }

  /// Sets which changes are updates from now on; see ``updatableProperties``.
  /// - Throws: ``SatchelError`` `unqueryableProperty` for a name that no property has.
  public func setUpdatableProperties(_ names: Set<String>?) throws {
    try change { $0.updatableProperties = names }
  }

  /// Sets which changes are updates from now on; returns when the difference has been delivered to the delegate.
  /// - Throws: The same errors as the synchronous form.
  public func setUpdatableProperties(_ names: Set<String>?) async throws {
    try await change { $0.updatableProperties = names }
  }

  /// Stops following commits, and ends all sequences of changes and all calls of the delegate, even calls for commits
  /// that have already happened. The list stays as it is.
  public func close() {
    live.whenChanged(nil)
    waiters.end()
    live.stop()
  }

  /// Why the list is no longer kept up to date; nil while it is.
  public var failure: SatchelError? { live.failure }

  func change(_ edit: (inout LiveQuery<Object>.Specification) -> Void) throws {
    try load(edit)
    showFirst()
  }

  private func load(_ edit: (inout LiveQuery<Object>.Specification) -> Void) throws {
    try changing.withLock { _ in
      guard !waiters.isOver else {
        throw SatchelError(.closed, "The controller has been closed: make another one")
      }
      var specification = wanted.withLock { $0 }
      edit(&specification)
      try live.load(specification)
      if waiters.isOver { live.stop() }
      // Only a specification that could be loaded is kept.
      specification.place = .kept
      wanted.withLock { $0 = specification }
      delivery.withLock { $0.hasToldFailure = false }
    }
  }

  /// Shows the first list, if no list is shown yet.
  /// - Returns: True if no list was shown before.
  @discardableResult
  private func showFirst() -> Bool {
    delivery.withLock { delivery in
      guard delivery.shown == nil else { return false }
      delivery.shown = live.list
      return true
    }
  }

  @concurrent
  private func loadAside(_ edit: @Sendable (inout LiveQuery<Object>.Specification) -> Void) async throws {
    try load(edit)
  }

  func change(
    isolation: isolated (any Actor)? = nil,
    _ edit: @Sendable (inout LiveQuery<Object>.Specification) -> Void
  ) async throws {
    try await loadAside(edit)
    // This runs on the caller's actor. So on the main actor nothing is delivered between this and what the caller does
    // next.
    if !showFirst() { await deliverToDelegate() }
  }
}
