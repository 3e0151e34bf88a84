/// Numbers that follow from a seed (SplitMix64).
struct Randomness: RandomNumberGenerator {
  private var state: UInt64

  /// The numbers of one operation for one purpose: none depends on how many others were drawn before.
  init(seed: UInt64, operation: Int, purpose: UInt64 = 0) {
    state = seed &* 0x9e37_79b9_7f4a_7c15 ^ UInt64(operation) &* 0xd1b5_4a32_d192_ed03 ^ purpose << 56
    for _ in 0..<3 { _ = next() }
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return value ^ value >> 31
  }

  /// A number below a bound, 0 if that is 0. Not from the standard library's, which may draw differently in a later version.
  mutating func below(_ bound: Int) -> Int { bound > 0 ? Int(next() % UInt64(bound)) : 0 }

  /// Whether one of so many times.
  mutating func oneIn(_ times: Int) -> Bool { below(times) == 0 }

  /// One of several.
  mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }

  /// One of several; nil if there are none.
  mutating func any<Element>(of elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[below(elements.count)]
  }
}
