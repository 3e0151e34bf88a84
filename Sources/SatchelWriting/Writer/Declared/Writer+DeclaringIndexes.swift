internal import RankedIndex
internal import RankedKeys
package import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel
package import SatchelReading

/// Declares and drops indexes, and builds them: some objects in each of many commits, in the order of their creation.
extension Writer {
  /// Declares an index, which is built from then on. If it is already declared in the same way, nothing changes.
  /// - Parameter replacing: True to build one beside another of the same name, and to take its place when it is complete.
  /// - Throws: ``SatchelError`` `indexDiffers` with the other definition, or the error of a definition that cannot be. In each case
  ///   nothing has changed.
  /// - Complexity: O(1); of a kind with few objects, it is built at once.
  package func declare(_ definition: DeclaredIndexEntry.Definition, replacing: Bool = false) throws {
    try flushed.read { try evaluator().check(definition, in: $0) }
    if let type = definition.recordType { try check(recordType: type, ["index": definition.name]) }
    let all = try flushed.declaredIndexes()
    let namesakes = all.filter { $0.definition.name == definition.name && $0.entry.state.isKept }
    // Of two, the later one is being built to take the place of the other.
    let isThere = namesakes.last?.definition == definition
    let refused = all.filter { $0.definition.name == definition.name && $0.entry.state == .refused }
    if isThere && refused.isEmpty { return }
    if let existing = namesakes.last, !isThere, !replacing { throw existing.conflict }
    guard let id = all.last.map({ $0.id == .max ? nil : $0.id + 1 }) ?? 0 else {
      throw SatchelError(.storeFull, "The store has no numbers left for indexes")
    }
    try flush()
    try flushed.read { try $0.check(definition, atMost: Self.fewObjects, by: evaluator()) }
    try changing {
      for former in refused { try put(former, .leaving) }
      // What is not complete is of no use any more; what is stays in use until the new one is, or is the one that is wanted.
      let complete = namesakes.first { $0.entry.state == .complete }
      for unfinished in namesakes where unfinished != complete { try put(unfinished, .leaving) }
      guard complete?.definition != definition else { return forgetDeclared() }
      let entry = DeclaredIndexEntry(definition, .building(next: 0))
      try tables.put(
        .declaredIndexes, ObjectKey.declaredIndex(id: id).bytes, entry.encode(id: id), replacing: nil)
      forgetDeclared()
      turn.grows = true
      if let record = try flushed.declaredIndexes().last {
        try build(
          record, atMost: .init(objects: Self.fewObjects, bytes: Self.manyEntries.bytes), by: evaluator())
      }
    }
  }

  /// Removes an index; its entries go in later commits.
  /// - Throws: ``SatchelError`` `unknownIndex`. Then nothing has changed.
  package func dropIndex(named name: [UInt8]) throws {
    let found = try flushed.declaredIndexes().filter {
      $0.definition.name == name && $0.entry.state != .leaving
    }
    guard !found.isEmpty else {
      throw SatchelError(
        .unknownIndex, "No index of that name is declared", ["index": String(decoding: name, as: UTF8.self)])
    }
    try flush()
    try changing {
      for record in found { try put(record, .leaving) }
      forgetDeclared()
      try removeLeaving(atMost: Self.fewObjects)
    }
  }

  /// With at most so many objects, an index is built by the write that declares it.
  private static let fewObjects = 1000

  /// Whether a declared index is being built, or one that was dropped still has entries.
  var isBuildingDeclared: Bool {
    tables.seal[.declaredIndexes].count > 0
      && ((try? flushed.declaredIndexes())?.contains { $0.entry.state.isChanging } ?? false)
  }

  /// Adds the entries of the next objects to the first index that is not complete, and removes others' that were dropped.
  func buildDeclaredIndexes(atMost room: Int) throws {
    guard isBuildingDeclared else { return }
    try removeLeaving(atMost: room)
    if try !putInEntriesAhead(), let next = try nextToBuild {
      try build(next, atMost: .init(objects: room, bytes: Self.manyEntries.bytes), by: evaluator())
    }
    // Read again now: who made the transaction asks whether more is to be built when it has ended.
    _ = try flushed.declaredIndexes()
  }

  /// Builds all of them, for a repair that has emptied all indexes. Returns their number.
  package func rebuildDeclaredIndexes(_ evaluator: (any AggregateEvaluator)?) throws -> Int {
    let all = try flushed.declaredIndexes()
    guard !all.isEmpty else { return 0 }
    guard let evaluator else {
      throw SatchelError(
        .notAvailable,
        "The store has declared indexes, which this program does not keep: repair it by one that does")
    }
    for record in all {
      if record.entry.state == .leaving {
        try tables.remove(
          .declaredIndexes, ObjectKey.declaredIndex(id: record.id).bytes, checksum: record.checksum)
      } else if record.entry.state != .refused {
        try put(record, .building(next: 0))
      }
    }
    forgetDeclared()
    try completeDeclaredIndexes(evaluator)
    return all.count
  }

  /// Builds all that are declared to their ends, at the end of an import into a new store, which nobody waits for.
  package func completeDeclaredIndexes() throws {
    guard isBuildingDeclared else { return }
    try changing { try completeDeclaredIndexes(evaluator()) }
  }

  private func completeDeclaredIndexes(_ evaluator: any AggregateEvaluator) throws {
    while let next = try nextToBuild {
      try build(next, atMost: Self.manyEntries, by: evaluator)
      try forest.flush()
    }
  }

  /// What is put in at once where nobody waits: some ten megabytes of memory.
  private static let manyEntries = EntriesAhead.Bounds(objects: 1 << 20, bytes: 16 << 20)

  private var nextToBuild: DeclaredIndexRecord? {
    get throws { try flushed.read { try EntriesAhead.next(in: $0) } }
  }

  /// Adds the entries that were made ahead, if they are of use in the state that the write has got to.
  /// - Returns: Whether objects are left for other writes.
  private func putInEntriesAhead() throws -> Bool {
    guard var ahead = entriesAhead, log.isEmpty else { return false }
    entriesAhead = nil
    let evaluator = try evaluator()
    guard let record = try nextToBuild,
      try flushed.read({ try ahead.follow(to: $0, atMost: Self.fewObjects, by: evaluator) })
    else { return false }
    try insert(ahead.entries, of: record)
    try put(record, .building(next: ahead.end))
    forgetDeclared()
    return !ahead.isLast
  }

  private func build(
    _ record: DeclaredIndexRecord, atMost bounds: EntriesAhead.Bounds, by evaluator: any AggregateEvaluator
  ) throws {
    guard case .building(let first) = record.entry.state else { return }
    let step = try flushed.read {
      try EntriesAhead(of: record, from: first, atMost: bounds, in: $0, by: evaluator)
    }
    try insert(step.entries, of: record)
    let doubles = try flushed.read {
      try $0.doubles(of: record, from: first, before: step.end, by: evaluator)
    }
    guard doubles.isEmpty || !step.isLast && doubles.count < DeclaredIndexEntry.maximumDoubles else {
      return try refuse(record, doubles)
    }
    try put(record, step.isLast ? .complete : .building(next: step.end), doubles: doubles)
    if step.isLast {
      for former in try flushed.declaredIndexes()
      where former.id < record.id && former.definition.name == record.definition.name
        && former.entry.state == .complete
      {
        try put(former, .leaving)
      }
    }
    forgetDeclared()
  }

  /// Adds entries of objects that had none.
  private func insert(_ entries: TextBatch, of record: DeclaredIndexRecord) throws {
    var changes = IndexChanges()
    if record.definition.isOfWords {
      declared.totals.add(entries, of: record.id)
      try settleDeclared(&changes)
    }
    forest.insert(entries)
    // Behind the entries, as in the tree: those are sorted.
    try apply(&changes)
  }

  private func removeLeaving(atMost room: Int) throws {
    let tree = IndexCatalog.declaredEntries.tree
    guard let record = try flushed.declaredIndexes().first(where: { $0.entry.state == .leaving }) else {
      return
    }
    let keys = try flushed.read { try $0.keys(ofDeclared: record.id, atMost: room + 1) }
    for key in keys.prefix(room) { forest.remove(tree, key) }
    guard keys.count <= room else { return }
    try tables.remove(
      .declaredIndexes, ObjectKey.declaredIndex(id: record.id).bytes, checksum: record.checksum)
    forgetDeclared()
  }

  /// Ends the build of a unique index that cannot be: its entries go in later commits, and another record says why.
  private func refuse(_ record: DeclaredIndexRecord, _ doubles: [DeclaredIndexEntry.Doubles]) throws {
    try put(record, .leaving)
    let entry = DeclaredIndexEntry(record.definition, .refused, doubles: doubles)
    if let last = try flushed.declaredIndexes().last?.id, last < .max {
      let key = ObjectKey.declaredIndex(id: last + 1).bytes
      try tables.put(.declaredIndexes, key, entry.encode(id: last + 1), replacing: nil)
    }
    forgetDeclared()
  }

  private func put(
    _ record: DeclaredIndexRecord, _ state: DeclaredIndexEntry.State,
    doubles: [DeclaredIndexEntry.Doubles] = []
  ) throws {
    try tables.put(
      .declaredIndexes, ObjectKey.declaredIndex(id: record.id).bytes,
      DeclaredIndexEntry(record.definition, state, doubles: doubles).encode(id: record.id),
      replacing: record.checksum)
  }

  private func forgetDeclared() {
    flushed.forgetDeclaredIndexes()
    declared.indexes = nil
    declared.totals = WordTotals()
  }
}
