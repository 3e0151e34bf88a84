internal import LMDBPages
internal import StoreFiles

/// Reads in the pages of the file, without LMDB: the snapshot of a read, or the state that a write began on.
extension ReadTransaction {
  @inline(__always)
  func find(
    _ database: Database, _ key: SearchKey, _ map: PageMap
  ) throws(LMDBError) -> UnsafeRawBufferPointer? {
    do throws(PageFault) {
      guard let value = unsafe try map.find(key, in: try tree(of: database)) else { return nil }
      noteValue()
      return unsafe value
    } catch {
      throw refused(environment.damage(error, "get"))
    }
  }

  /// Returns the tree of a database in this snapshot.
  @inline(__always)
  func tree(of database: Database) throws(PageFault) -> TreeRecord {
    guard let reader else { return .empty }
    let known = unsafe reader.trees + Int(database.handle)
    if unsafe known.pointee.snapshot == id { return unsafe known.pointee.record }
    return try lookUp(database, reader)
  }

  @inline(never)
  private func lookUp(_ database: Database, _ reader: KeptReader) throws(PageFault) -> TreeRecord {
    guard let snapshot = reader.snapshot else { return .empty }
    if database.handle == Environment.mainDatabase { return snapshot.mainTree }
    guard let record = try snapshot.map.record(named: database.name, in: snapshot.mainTree) else {
      // An open database is never removed. A snapshot from before the database was made does not have it yet.
      guard id < database.since else { throw PageFault(snapshot.mainTree.root, .treeRecord) }
      return .empty
    }
    unsafe reader.trees[Int(database.handle)] = KnownTree(snapshot: id, record: record)
    return record
  }

  /// Returns where a write finds a database that it sees unchanged.
  @inline(__always)
  func unchanged(
    _ database: Database, _ operation: StaticString
  ) throws(LMDBError) -> (map: PageMap, tree: TreeRecord)? {
    guard let pageGuard else { return nil }
    do throws(PageFault) {
      return try pageGuard.unchanged(database)
    } catch {
      throw refused(environment.damage(error, operation))
    }
  }

  /// Returns the pages that a write began on, and the tree of a database in them; nil if LMDB has to be asked.
  func stateBefore(
    _ database: Database, _ operation: StaticString
  ) throws(LMDBError) -> (map: PageMap, tree: TreeRecord)? {
    guard let pageGuard else { return nil }
    do throws(PageFault) { return try pageGuard.stateBefore(database) } catch {
      throw refused(environment.damage(error, operation))
    }
  }

  /// Looks a key up in a write that has changed nothing yet. The outer value is nil if LMDB has to be asked, the inner one if
  /// there is no such key.
  @inline(__always)
  func findUnchanged(
    _ database: Database, _ key: UnsafeRawBufferPointer
  ) throws(LMDBError) -> UnsafeRawBufferPointer?? {
    guard let unchanged = try unchanged(database, "get"), let key = unsafe SearchKey(key) else { return nil }
    do throws(PageFault) {
      let value = unsafe try unchanged.map.find(key, in: unchanged.tree)
      if unsafe value != nil { noteValue() }
      return unsafe .some(value)
    } catch {
      throw refused(environment.damage(error, "get"))
    }
  }
}
