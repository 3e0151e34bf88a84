import Foundation

/// What the environment says about how to run.
enum TestSettings {
  /// `SATCHEL_SEED`, or a random one; printed with what it is for, so that a failure can be run again.
  static func seed(for purpose: String) -> UInt64 {
    let seed = environment["SATCHEL_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64(UInt32.max))
    print("\(purpose): SATCHEL_SEED=\(seed)")
    return seed
  }

  /// `SATCHEL_DIFFERENTIAL_QUERIES`.
  static var queries: Int {
    environment["SATCHEL_DIFFERENTIAL_QUERIES"].flatMap { Int($0) } ?? 400
  }

  /// `SATCHEL_DIFFERENTIAL_ROUNDS`: how often a store is changed and compared.
  static var rounds: Int {
    environment["SATCHEL_DIFFERENTIAL_ROUNDS"].flatMap { Int($0) } ?? 8
  }

  /// `SATCHEL_CORPUS`, a file in the interchange format, and `SATCHEL_USER`, whose store it becomes; nil without them.
  static var corpus: (path: String, user: String)? {
    guard let path = environment["SATCHEL_CORPUS"], let user = environment["SATCHEL_USER"],
      !path.isEmpty
    else { return nil }
    return (path, user)
  }

  /// `SATCHEL_COMPARE_PATHS=0` runs the chosen path of each query alone, on a corpus.
  static var comparesPaths: Bool { environment["SATCHEL_COMPARE_PATHS"] != "0" }

  private static var environment: [String: String] { ProcessInfo.processInfo.environment }
}
