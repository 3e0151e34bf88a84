#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Random numbers that can be had again: the seed is `SATCHEL_SEED` if that is set, and is printed.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(for test: String) {
    let seed = Self.environment("SATCHEL_SEED").flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
    print("\(test): SATCHEL_SEED=\(seed)")
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// How many rounds a random test runs: `SATCHEL_ROUNDS`, or `fallback`.
  static func rounds(_ fallback: Int) -> Int {
    environment("SATCHEL_ROUNDS").flatMap { Int($0) } ?? fallback
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
