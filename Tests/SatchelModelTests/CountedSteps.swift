import SatchelModel

/// The steps of an algorithm, counted.
struct CountedSteps: StepCount {
  private(set) var count = 0

  mutating func add(_ steps: Int) { count += steps }

  /// What a body takes.
  static func of(_ body: (inout CountedSteps) -> Void) -> Int {
    var steps = CountedSteps()
    body(&steps)
    return steps.count
  }
}

/// How the cost of an input grows: the steps at n, 2n and 4n.
struct Growth: CustomStringConvertible {
  let steps: [Int]

  init(_ n: Int, _ steps: (Int) -> Int) { self.steps = [n, 2 * n, 4 * n].map(steps) }

  /// True where four times the input costs no more than four times the steps, and a little.
  var isLinear: Bool { steps[0] > 0 && Double(steps[2]) <= 4.5 * Double(steps[0]) }

  /// True where the cost is that of a sort: n log n.
  var isOfASort: Bool { steps[0] > 0 && Double(steps[2]) <= 5.5 * Double(steps[0]) }

  var description: String { "\(steps)" }
}
