internal import CLMDB
package import StoreFiles

/// The main table, which names all databases of a file, also those that are not open.
extension ReadTransaction {
  /// LMDB's handle of the main table, which is always open.
  private static let mainHandle: UInt32 = 1

  /// Returns all keys of the main table: the names of the databases, and the keys of entries that are not databases.
  /// O(entries of the main table).
  package final func databaseNames() throws(LMDBError) -> [[UInt8]] {
    var names: [[UInt8]] = []
    var cursor = try cursor(
      Database(name: "", environment: environment.number, handle: Self.mainHandle, since: 0))
    while let entry = unsafe try cursor.next() { unsafe names.append([UInt8](entry.key)) }
    return names
  }
}

extension LMDBWriteTransaction {
  /// Removes a database, with everything in it. Nobody may have the database open.
  package func removeDatabase(named name: String) throws(LMDBError) {
    guard let handle = unsafe handle.load(ordering: .relaxed) else {
      throw environment.error(.closed, "remove a database", detail: name)
    }
    var database: UInt32 = 0
    var code = unsafe mdb_dbi_open(handle, name, 0, &database)
    if code == 0 { code = unsafe mdb_drop(handle, database, 1) }
    guard code == 0 else { throw failure(code, "remove a database") }
  }
}
