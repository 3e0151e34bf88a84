import SatchelPlanning
import SatchelStorage

// Queries that are kept up to date with the commits of every process.
extension MessageStore {
  /// A controller for the list that a query gives, or a window of it. Execute it to load the list and follow it.
  ///
  /// ```swift
  /// let controller = store.controller(
  ///   for: Conversation.order { $0.lastMessage.receivedAt.descending }, window: .first(25))
  /// controller.delegate = self
  /// try controller.execute()
  /// ```
  /// - Parameters:
  ///   - query: What is listed. Its limit and offset say which results there are at all; it has no anchor.
  ///   - window: Which of the results are held and reported on.
  ///   - sectionKey: The key path by whose values the rows are parted into sections; the query is sorted by it first.
  ///   - updatableProperties: The properties, as dotted key paths, whose changes are updates; nil for all, an empty set
  ///     for none.
  ///   - isIncluded: A condition of the program's own, tested on objects that meet the query's. It must always say the same
  ///     of equal objects; references to all results are then held. It runs on whatever thread brings the list up to date, and
  ///     must not use the store.
  public func controller<Object: StoredObject>(
    for query: Query<Object>, window: ListWindow = .all, sectionKey: String? = nil,
    updatableProperties: Set<String>? = nil, where isIncluded: (@Sendable (Object) -> Bool)? = nil
  ) -> QueryController<Object> {
    var specification = LiveQuery<Object>.Specification(query: query.untyped, window: window)
    specification.sectionKey = sectionKey
    specification.updatableProperties = updatableProperties
    return QueryController(specification, source: .reading(where: isIncluded), feed: live)
  }

  /// An observable list for SwiftUI: it loads by itself, and views that read it follow it.
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

  /// All results of a query as a list of places, for lists too long to be held.
  /// - Throws: ``SatchelError`` for a query that cannot be asked or has a limit, an offset or an anchor, or a store that
  ///   cannot be read.
  public func virtualList<Object: StoredObject>(of query: Query<Object>) throws -> VirtualList<Object> {
    try VirtualList(
      of: query.untyped, read: LiveQuery<Object>.Source.reading(where: nil).read, feed: live)
  }

  /// The number of results of a query, kept up to date; nothing but the number is held where an index can count.
  /// - Throws: ``SatchelError`` for a query that cannot be asked, or a store that cannot be read.
  public func liveCount<Object: StoredObject>(
    of query: Query<Object>, where isIncluded: (@Sendable (Object) -> Bool)? = nil
  ) throws -> LiveCount<Object> {
    try LiveCount(of: query.untyped, source: .reading(where: isIncluded), feed: live)
  }

  /// Follows one object, which need not exist yet.
  /// - Throws: ``SatchelError`` when the store cannot be read.
  public func observe<Object: StoredObject>(_ id: ObjectID<Object>) throws -> ObjectObserver<Object> {
    let predicate = Predicate.comparison(.init(["identifier"], .equal, .text(id.rawValue)))
    return try ObjectObserver(controller(for: Query<Object>().filter(predicate), window: .first(1)))
  }
}

extension LiveQuery.Source where Value: StoredObject {
  /// Objects as the store reads them.
  fileprivate static func reading(where isIncluded: (@Sendable (Value) -> Bool)?) -> Self {
    Self(
      read: { snapshot, reference in
        try Value.read(from: ObjectReader(snapshot: StoreSnapshot(snapshot), reference: reference))
      }, residual: isIncluded)
  }
}
