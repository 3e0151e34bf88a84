internal import CLMDB

/// The table of tables: what a file holds besides the databases that were asked for.
extension ReadTransaction {
  /// LMDB's own number of the table that names the others; it is always open.
  private static let mainHandle: UInt32 = 1

  /// The names of all databases of the file, and the keys of what lies among them and is none. O(databases).
  package final func databaseNames() throws(LMDBError) -> [[UInt8]] {
    var names: [[UInt8]] = []
    var cursor = try cursor(
      Database(name: "", environment: environment.number, handle: Self.mainHandle, since: 0))
    while let entry = try cursor.next() { names.append([UInt8](entry.key)) }
    return names
  }
}

extension WriteTransaction {
  /// Removes a database that nobody has open, with everything in it.
  package func removeDatabase(named name: String) throws(LMDBError) {
    guard let handle = handle.load(ordering: .relaxed) else {
      throw environment.error(.closed, "remove a database", detail: name)
    }
    var database: UInt32 = 0
    var code = mdb_dbi_open(handle, name, 0, &database)
    if code == 0 { code = mdb_drop(handle, database, 1) }
    guard code == 0 else { throw failure(code, "remove a database") }
  }
}
