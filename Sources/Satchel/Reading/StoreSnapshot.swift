package import SatchelExecution
package import SatchelPlanning
package import SatchelReading
import SatchelStorage

/// One state of the store: all reads of a snapshot see the same objects, whatever is written meanwhile.
///
/// A snapshot is valid only inside the closure that it was passed to; inside a write, only until the next change of
/// that transaction. Using it later throws `closed`. The objects that it returns are values and stay valid.
public struct StoreSnapshot {
  package let base: Snapshot
  /// The value of `base.changes` when this snapshot began.
  private let changes: Int
  package let executor: Executor

  /// - Parameter bounds: What may be read; nil to read to the end whatever happens.
  package init(_ base: Snapshot, in bounds: ReadBounds? = nil) {
    base.bounds = bounds ?? base.bounds
    self.base = base
    changes = base.changes
    executor = Executor(base)
  }

  /// The number of commits that the store has had, of all processes: it names this state of the store. The commit that
  /// created the store is number 1.
  public var sequence: UInt64 { base.seal.commit }

  /// Returns the results of a query, in the order of the query.
  ///
  /// - Complexity: O(log n + k) index nodes and entries for k results if an index has the query's order (see
  ///   `explain`); each result also reads one record.
  /// - Throws: ``SatchelError`` `unqueryableProperty`, `unsupportedPredicate`, `unsupportedSort` or `invalidValue` for
  ///   a query that cannot be answered; `corrupted` if damage is found; `snapshotExpired` if the read outlives its
  ///   lease; `closed` if the snapshot is no longer valid.
  @_specialize(where Object == Message)
  @_specialize(where Object == Conversation)
  @_specialize(where Object == MessagePart)
  @_specialize(where Object == Record)
  public func fetch<Object: StoredObject>(_ query: Query<Object>) throws -> [Object] {
    try perform {
      let plan = try executor.plan(executor.question(query.untyped))
      let along = try Accompaniment(query.untyped, in: base)
      var objects: [Object] = []
      try executor.forEachBlock(
        plan, inAnyOrder: query.untyped.isUnordered, first: Self.largestBlock, most: Self.largestBlock
      ) { rows in
        if objects.isEmpty { objects.reserveCapacity(rows.count) }
        let order = recordOrder(of: rows, Object.kind)
        let all = ObjectRows(self, rows, order: order, along)
        guard order != nil else {
          return try Object.read(all: all) { object in
            objects.append(object)
            if objects.count % Self.leaseInterval == 0 { try base.checkBounds() }
          }
        }
        var block = ObjectBlock<Object>(all)
        try block.read()
        while let object = block.next() { objects.append(object) }
      }
      return objects
    }
  }

  /// Returns the first result of a query, or nil if there is none.
  /// - Complexity: As ``fetch(_:)`` with a limit of 1. With `before(_:)`, as ``fetch(_:)`` of the whole query.
  /// - Throws: As ``fetch(_:)``.
  public func first<Object: StoredObject>(_ query: Query<Object>) throws -> Object? {
    // `before(_:)` counts its limit from the anchor backwards, so a limit of 1 would give the last of these results.
    if case .before? = query.untyped.anchor { return try fetch(query).first }
    return try fetch(query.limit(min(query.untyped.limit ?? 1, 1))).first
  }

  /// Calls `body` with each result of a query, in the order of the query.
  ///
  /// Holds at most a few thousand results at a time. If no index has the query's order, it also holds the values that
  /// all results are sorted by. Inside a write, `body` must not change the store: the next result then throws `closed`.
  /// - Complexity: As ``fetch(_:)``.
  /// - Throws: As ``fetch(_:)``. What `body` throws is passed on.
  @_specialize(where Object == Message)
  @_specialize(where Object == Conversation)
  @_specialize(where Object == MessagePart)
  @_specialize(where Object == Record)
  public func forEach<Object: StoredObject>(_ query: Query<Object>, _ body: (Object) throws -> Void) throws {
    try perform {
      let plan = try executor.plan(executor.question(query.untyped))
      var given = 0
      var isGiving = false
      func give(_ object: Object) throws {
        try checkUnchanged()
        given += 1
        if given % Self.leaseInterval == 0 { try base.checkBounds() }
        isGiving = true
        try body(object)
        isGiving = false
      }
      // Inside a write the closure may change the objects that follow, so no more than one is read ahead.
      let most = base.isWriting ? 1 : Self.largestStreamedBlock
      let along = try Accompaniment(query.untyped, in: base)
      do {
        try executor.forEachBlock(
          plan, inAnyOrder: query.untyped.isUnordered, first: min(most, Self.firstStreamedBlock), most: most
        ) { rows in
          // If the block has a damaged row, its rows are read one by one, so that the error comes when it is that row's
          // turn.
          if rows.count > 1 {
            let order = recordOrder(of: rows, Object.kind)
            let all = ObjectRows(self, rows, order: order, along)
            // The block is consumed here: its memory is freed before the rows are read one by one.
            if try giveObjects(of: ObjectBlock<Object>(all), give) { return }
          }
          for row in rows {
            try checkUnchanged()
            try give(
              Object.read(from: ObjectReader(snapshot: self, reference: row, along: along)))
          }
        }
      } catch {
        // What the search meets after a change, such as a record that is gone, is no damage.
        if !isGiving { try checkUnchanged() }
        throw error
      }
    }
  }

  /// Reads the rows of a block and calls `body` with its objects.
  /// - Returns: False, without a call of `body`, if a row of the block is damaged or the block is too large.
  private func giveObjects<Object: StoredObject>(
    of block: consuming ObjectBlock<Object>, _ body: (Object) throws -> Void
  ) throws -> Bool {
    guard (try? block.read(atMost: Self.largestStreamedBytes)) != nil else { return false }
    while let object = block.next() { try body(object) }
    return true
  }

  /// Returns the identifiers of the results of a query, in the order of the query. Cheaper than the objects.
  /// - Complexity: As ``fetch(_:)``; holds the identifiers and up to 8 MB beside them.
  /// - Throws: As ``fetch(_:)``.
  @_specialize(where Object == Message)
  @_specialize(where Object == Conversation)
  @_specialize(where Object == MessagePart)
  @_specialize(where Object == Record)
  public func identifiers<Object: StoredObject>(_ query: Query<Object>) throws -> [Object.ID] {
    try identifiers(query.untyped) {
      Object.ID(identifier: $0, recordType: query.untyped.recordType)
    }
  }

  /// Returns the identifiers of the results of an untyped query, in the order of the query.
  /// - Complexity: As the typed form.
  /// - Throws: As ``fetch(_:)``.
  public func identifiers(_ query: QueryDescription) throws -> [String] { try identifiers(query) { $0 } }

  /// Returns the number of results of a query, with its limit and offset applied.
  ///
  /// - Complexity: O(log n) if the condition is equivalent to ranges of one index (see `explain`). Otherwise the
  ///   objects that may meet the condition are tested one by one.
  /// - Throws: As ``fetch(_:)``.
  public func count<Object: StoredObject>(_ query: Query<Object>) throws -> Int { try count(query.untyped) }

  /// Returns the number of results of an untyped query, with its limit and offset applied.
  /// - Complexity: As the typed form.
  /// - Throws: As ``fetch(_:)``.
  public func count(_ query: QueryDescription) throws -> Int {
    try perform { try executor.count(executor.plan(executor.question(query, isCount: true))) }
  }

  /// Returns the number of results that a query would have without its limit, offset and anchor.
  /// - Complexity: As `count(_:)`.
  /// - Throws: As ``fetch(_:)``.
  public func totalCount<Object: StoredObject>(_ query: Query<Object>) throws -> Int {
    var all = query.untyped
    all.limit = nil
    all.offset = 0
    all.anchor = nil
    return try count(all)
  }

  /// Returns the objects of some rows, in their order, with what a query says comes along.
  package func objects<Object: StoredObject>(
    at rows: [RowReference], of query: Query<Object>
  ) throws -> [Object] {
    let along = try Accompaniment(query.untyped, in: base)
    return try rows.map { try Object.read(from: ObjectReader(snapshot: self, reference: $0, along: along)) }
  }

  private func identifiers<Identifier>(
    _ query: QueryDescription, _ make: (String) -> Identifier
  ) throws -> [Identifier] {
    try perform {
      let plan = try executor.plan(executor.question(query))
      var identifiers: [Identifier] = []
      if query.isUnordered, query.kind == .messages {
        try executor.forEachMessage(plan, inAnyOrder: true) { record in
          identifiers.append(make(try base.identifier(of: record)))
          return true
        }
        return identifiers
      }
      try executor.forEachBlock(
        plan, inAnyOrder: query.isUnordered, first: Self.largestBlock, most: Self.largestBlock
      ) { rows in
        guard let order = recordOrder(of: rows, query.kind) else {
          for row in rows { identifiers.append(make(try executor.identifier(of: row, query.kind))) }
          return
        }
        let start = identifiers.count
        identifiers.append(contentsOf: repeatElement(make(""), count: rows.count))
        for index in order {
          identifiers[start + index] = make(try executor.identifier(of: rows[index], query.kind))
        }
      }
      return identifiers
    }
  }

  /// Returns the indices of the rows in the order in which their objects are best read; nil to read them in the order
  /// of the rows.
  private func recordOrder(of rows: [RowReference], _ kind: ObjectKind) -> [Int]? {
    kind == .messages || kind == .parts ? RecordOrder.indices(of: rows) : nil
  }

  /// Throws `closed` if the transaction that this snapshot belongs to has made changes since it began.
  func checkUnchanged() throws { try base.checkUnchanged(since: changes) }

  /// The number of results after which the lease is checked again.
  static let leaseInterval = 1024
  /// The most rows that are put into the order of their records at a time, if all their objects are kept anyway.
  private static let largestBlock = 1 << 18
  /// The number of rows in the first and in the largest block if the objects are not kept: the first results come soon,
  /// and few are held at a time.
  private static let firstStreamedBlock = 1
  private static let largestStreamedBlock = 4096
  /// The most bytes of contents, beside their records, that the objects of such a block may hold.
  private static let largestStreamedBytes = 16 << 20
}
