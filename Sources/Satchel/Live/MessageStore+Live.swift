import SatchelPlanning

// Queries that are kept up to date with the commits of every process.
extension MessageStore {
  /// Returns a controller for the list of a query's results, or for a window of that list.
  ///
  /// Nothing is read until `execute()`, which loads the list and then keeps it up to date.
  ///
  /// ```swift
  /// let controller = store.controller(
  ///   for: Conversation.order { $0.lastMessage.receivedAt.descending }, window: .first(25))
  /// controller.delegate = self
  /// try controller.execute()
  /// ```
  /// - Parameters:
  ///   - query: The query whose results are listed. Its limit and offset decide which results the list has at all; it
  ///     must have no anchor.
  ///   - window: The part of the list that is held and whose changes are reported.
  ///   - sectionKey: The key path whose values divide the rows into sections; the list is sorted by it first. Nil for
  ///     no sections.
  ///   - updatableProperties: The properties, as dotted key paths, whose changes are reported as updates: nil for all
  ///     properties, an empty set for none.
  ///   - isIncluded: An additional condition of the program, tested on objects that meet the query's condition, without the objects
  ///     that come along. It must
  ///     always give the same answer for equal objects. It runs on the thread that brings the list up to date, which
  ///     may be any thread, and must not use the store. With such a condition, references to all results are held.
  public func controller<Object: StoredObject>(
    for query: Query<Object>, window: ListWindow = .all, sectionKey: String? = nil,
    updatableProperties: Set<String>? = nil, where isIncluded: (@Sendable (Object) -> Bool)? = nil
  ) -> QueryController<Object> {
    var specification = LiveQuery<Object>.Specification(query: query.untyped, window: window)
    specification.sectionKey = sectionKey
    specification.updatableProperties = updatableProperties
    return QueryController(specification, source: .reading(where: isIncluded), feed: live)
  }

  /// Returns an observable list for SwiftUI. It loads by itself, and the views that read it are updated with it.
  /// - Parameters: As ``controller(for:window:sectionKey:updatableProperties:where:)``.
  @MainActor
  public func results<Object: StoredObject>(
    of query: Query<Object>, window: ListWindow = .all, sectionKey: String? = nil,
    updatableProperties: Set<String>? = nil, where isIncluded: (@Sendable (Object) -> Bool)? = nil
  ) -> LiveResults<Object> {
    LiveResults(
      controller(
        for: query, window: window, sectionKey: sectionKey, updatableProperties: updatableProperties,
        where: isIncluded))
  }

  /// Returns all results of a query as a list that is read by index, for lists too long to be held in memory.
  /// - Throws: ``SatchelError`` for a query that cannot be answered or that has a limit, an offset or an anchor, and if
  ///   the store cannot be read.
  public func virtualList<Object: StoredObject>(of query: Query<Object>) throws -> VirtualList<Object> {
    try VirtualList(
      of: query.untyped, read: LiveQuery<Object>.Source.reading().read, feed: live)
  }

  /// Returns the number of results of a query as a value that is kept up to date.
  ///
  /// If an index can count the results, nothing but the number is held in memory.
  /// - Parameters:
  ///   - query: The query whose results are counted.
  ///   - isIncluded: An additional condition, as in
  ///     ``controller(for:window:sectionKey:updatableProperties:where:)``.
  /// - Throws: ``SatchelError`` for a query that cannot be answered, and if the store cannot be read.
  public func liveCount<Object: StoredObject>(
    of query: Query<Object>, where isIncluded: (@Sendable (Object) -> Bool)? = nil
  ) throws -> LiveCount<Object> {
    try LiveCount(of: query.untyped, source: .reading(where: isIncluded), feed: live)
  }

  /// Returns an observer of one object, which need not exist yet. A conversation of the user is observed from its
  /// beginning, although queries show it only once it has a message.
  /// - Throws: ``SatchelError`` if the store cannot be read.
  public func observe<Object: StoredObject>(_ id: ObjectID<Object>) throws -> ObjectObserver<Object> {
    try observer(of: id)
  }

  /// Returns an observer of one record, which need not exist yet.
  /// - Throws: ``SatchelError`` if its type is not declared, and if the store cannot be read.
  public func observe(_ id: Record.ID) throws -> ObjectObserver<Record> { try observer(of: id) }

  private func observer<Object: StoredObject>(of id: some StoredIdentifier) throws -> ObjectObserver<Object> {
    let predicate = QueryPredicate.comparison(.init(["identifier"], .equal, .text(id.identifier)))
    var query = Query<Object>().filter(predicate).untyped
    query.recordType = id.recordType
    var specification = LiveQuery<Object>.Specification(query: query, window: .first(1))
    specification.identifier = id.identifier
    return try ObjectObserver(
      QueryController(specification, source: .reading(), feed: live))
  }

  /// Returns all results of a query as a list that is read by index, without blocking the caller's actor: the first read runs
  /// elsewhere.
  /// - Throws: As the synchronous form.
  public func virtualList<Object: StoredObject>(of query: Query<Object>) async throws -> VirtualList<Object> {
    try synchronously { try $0.virtualList(of: query) }
  }

  /// Returns the number of results of a query as a value that is kept up to date, without blocking the caller's actor: they are
  /// counted elsewhere.
  /// - Parameters:
  ///   - query: The query whose results are counted.
  ///   - isIncluded: An additional condition, as in
  ///     ``controller(for:window:sectionKey:updatableProperties:where:)``.
  /// - Throws: As the synchronous form.
  public func liveCount<Object: StoredObject>(
    of query: Query<Object>, where isIncluded: (@Sendable (Object) -> Bool)? = nil
  ) async throws -> LiveCount<Object> {
    try synchronously { try $0.liveCount(of: query, where: isIncluded) }
  }

  /// Returns an observer of one object, which need not exist yet, without blocking the caller's actor.
  /// - Throws: As the synchronous form.
  public func observe<Object: StoredObject>(_ id: ObjectID<Object>) async throws -> ObjectObserver<Object> {
    try synchronously { try $0.observe(id) }
  }

  /// Returns an observer of one record, which need not exist yet, without blocking the caller's actor.
  /// - Throws: As the synchronous form.
  public func observe(_ id: Record.ID) async throws -> ObjectObserver<Record> {
    try synchronously { try $0.observe(id) }
  }

  /// Why the store's live queries are behind the newest commit for now; nil if they are not.
  ///
  /// A read of theirs has failed for a reason that may go by, such as too many open reads. It is tried again, ever more rarely,
  /// for half a minute. If none succeeds, the queries fail, and say so.
  public var liveQueryDelay: SatchelError? { live.delay }
}

extension LiveQuery.Source where Value: StoredObject {
  /// Makes a source that reads objects from the store.
  fileprivate static func reading(where isIncluded: (@Sendable (Value) -> Bool)? = nil) -> Self {
    Self(
      read: { snapshot, reference, along in
        try Value.read(
          from: ObjectReader(snapshot: StoreSnapshot(snapshot), reference: reference, along: along))
      }, residual: isIncluded)
  }
}
