#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A generator that repeats itself for a seed (SplitMix64).
struct Random: RandomNumberGenerator {
  private var state: UInt64

  init(state: UInt64) { self.state = state }

  /// The generator of one test, from `SATCHEL_SEED` or a new seed; the seed is printed.
  static func seeded(_ test: String) -> Random {
    let seed = setting("SATCHEL_SEED").flatMap { UInt64($0) } ?? UInt64.random(in: 0 ... .max)
    print("\(test): SATCHEL_SEED=\(seed)")
    return Random(state: seed)
  }

  /// How often a random test repeats: `LMDB_TEST_ROUNDS` times as much as usual.
  static func rounds(_ usual: Int) -> Int {
    usual * (setting("LMDB_TEST_ROUNDS").flatMap { Int($0) } ?? 1)
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  private static func setting(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
