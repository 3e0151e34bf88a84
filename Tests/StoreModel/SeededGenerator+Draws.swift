package import TestSupport

/// Draws of the random operations, made by the standard library's method. They are not `below` and `pick`, because the
/// seeds on record for `make torture` would then stand for other operations.
extension SeededGenerator {
  /// Returns a number from 0 up to, not including, `bound`, which must be positive.
  package mutating func draw(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  /// Returns one of the elements, of which there must be some.
  package mutating func draw<T>(from elements: [T]) -> T { elements[draw(below: elements.count)] }

  /// Returns true `percent` times in a hundred.
  package mutating func chance(_ percent: Int) -> Bool { draw(below: 100) < percent }
}
