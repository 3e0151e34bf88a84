/// Counts the steps of an algorithm whose cost must be bounded by a number rather than measured by a clock.
///
/// Programs use ``NoStepCount``, which costs nothing: within a target, the generic code is specialised for it. Tests
/// count the steps for inputs of n, 2n and 4n.
@usableFromInline package protocol StepCount {
  /// Adds a number of steps, each of constant cost.
  mutating func add(_ steps: Int)
}

/// Counts nothing.
@usableFromInline package struct NoStepCount: StepCount {
  @inlinable
  package init() {}

  @inlinable @inline(__always)
  package mutating func add(_ steps: Int) {}
}
