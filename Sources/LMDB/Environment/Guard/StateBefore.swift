internal import LMDBPages

/// The state that a write transaction began on. Until its first change it is also what the transaction sees, so that reads
/// need neither LMDB nor a check of pages for LMDB: whoever reads a `PageMap` checks what he reads.
///
/// A transaction whose changes go elsewhere changes nothing here, and the next one begins on the same state.
struct StateBefore {
  let roots: SnapshotRoots
  let map: PageMap
  /// The trees that were looked up, indexed by LMDB's handle of the database.
  private var trees: [TreeRecord?] = []

  init(_ roots: SnapshotRoots, _ map: PageMap) {
    self.roots = roots
    self.map = map
  }

  /// Returns the tree of a database, or nil if the database was made later.
  @inline(__always)
  mutating func tree(of database: Database) throws(PageFault) -> TreeRecord? {
    let index = Int(database.handle)
    if index < trees.count, let known = trees[index] { return known }
    return try lookUp(database)
  }

  @inline(never)
  private mutating func lookUp(_ database: Database) throws(PageFault) -> TreeRecord? {
    // The main table holds records of trees, which LMDB changes by itself.
    guard database.handle > Environment.mainDatabase else { return nil }
    guard let record = try map.record(named: database.name, in: roots.mainTree) else { return nil }
    while trees.count <= Int(database.handle) { trees.append(nil) }
    trees[Int(database.handle)] = record
    return record
  }
}
