/// Counts the steps of an algorithm whose cost has to be bounded by a number rather than by a clock.
///
/// Programs run with ``NoStepCount``, which is nothing: within the target the generic code is specialised for it. Tests
/// count, at n, 2n and 4n.
package protocol StepCount {
  /// Notes so many steps, each of a constant cost.
  mutating func add(_ steps: Int)
}

/// Counts nothing.
package struct NoStepCount: StepCount {
  package init() {}

  @inline(__always)
  package mutating func add(_ steps: Int) {}
}
