import BenchmarkKit
import CLMDBFloor
import CSQLite
import Foundation

/// What Satchel is measured against.
enum Peers {
  /// The oldest SQLite that has what the schema and its statements need.
  private static let oldestSQLite: Int32 = 3_038_000

  /// Checks that the peers are good enough to be measured.
  static func check() throws {
    guard sqlite3_libversion_number() >= oldestSQLite else {
      throw BenchmarkError(
        "libsqlite3 is \(String(cString: sqlite3_libversion())); the statements need 3.38 or later")
    }
  }

  /// The versions of everything that a run is made of.
  static func versions() -> [String: String] {
    var versions = [
      "Swift": Versions.swift(), "SQLite": String(cString: sqlite3_libversion()),
      "LMDB": "\(MDB_VERSION_MAJOR).\(MDB_VERSION_MINOR).\(MDB_VERSION_PATCH)",
    ]
    versions["GRDB"] = Versions.dependency("grdb.swift", of: Output.defaultFolder)
    versions["Satchel"] = Versions.commit(of: (Output.defaultFolder as NSString).deletingLastPathComponent)
    return versions
  }
}
