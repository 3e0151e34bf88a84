#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A random number generator (SplitMix64) whose numbers follow from its seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// True once in `denominator` times.
  mutating func oneIn(_ denominator: Int) -> Bool { Int.random(in: 0..<denominator, using: &self) == 0 }
}

/// How random tests are set up from outside.
enum RandomTest {
  /// `SATCHEL_SEED`, or a random seed; printed, so that a failure can be repeated.
  static func seed(_ test: String = #function) -> UInt64 {
    let seed =
      ProcessInfo.processInfo.environment["SATCHEL_SEED"].flatMap(UInt64.init)
      ?? UInt64.random(in: 0...UInt64.max)
    print("\(test): SATCHEL_SEED=\(seed)")
    return seed
  }

  /// `SATCHEL_ROUNDS`, or a small number.
  static func rounds(_ standard: Int) -> Int {
    ProcessInfo.processInfo.environment["SATCHEL_ROUNDS"].flatMap(Int.init) ?? standard
  }
}
