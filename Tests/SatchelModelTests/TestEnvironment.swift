#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What the environment sets for random tests.
enum TestEnvironment {
  /// `SATCHEL_SEED`, or a seed of chance.
  static var seed: UInt64 {
    ProcessInfo.processInfo.environment["SATCHEL_SEED"].flatMap { UInt64($0) }
      ?? .random(in: 0...UInt64(UInt32.max))
  }

  /// `SATCHEL_RANDOM`, the number of rounds of a random test.
  static var rounds: Int {
    ProcessInfo.processInfo.environment["SATCHEL_RANDOM"].flatMap { Int($0) } ?? 2000
  }
}
