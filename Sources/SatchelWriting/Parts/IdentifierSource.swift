/// Makes identifiers for the objects of a write that were given none.
struct IdentifierSource {
  private var state: (seeds: (UInt64, UInt64), count: UInt64)?

  /// Returns a new unique identifier: a random UUID as text.
  mutating func next(_ environment: WriterEnvironment) -> String {
    let words = nextWords(environment)
    let high = words.0 & ~0xF000 | 0x4000
    let low = words.1 & ~(3 << 62) | 1 << 63
    return unsafe String(unsafeUninitializedCapacity: 36) { buffer in
      var offset = 0
      for index in 0..<32 {
        if index == 8 || index == 12 || index == 16 || index == 20 {
          unsafe buffer[offset] = UInt8(ascii: "-")
          offset += 1
        }
        let digit = UInt8(truncatingIfNeeded: (index < 16 ? high : low) >> UInt64(60 - 4 * (index & 15)) & 15)
        unsafe buffer[offset] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
        offset += 1
      }
      return offset
    }
  }

  /// Returns 128 random bits. The system is asked for random bits only once per write, because that takes longer than
  /// everything else about an identifier. The following words are SplitMix64 of two counters that start from those
  /// bits.
  private mutating func nextWords(_ environment: WriterEnvironment) -> (UInt64, UInt64) {
    guard environment.isRandomFromSystem else {
      return (environment.random(), environment.random())
    }
    var source = state ?? ((environment.random(), environment.random()), 0)
    let step = source.count &* 0x9E37_79B9_7F4A_7C15
    source.count += 1
    state = source
    return (Self.scramble(source.seeds.0 &+ step), Self.scramble(source.seeds.1 &+ step))
  }

  private static func scramble(_ word: UInt64) -> UInt64 {
    var word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }
}
