/// SplitMix64: the same numbers for the same seed, on every platform and in every release.
struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func next(below bound: Int) -> Int {
    Int(next() % UInt64(max(bound, 1)))
  }

  /// True with the probability of so many in a hundred.
  mutating func percent(_ share: Int) -> Bool {
    next(below: 100) < share
  }

  mutating func pick<C: RandomAccessCollection>(_ choices: C) -> C.Element where C.Index == Int {
    choices[choices.startIndex + next(below: choices.count)]
  }

  /// Picks by weight.
  mutating func pick<Element>(weighted choices: [(weight: Int, element: Element)]) -> Element {
    var left = next(below: choices.reduce(0) { $0 + $1.weight })
    for choice in choices {
      left -= choice.weight
      if left < 0 { return choice.element }
    }
    return choices[choices.count - 1].element
  }

  /// A generator of its own, so that what it is used for does not change what follows.
  mutating func fork() -> SeededGenerator {
    SeededGenerator(seed: next())
  }
}
