/// A stream of random numbers (SplitMix64) and the few distributions that a generated chat needs.
///
/// The arithmetic is on integers only: the library functions `log` and `exp` differ in the last bit from platform to
/// platform, and the same seed has to give the same bytes everywhere.
struct RandomStream {
  private var state: UInt64

  /// - Parameters:
  ///   - seed: The chat's seed.
  ///   - purpose: Distinguishes the streams of one chat, so that a change in one leaves the others as they are.
  init(seed: UInt64, purpose: UInt64) {
    state = seed &+ purpose &* 0xD1B5_4A32_D192_ED03
    state = next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed &>> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed &>> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed &>> 31
  }

  /// Returns a number in `0 ..< bound`, each equally likely; 0 if the range is empty.
  mutating func below(_ bound: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(max(0, bound))).high)
  }

  /// Returns a number in `0 ..< bound`, small ones more likely: the smaller of two.
  mutating func lowBelow(_ bound: Int) -> Int {
    min(below(bound), below(bound))
  }

  /// Returns true `count` times in a thousand.
  mutating func chance(perMille count: Int) -> Bool {
    below(1_000) < count
  }

  /// Returns an exponentially distributed number.
  ///
  /// - Parameter mean: At most 2^24.
  mutating func exponential(mean: Int) -> Int {
    // -ln u = -log2 u * ln 2, in 16 fractional bits. A random word's leading zeros are the whole part of -log2 u;
    // for the rest, log2(1 + f) is f + 0.3431 f (1 - f) within one per cent.
    let word = next() | 1
    let zeros = word.leadingZeroBitCount
    let fraction = Int(truncatingIfNeeded: (word << UInt64(zeros + 1)) &>> 48)
    let curve = (fraction * (65_536 - fraction)) >> 16
    let logarithm = (zeros + 1) << 16 - fraction - (curve * 22_485) >> 16
    return (((logarithm * 45_426) >> 16) * mean) >> 16
  }

  /// Returns a number whose logarithm is about normally distributed.
  ///
  /// - Parameters:
  ///   - median: The logarithm of the median to base 2, in 16 fractional bits.
  ///   - spread: The standard deviation of that logarithm, in the same unit, below 3 << 16.
  mutating func logNormal(median: Int, spread: Int) -> Int {
    // The sum of four uniform numbers of 16 bits is nearly normal, with this mean and deviation.
    let word = next()
    let sum = (0..<4).reduce(0) { $0 + Int(truncatingIfNeeded: word &>> UInt64(16 * $1) & 0xFFFF) }
    let exponent = max(0, median + (sum - 131_070) * spread / 37_837)
    // 2^exponent, with its fractional part interpolated linearly.
    return ((65_536 + exponent & 0xFFFF) << (exponent >> 16)) >> 16
  }
}
