import Foundation

/// What the environment says about how to run.
enum TestSettings {
  /// `SATCHEL_SEED`, or a random one; printed with what it is for, so that a failure can be run again.
  static func seed(for purpose: String) -> UInt64 {
    let seed = number("SATCHEL_SEED") ?? UInt64.random(in: 1...UInt64(UInt32.max))
    print("\(purpose): SATCHEL_SEED=\(seed)")
    return seed
  }

  /// `SATCHEL_LIVE_COMMITS`: how many commits the property test makes.
  static var commits: Int { Int(number("SATCHEL_LIVE_COMMITS") ?? 1000) }

  /// `SATCHEL_LIVE_QUERIES`: how many queries are live at any time.
  static var queries: Int { Int(number("SATCHEL_LIVE_QUERIES") ?? 32) }

  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }
}
