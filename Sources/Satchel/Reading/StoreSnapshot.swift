package import SatchelExecution
import SatchelPlanning
package import SatchelStorage

/// One state of the store: every read of it sees the same objects, whatever is written meanwhile.
///
/// It is good inside the closure that gave it, one of a write until the next change. What it returns are values and stay
/// good.
public struct StoreSnapshot {
  package let base: Snapshot
  /// What `base.changes` was when this began.
  private let changes: Int
  package let executor: Executor

  package init(_ base: Snapshot) {
    self.base = base
    changes = base.changes
    executor = Executor(base)
  }

  /// How many commits the store had seen.
  public var sequence: UInt64 { base.seal.commit }

  /// The results of a query, in order.
  ///
  /// - Complexity: O(log n + k) index nodes and entries for k results where an index has the order (see `explain`);
  ///   each result reads one record.
  /// - Throws: ``SatchelError``, for a question that cannot be asked or damage that is met.
  public func fetch<Object: StoredObject>(_ query: Query<Object>) throws -> [Object] {
    var objects: [Object] = []
    try forEach(query) { objects.append($0) }
    return objects
  }

  /// The first result of a query, or nil.
  public func first<Object: StoredObject>(_ query: Query<Object>) throws -> Object? {
    // What comes before an anchor is counted from the anchor: there the first one is found by reading all of them.
    if case .before? = query.untyped.anchor { return try fetch(query).first }
    return try fetch(query.limit(min(query.untyped.limit ?? 1, 1))).first
  }

  /// Calls `body` with each result of a query, in order. The results are not held; where no index has the order, what
  /// they are sorted by is.
  public func forEach<Object: StoredObject>(_ query: Query<Object>, _ body: (Object) throws -> Void) throws {
    try perform {
      let plan = try executor.plan(executor.question(query.untyped))
      var given = 0
      try executor.forEach(plan) { row in
        try checkUnchanged()
        given += 1
        if given % Self.leaseInterval == 0 { try base.transaction.checkLease() }
        try body(Object.read(from: ObjectReader(snapshot: self, reference: row)))
        return true
      }
    }
  }

  /// The identifiers of the results of a query, in order; cheaper than the objects.
  public func identifiers<Object: StoredObject>(_ query: Query<Object>) throws -> [ObjectID<Object>] {
    try identifiers(query.untyped).map { ObjectID($0) }
  }

  /// The identifiers of the results of a query, in order.
  public func identifiers(_ query: QueryDescription) throws -> [String] {
    try perform {
      let plan = try executor.plan(executor.question(query))
      var identifiers: [String] = []
      try executor.forEach(plan) { row in
        identifiers.append(try executor.identifier(of: row, query.kind))
        return true
      }
      return identifiers
    }
  }

  /// How many results a query has, its limit and offset applied.
  ///
  /// - Complexity: O(log n) where the condition is ranges of an index (see `explain`).
  public func count<Object: StoredObject>(_ query: Query<Object>) throws -> Int { try count(query.untyped) }

  /// How many results a query has, its limit and offset applied.
  public func count(_ query: QueryDescription) throws -> Int {
    try perform { try executor.count(executor.plan(executor.question(query, isCount: true))) }
  }

  /// How many results a query would have without limit, offset and anchor.
  public func totalCount<Object: StoredObject>(_ query: Query<Object>) throws -> Int {
    var all = query.untyped
    all.limit = nil
    all.offset = 0
    all.anchor = nil
    return try count(all)
  }

  /// The results of a query together with how many there are without its limit and offset.
  public func page<Object: StoredObject>(_ query: Query<Object>) throws -> Page<Object> {
    Page(objects: try fetch(query), totalCount: try totalCount(query))
  }

  /// Throws when the transaction that this is a snapshot of has changed something since.
  func checkUnchanged() throws {
    guard base.changes == changes else {
      throw SatchelError(
        .closed,
        "The transaction has changed what the snapshot shows: read again, or fetch before you change",
        ["store": base.transaction.environment.path])
    }
  }

  private static let leaseInterval = 1024
}

/// A stretch of a query's results, and how many there are in all.
public struct Page<Object: Sendable>: Sendable {
  /// The results that limit and offset leave.
  public let objects: [Object]
  /// How many there are without limit and offset.
  public let totalCount: Int
}
