/// SplitMix64: the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }

  /// True with the probability of so many in a hundred.
  mutating func percent(_ share: Int) -> Bool { below(100) < share }

  mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }

  /// Picks by weight.
  mutating func pick<Element>(weighted choices: [(weight: Int, element: Element)]) -> Element {
    var left = below(choices.reduce(0) { $0 + $1.weight })
    for choice in choices {
      left -= choice.weight
      if left < 0 { return choice.element }
    }
    return choices[choices.count - 1].element
  }

  /// A generator of its own, so that what it is used for does not change what follows.
  mutating func fork() -> SeededGenerator { SeededGenerator(seed: next()) }
}
