import Foundation
import TestSupport

/// What the environment says about how to run.
enum TestSettings {
  /// `SATCHEL_DIFFERENTIAL_QUERIES`: how many queries are compared.
  static var queries: Int { TestEnvironment.count("SATCHEL_DIFFERENTIAL_QUERIES", usual: 400) }

  /// `SATCHEL_CORPUS`, a file in the interchange format, and `SATCHEL_USER`, whose store it becomes; nil without them.
  static var corpus: (path: String, user: String)? {
    guard let path = environment["SATCHEL_CORPUS"], let user = environment["SATCHEL_USER"],
      !path.isEmpty
    else { return nil }
    return (path, user)
  }

  /// `SATCHEL_COMPARE_PATHS=0` runs the chosen path of each query alone, on a corpus.
  static var comparesPaths: Bool { environment["SATCHEL_COMPARE_PATHS"] != "0" }

  /// `SATCHEL_ASK_SQLITE=0` leaves SQLite out, on a corpus.
  static var asksSQLite: Bool { environment["SATCHEL_ASK_SQLITE"] != "0" }

  private static var environment: [String: String] { ProcessInfo.processInfo.environment }
}
