public import SatchelModel
public import SatchelQuery
import Synchronization

/// Keeps the list that a query gives, or a window of it, up to date with every commit, and says how it changed.
///
/// Made by `MessageStore.controller(for:window:)`. After ``execute()-(Void)`` it follows the commits of this and of other
/// processes. What it shows is a list of its own: reading it costs no transaction, and it changes only between
/// deliveries. There are three kinds of them, which may be used together:
///
/// - a ``delegate`` on the main actor, with the calls a table view needs;
/// - ``changes``, an asynchronous sequence of change sets; ``observe(on:_:)`` runs a closure on an actor for each;
/// - ``LiveResults``, an observable object for SwiftUI.
///
/// While there is a delegate, the controller shows what the delegate has been told; without one, the newest list. Each
/// change set holds the lists before and after it, so that no consumer can meet a list that does not fit. A consumer that
/// is slower than the commits gets several of them as one set; nothing queues up.
///
/// - Complexity: A commit costs O(objects changed + window · log n), whatever the number of results n, where an index has
///   the results in order (`explain` says so: no residual, no sort). Otherwise references and sort values of all results are
///   held, and a commit costs O(objects changed · (log n + n / 512)).
public final class QueryController<Object: Queryable & Identifiable & Equatable>: Sendable
where Object.ID == ObjectID<Object> {
  struct Delivery: Sendable {
    /// What the delegate has been told; nil before the first answer.
    var shown: LiveList<Object>?
    var hasDelegate = false
    var isScheduled = false
    var hasToldFailure = false
  }

  let live: LiveQuery<Object>
  let wanted: Mutex<LiveQuery<Object>.Specification>
  /// Held while something else is asked: one at a time.
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

  /// What is asked. Change it with ``setQuery(_:)-(Query<Object>)``.
  public var query: Query<Object> {
    guard let query = Query<Object>(wanted.withLock { $0.query }) else { return Query() }
    return query
  }

  /// Which stretch of the results is held. Change it with ``setWindow(_:)-(ListWindow)``.
  public var window: ListWindow { wanted.withLock { $0.window } }

  /// The properties whose changes are updates: nil for all of the object and those of related ones that do not change
  /// with every message, an empty set for none. Inserts, deletes and moves come always.
  public var updatableProperties: Set<String>? { wanted.withLock { $0.updatableProperties } }

  /// Selects the list on this thread and follows it from then on; called again, selects it anew, and delivers how that
  /// differs.
  ///
  /// The first list comes without a delivery to the delegate: read it when this returns.
  /// - Throws: ``SatchelError`` for a query that cannot be asked, a window of no rows, a closed or damaged store;
  ///   `nestedTransaction` inside a read or write of this thread.
  public func execute() throws { try change { _ in } }

  /// Selects the list without blocking the caller's actor. Returns after the delegate has been told of the difference.
  ///
  /// The first list comes without a delivery, and shows on the caller's actor when this returns. A table that is drawn
  /// then, without waiting for anything else, is drawn before the first delivery.
  /// - Throws: As the synchronous form.
  public func execute(isolation: isolated (any Actor)? = #isolation) async throws {
    try await change(isolation: isolation) { _ in }
  }

  /// Asks something else, in place of the old query: the difference is delivered as one change set.
  /// - Throws: ``SatchelError`` for a query that cannot be asked; the old one stays then.
  public func setQuery(_ query: Query<Object>) throws { try change { $0.query = query.untyped } }

  /// Asks something else; returns when the difference has been delivered to the delegate.
  public func setQuery(_ query: Query<Object>) async throws { try await change { $0.query = query.untyped } }

  /// Holds another stretch of the results: the difference is delivered as one change set.
  /// - Throws: ``SatchelError`` `invalidValue` for a window of no rows or around an object that does not exist; the old
  ///   one stays then.
  public func setWindow(_ window: ListWindow) throws { try change { $0.window = window } }

  /// Holds another stretch of the results; returns when the difference has been delivered to the delegate.
  public func setWindow(_ window: ListWindow) async throws { try await change { $0.window = window } }

  /// Says which changes are updates from now on; see ``updatableProperties``.
  /// - Throws: ``SatchelError`` `unqueryableProperty` for a name that no property has.
  public func setUpdatableProperties(_ names: Set<String>?) throws {
    try change { $0.updatableProperties = names }
  }

  /// Ends the following of commits, all sequences of changes, and the calls of the delegate, also those for what has been
  /// committed already. The list stays as it is.
  public func close() {
    live.whenChanged(nil)
    waiters.end()
    live.stop()
  }

  /// Why the list is not kept up to date any more; nil while it is.
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
      // Only what could be asked is asked from now on.
      wanted.withLock { $0 = specification }
      delivery.withLock { $0.hasToldFailure = false }
    }
  }

  /// Shows the first list, if none is shown.
  /// - Returns: Whether none was.
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
    // On the caller's actor, so that on the main actor nothing is delivered between this and what the caller does next.
    if !showFirst() { await deliverToDelegate() }
  }
}
