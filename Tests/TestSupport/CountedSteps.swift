import SatchelText

/// The steps of an algorithm, counted.
package struct CountedSteps: StepCount {
  package private(set) var count = 0

  package init() {}

  package mutating func add(_ steps: Int) { count += steps }

  /// What a body takes.
  package static func of(_ body: (inout CountedSteps) -> Void) -> Int {
    var steps = CountedSteps()
    body(&steps)
    return steps.count
  }
}

/// How the cost of an input grows: the steps at n, 2n and 4n.
package struct Growth: CustomStringConvertible {
  package let steps: [Int]

  package init(_ n: Int, _ steps: (Int) -> Int) { self.steps = [n, 2 * n, 4 * n].map(steps) }

  /// True where four times the input costs no more than four times the steps, and a little.
  package var isLinear: Bool { steps[0] > 0 && Double(steps[2]) <= 4.5 * Double(steps[0]) }

  /// True where the cost is that of a sort: n log n.
  package var isOfASort: Bool { steps[0] > 0 && Double(steps[2]) <= 5.5 * Double(steps[0]) }

  package var description: String { "\(steps)" }
}
