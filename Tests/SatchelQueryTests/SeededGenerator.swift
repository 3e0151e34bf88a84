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

/// A generator whose seed is printed, so that a failure can be run again with `SATCHEL_SEED`.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(_ name: String = #function) {
    state = TestEnvironment.seed
    print("\(name): SATCHEL_SEED=\(state)")
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
