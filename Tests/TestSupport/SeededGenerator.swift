#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A random number generator (SplitMix64) whose numbers follow from its seed: the one of all tests.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// The generator of one test. Its seed is `SATCHEL_SEED` or, without that, another one each time; it is printed, so
  /// that a failure can be repeated.
  package init(for test: String = #function) { self.init(seed: TestEnvironment.seed(for: test)) }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// Returns a number from 0 up to, not including, `bound`; 0 if there is none.
  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }

  /// Returns true once in `denominator` times.
  package mutating func oneIn(_ denominator: Int) -> Bool { below(denominator) == 0 }

  /// Returns true `share` times in a hundred.
  package mutating func percent(_ share: Int) -> Bool { below(100) < share }

  /// Returns one of the choices, of which there must be some.
  package mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }

  /// Returns one of the choices, each as often as its weight says.
  package mutating func pick<Element>(weighted choices: [(weight: Int, element: Element)]) -> Element {
    var left = below(choices.reduce(0) { $0 + $1.weight })
    for choice in choices {
      left -= choice.weight
      if left < 0 { return choice.element }
    }
    return choices[choices.count - 1].element
  }

  /// Returns a generator of its own, so that what it is used for does not change what follows.
  package mutating func fork() -> SeededGenerator { SeededGenerator(seed: next()) }
}

/// What the environment says about how tests run.
package enum TestEnvironment {
  /// Returns the number that a variable is set to; nil if it is not set, or to something else.
  package static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  /// Returns how many of something a test makes: what a variable is set to, or as many as usual.
  package static func count(_ name: String, usual: Int) -> Int { number(name).map { Int($0) } ?? usual }

  /// Returns how many rounds a random test runs: `SATCHEL_ROUNDS`, or as many as usual.
  package static func rounds(_ usual: Int) -> Int { count("SATCHEL_ROUNDS", usual: usual) }

  /// Returns `SATCHEL_SEED` or, without that, the usual seed or one of chance, and prints it with the name of the test.
  package static func seed(for test: String = #function, usual: UInt64? = nil) -> UInt64 {
    let seed = number("SATCHEL_SEED") ?? usual ?? UInt64.random(in: 0...UInt64(UInt32.max))
    print("\(test): SATCHEL_SEED=\(seed)")
    return seed
  }
}
