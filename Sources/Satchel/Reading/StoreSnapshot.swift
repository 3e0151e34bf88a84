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
  @_specialize(where Object == Message)
  @_specialize(where Object == Conversation)
  @_specialize(where Object == MessagePart)
  public func fetch<Object: StoredObject>(_ query: Query<Object>) throws -> [Object] {
    try perform {
      let plan = try executor.plan(executor.question(query.untyped))
      var objects: [Object] = []
      try executor.forEachBlock(
        plan, inAnyOrder: query.untyped.isUnordered, first: Self.largestBlock, most: Self.largestBlock
      ) { rows in
        if objects.isEmpty { objects.reserveCapacity(rows.count) }
        guard let order = recordOrder(of: rows, Object.kind) else {
          for row in rows {
            objects.append(try Object.read(from: ObjectReader(snapshot: self, reference: row)))
            if objects.count % Self.leaseInterval == 0 { try base.transaction.checkLease() }
          }
          return
        }
        var block = ObjectBlock<Object>(order: order)
        try block.read(rows, from: self)
        while let object = block.next() { objects.append(object) }
      }
      return objects
    }
  }

  /// The first result of a query, or nil.
  public func first<Object: StoredObject>(_ query: Query<Object>) throws -> Object? {
    // What comes before an anchor is counted from the anchor: there the first one is found by reading all of them.
    if case .before? = query.untyped.anchor { return try fetch(query).first }
    return try fetch(query.limit(min(query.untyped.limit ?? 1, 1))).first
  }

  /// Calls `body` with each result of a query, in order. No more than a few thousand results are held; where no index has
  /// the order, what they are sorted by is.
  @_specialize(where Object == Message)
  @_specialize(where Object == Conversation)
  @_specialize(where Object == MessagePart)
  public func forEach<Object: StoredObject>(_ query: Query<Object>, _ body: (Object) throws -> Void) throws {
    try perform {
      let plan = try executor.plan(executor.question(query.untyped))
      var given = 0
      func give(_ object: Object) throws {
        try checkUnchanged()
        given += 1
        if given % Self.leaseInterval == 0 { try base.transaction.checkLease() }
        try body(object)
      }
      // In a write the closure may change what comes next.
      let most = base.isWriting ? 1 : Self.largestStreamedBlock
      try executor.forEachBlock(
        plan, inAnyOrder: query.untyped.isUnordered, first: min(most, Self.firstStreamedBlock), most: most
      ) { rows in
        // A row that is damaged is met in its turn.
        if let order = recordOrder(of: rows, Object.kind) {
          // Its memory goes before the rows are read one by one instead.
          if try giveObjects(of: ObjectBlock<Object>(order: order), rows, give) { return }
        }
        for row in rows {
          try checkUnchanged()
          try give(Object.read(from: ObjectReader(snapshot: self, reference: row)))
        }
      }
    }
  }

  /// Reads a block and gives its objects.
  /// - Returns: False where it cannot be had as a whole: something in it is damaged, or it is too large.
  private func giveObjects<Object: StoredObject>(
    of block: consuming ObjectBlock<Object>, _ rows: [RowReference], _ body: (Object) throws -> Void
  ) throws -> Bool {
    guard (try? block.read(rows, from: self, atMost: Self.largestStreamedBytes)) != nil else { return false }
    while let object = block.next() { try body(object) }
    return true
  }

  /// The identifiers of the results of a query, in order; cheaper than the objects.
  /// - Complexity: As ``fetch(_:)``; memory for the identifiers and up to 8 MB beside them.
  @_specialize(where Object == Message)
  @_specialize(where Object == Conversation)
  @_specialize(where Object == MessagePart)
  public func identifiers<Object: StoredObject>(_ query: Query<Object>) throws -> [ObjectID<Object>] {
    try identifiers(query.untyped) { ObjectID($0) }
  }

  /// The identifiers of the results of a query, in order.
  public func identifiers(_ query: QueryDescription) throws -> [String] { try identifiers(query) { $0 } }

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
        for place in order {
          identifiers[start + place] = make(try executor.identifier(of: rows[place], query.kind))
        }
      }
      return identifiers
    }
  }

  /// The order in which the objects of some rows are best read; nil for that of the rows.
  private func recordOrder(of rows: [RowReference], _ kind: ObjectKind) -> [Int]? {
    kind == .messages || kind == .parts ? RecordOrder.places(of: rows) : nil
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

  static let leaseInterval = 1024
  /// How many rows are put into the order of their records where their objects are kept anyway.
  private static let largestBlock = 1 << 18
  /// As many where they are not: the first ones come soon, and all that are held together stay few.
  private static let firstStreamedBlock = 1
  private static let largestStreamedBlock = 4096
  /// The contents beside their records that these may hold.
  private static let largestStreamedBytes = 16 << 20
}

/// A stretch of a query's results, and how many there are in all.
public struct Page<Object: Sendable>: Sendable {
  /// The results that limit and offset leave.
  public let objects: [Object]
  /// How many there are without limit and offset.
  public let totalCount: Int
}
