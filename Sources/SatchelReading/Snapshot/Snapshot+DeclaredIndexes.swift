package import RankedIndex
package import RankedKeys
internal import RecordStore
package import SatchelCoding
internal import SatchelIndexing

/// An index that an application has declared: its number, what it is, and how far the store has got with it.
package struct DeclaredIndexRecord: Sendable, Hashable {
  package let id: UInt32
  package let entry: DeclaredIndexEntry
  /// Which objects it may have; nil if its record type is not declared. It has none then.
  package let kind: IndexedKind?
  /// The checksum of the index's record.
  package let checksum: UInt64

  package init(id: UInt32, entry: DeclaredIndexEntry, of kind: IndexedKind?, checksum: UInt64) {
    self.id = id
    self.entry = entry
    self.kind = kind
    self.checksum = checksum
  }

  package var definition: DeclaredIndexEntry.Definition { entry.definition }
  package var name: String { String(decoding: definition.name, as: UTF8.self) }
}

/// Says which entries objects have in declared indexes. The store keeps them but knows nothing of predicates; the layer that
/// answers queries does, and every process that writes has to provide it.
package protocol IndexEvaluator: Sendable {
  /// Checks that a definition makes sense in a store.
  /// - Throws: ``SatchelError``, as a query of the same predicate and order would, and for a path through a reference.
  func check(_ index: DeclaredIndexEntry.Definition, in snapshot: Snapshot) throws

  /// Returns whether an unread message that is read may get other entries in an index.
  func dependsOnReading(_ index: DeclaredIndexEntry.Definition, user: String) throws -> Bool

  /// Prepares to say which entries the objects of a snapshot have in an index. What dictionaries have must not change while the answer
  /// is in use.
  func entries(of index: DeclaredIndexEntry.Definition, in snapshot: Snapshot) throws -> any IndexEntries
}

/// Says which entries objects of one snapshot have in a declared index.
package protocol IndexEntries: AnyObject {
  /// Returns what the entries of an object are made of: of an index of words its texts, of others the text of each entry, once. There is
  /// nothing if it does not meet the predicate. Whether the store's user can see it is not asked.
  func contents(of object: ObjectRow) throws -> [[UInt8]]

  /// Returns the entries that an object has in the index with a number, from its contents in any snapshot. Those of equal contents are equal.
  func keys(_ contents: [[UInt8]], of object: ObjectRow, in index: UInt32) -> [TextKey]

  /// Adds the entries of many objects to a batch, as those of the index with a number. It costs least if they come in the order in which
  /// their records lie.
  func add(_ objects: [ObjectRow], of index: UInt32, to batch: inout TextBatch) throws

  /// Returns those of the texts that no other object may have in a unique index: a value is there in each column, and is no list as a whole.
  func claims(of object: ObjectRow) throws -> [[UInt8]]
}

extension IndexEntries {
  /// Returns the entries that an object has in the index with a number.
  package func keys(of object: ObjectRow, in index: UInt32) throws -> [TextKey] {
    keys(try contents(of: object), of: object, in: index)
  }
}

extension Snapshot {
  /// Returns the declared indexes, by ascending number. There are few.
  package func declaredIndexes() throws -> [DeclaredIndexRecord] {
    if let knownIndexes { return knownIndexes }
    var found: [DeclaredIndexRecord] = []
    if hasDeclaredIndexes {
      try scanObjects(from: .declaredIndex(id: 0)) { key, value in
        guard case .declaredIndex(let id) = key else { return false }
        let entry = try decoding("declaredIndexes", "\(id)") { () throws(CodingError) in
          unsafe try DeclaredIndexEntry(value, id: id)
        }
        found.append(
          DeclaredIndexRecord(
            id: id, entry: entry, of: try IndexedKind(of: entry.definition, in: self),
            checksum: unsafe RecordFrame.storedChecksum(value)))
        return true
      }
    }
    knownIndexes = found
    return found
  }

  /// Makes the next call of `declaredIndexes` read them again: a write has changed them.
  package func forgetDeclaredIndexes() {
    knownIndexes = nil
    madeOfIndexes = nil
    haveIndexesChanged = true
  }

  /// What the planning layer has made of the declared indexes: kept for the reader's next reads, as long as they are the same.
  package var plannedIndexes: (any AnyObject & Sendable)? {
    get {
      if let madeOfIndexes { return madeOfIndexes }
      guard let kept = memory?.plannedIndexes, kept.table == seal[.declaredIndexes] else { return nil }
      madeOfIndexes = kept.made
      return kept.made
    }
    set {
      madeOfIndexes = newValue
      if let newValue { memory?.plannedIndexes = (seal[.declaredIndexes], newValue) }
    }
  }

  /// Whether applications have declared any, or a write may have.
  package var hasDeclaredIndexes: Bool { seal[.declaredIndexes].count > 0 || haveIndexesChanged }

  /// Whether indexes are being built, or have been dropped and still have entries.
  package func isBuildingIndexes() throws -> Bool {
    if seal[.indexBuilds].count > 0 { return true }
    return try declaredIndexes().contains { $0.entry.state.isChanging }
  }

  /// Returns the number of entries of an index.
  package func entries(ofDeclared id: UInt32) throws -> Int {
    try DeclaredKey.groups(of: id).reduce(0) {
      try $0 + forest.count(IndexCatalog.declaredEntries.tree, in: .group($1))
    }
  }
}

extension Snapshot {
  /// Returns the size of the tree that all declared indexes share, and about how many of its bytes in `data.mdb` each takes. Reads all nodes of it.
  package func sizes(ofDeclared indexes: [DeclaredIndexRecord]) throws -> (tree: TreeStatistics, bytes: [Int])
  {
    let groups = indexes.map { DeclaredKey.groups(of: $0.id) }
    let (tree, shares) = try forest.statistics(
      IndexCatalog.declaredEntries.tree, sharedBy: groups.flatMap { $0.map { .group($0) } })
    var rest = shares[...]
    let bytes = groups.map { groups in
      defer { rest = rest.dropFirst(groups.count) }
      return rest.prefix(groups.count).reduce(0, +)
    }
    return (tree, bytes)
  }
}

extension Snapshot {
  /// Returns entries of an index: all of them, if they are less than a number.
  package func keys(ofDeclared id: UInt32, atMost most: Int) throws -> [TextKey] {
    var keys: [TextKey] = []
    var cursor = try forest.cursor(IndexCatalog.declaredEntries.tree)
    for group in DeclaredKey.groups(of: id) {
      try cursor.seek(to: .before(group: group))
      while keys.count < most, try cursor.next() != nil, let key = try cursor.key(), key.group == group {
        keys.append(key)
      }
    }
    return keys
  }
}

/// The objects that a build of a declared index adds next.
package struct DeclaredIndexStep: Sendable {
  /// In the order of their creation.
  package fileprivate(set) var objects: [ObjectRow] = []
  /// The number to continue from; nil if there are no more.
  package fileprivate(set) var next: UInt64?
}

extension Snapshot {
  /// Returns objects of a kind that the store's user can see, from a creation sequence or a row on; none of no kind.
  package func declaredIndexStep(
    of kind: IndexedKind?, from first: UInt64, atMost count: Int
  ) throws -> DeclaredIndexStep {
    var step = DeclaredIndexStep()
    guard let kind else { return step }
    var rows: [Words] = []
    var cursor = try forest.cursor(kind.tree)
    try cursor.seek(to: kind.bound(from: first))
    _ = try cursor.read(into: &rows, upTo: kind.all.upper, limit: count)
    step.objects = rows.map(kind.object(of:))
    if rows.count == count, let last = step.objects.last?.number, last < .max { step.next = last + 1 }
    return step
  }

  /// Returns the object of a kind that has a creation sequence, or is in a row; nil if there is none that the store's user can see.
  package func declaredIndexObject(of kind: IndexedKind, numbered number: UInt64) throws -> ObjectRow? {
    var rows: [Words] = []
    var cursor = try forest.cursor(kind.tree)
    try cursor.seek(to: kind.bound(from: number))
    _ = try cursor.read(into: &rows, upTo: kind.all.upper, limit: 1)
    return rows.first.map(kind.object(of:)).flatMap { $0.number == number ? $0 : nil }
  }
}

extension Snapshot {
  /// Returns which part of the objects a declared index has been built for, from 0 to 1.
  package func progress(of record: DeclaredIndexRecord) throws -> Double {
    guard case .building(let next) = record.entry.state, let kind = record.kind else { return 1 }
    let all = try forest.count(kind.tree, in: kind.all)
    guard all > 0 else { return 0 }
    let done = KeyRange(lower: kind.all.lower, upper: kind.bound(from: next))
    return try Double(forest.count(kind.tree, in: done)) / Double(all)
  }
}
