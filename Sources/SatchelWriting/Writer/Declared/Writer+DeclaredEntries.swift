internal import RankedIndex
internal import RankedKeys
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelReading

/// Keeps the entries of declared indexes in step with the objects: what each changed object had before the flush goes, and what it has
/// after it comes.
extension Writer {
  /// The declared indexes whose entries are kept.
  /// - Throws: `notAvailable` if there are some and this program cannot evaluate their predicates.
  private func declaredIndexes() throws -> [DeclaredChanges.Index] {
    if let known = declared.indexes { return known }
    var indexes: [DeclaredChanges.Index] = []
    if tables.seal[.declaredIndexes].count > 0 {
      let evaluator = try evaluator()
      for record in try flushed.declaredIndexes() where record.entry.state.isKept {
        let depends = try evaluator.dependsOnReading(record.definition, user: flushed.user)
        indexes.append(DeclaredChanges.Index(record, dependsOnReading: depends))
      }
    }
    declared.indexes = indexes
    return indexes
  }

  /// Whether any index has, or will have, entries of objects of a kind.
  func hasDeclaredIndexes(of kind: AggregateEntry.Kind) throws -> Bool {
    guard tables.seal[.declaredIndexes].count > 0 else { return false }
    return try declaredIndexes().contains { $0.record.definition.kind == kind }
  }

  /// Notes the entries of an object that is about to change. Its record, and those of what it belongs to, are still as they were.
  /// - Parameters:
  ///   - wasThere: Whether it is in the store, and the store's user can see it.
  ///   - isThere: The same after the change.
  ///   - reads: True if nothing changes but that it is read.
  func noteDeclared(_ object: ObjectRow, wasThere: Bool, isThere: Bool, reads: Bool = false) throws {
    guard tables.seal[.declaredIndexes].count > 0, wasThere || isThere else { return }
    for (place, index) in try declaredIndexes().enumerated()
    where index.takes(object) && (index.dependsOnReading || !reads) {
      var hasEntries = wasThere
      if case .message(let key) = object, index.record.definition.isOfWords, declared.left.contains(key) {
        hasEntries = false
      }
      let before = hasEntries ? try contents(of: object, at: place) : []
      declared.append(DeclaredChanges.Pending(object, at: place, before: before, isThere: isThere))
    }
  }

  /// Takes a message of the overlay out of the indexes of words: contents of it in `bodies` are about to be removed, after which the flush
  /// could not read what it had.
  func leaveWords(_ key: MessageKey) throws {
    guard tables.seal[.declaredIndexes].count > 0, let state = overlay.messages[key], state.original != nil,
      declared.left.insert(key).inserted,
      try overlay.conversations[key.conversation].map({ $0.original?.isVisible ?? false })
        ?? (key.isAnnouncement || flushed.isVisible(key.conversation))
    else { return }
    // The flush has to come to it, also if it is as it was in the end.
    state.edit { _ in }
    var changes = IndexChanges()
    for (place, index) in try declaredIndexes().enumerated()
    where index.takes(.message(key)) && index.record.definition.isOfWords {
      try change(.message(key), at: place, from: contents(of: .message(key), at: place), to: [], &changes)
    }
    declared.forgetState()
    try apply(&changes)
  }

  /// Adds what changes in the entries of the noted objects, whose new state the tables have now.
  func settleDeclared(_ changes: inout IndexChanges) throws {
    declared.forgetState()
    for change in declared.take() {
      let after = change.isThere ? try contents(of: change.object, at: change.index) : []
      // Of many changes the texts of an object are none.
      guard after != change.before else { continue }
      try self.change(change.object, at: change.index, from: change.before, to: after, &changes)
    }
    try flushed.read { try declared.totals.settle(in: $0, &changes) }
    declared.forgetState()
  }

  /// Adds what changes in the entries of an object in one index.
  private func change(
    _ object: ObjectRow, at place: Int, from before: [[UInt8]], to after: [[UInt8]],
    _ changes: inout IndexChanges
  ) throws {
    guard let index = declared.indexes?[place] else { return }
    let entries = try entries(at: place), id = index.record.id
    let (old, new) = (entries.keys(before, of: object, in: id), entries.keys(after, of: object, in: id))
    changes.change(IndexCatalog.declaredEntries.tree, old, new)
    if index.record.definition.isOfWords { declared.totals.change(id, from: old, to: new) }
    try claim(new, before: old, object, at: place)
  }

  /// Notes which new entries of an object nobody else may have.
  private func claim(_ after: [TextKey], before: [TextKey], _ object: ObjectRow, at place: Int) throws {
    guard !after.isEmpty, after != before, let index = declared.indexes?[place],
      index.record.definition.isUnique,
      let entries = index.entries
    else { return }
    for text in try entries.claims(of: object) {
      let key = TextKey(declared: index.record.id, text, object)
      if !before.contains(key) { declared.claims.append(IndexClaim(key, of: object)) }
    }
  }

  /// Checks at the end of the write that no two objects have what a unique index allows once.
  /// - Throws: ``SatchelError`` `valueExists`, which names both. The write is to be discarded then.
  func checkUnique() throws {
    guard !declared.claims.isEmpty else { return }
    try flushed.read { try $0.check(declared.claims) }
    declared.claims = []
  }

  /// Returns what the entries of an object in an index are made of, by its place, in the state that the tables have.
  private func contents(of object: ObjectRow, at place: Int) throws -> [[UInt8]] {
    try entries(at: place).contents(of: object)
  }

  /// Returns what says which entries objects have in an index, by its place.
  private func entries(at place: Int) throws -> any IndexEntries {
    let index = try declaredIndexes()[place]
    if let known = index.entries { return known }
    let entries = try flushed.read { try evaluator().entries(of: index.record.definition, in: $0) }
    declared.indexes?[place].entries = entries
    return entries
  }
}

extension Writer {
  /// Returns where the declared indexes have the entries of records of some types, and takes the lengths of those that are about to be
  /// swept out of the sums of the indexes of words.
  func rangesOfDeclared(without rows: NumberSet, ofTypes types: [UInt32]) throws -> [TextRange] {
    guard tables.seal[.declaredIndexes].count > 0 else { return [] }
    var ranges: [TextRange] = []
    for index in try declaredIndexes() {
      guard let kind = index.record.kind, kind.kind == .records, types.contains(kind.recordType) else {
        continue
      }
      let id = index.record.id
      // The sum of lengths is no object's.
      ranges += WordEntries.allCases.filter { $0 != .totalLength }.map { .group($0.group(of: id)) }
      if index.record.definition.isOfWords {
        try flushed.read { try declared.totals.remove(rows, of: id, in: $0) }
      }
    }
    var changes = IndexChanges()
    try flushed.read { try declared.totals.settle(in: $0, &changes) }
    try apply(&changes)
    return ranges
  }

  /// Adds or removes the entries of an existing object that becomes visible or ceases to be, or is about to be deleted: at once, because
  /// nothing else of it changes.
  func moveDeclared(_ object: ObjectRow, in isVisible: Bool, _ changes: inout IndexChanges) throws {
    guard tables.seal[.declaredIndexes].count > 0 else { return }
    for (place, index) in try declaredIndexes().enumerated()
    where index.takes(object) {
      let contents = try contents(of: object, at: place)
      try change(object, at: place, from: isVisible ? [] : contents, to: isVisible ? contents : [], &changes)
    }
  }
}
