/// A binary heap whose first element precedes all others.
package struct BinaryHeap<Element> {
  @usableFromInline package internal(set) var elements: [Element] = []
  @usableFromInline let precedes: (Element, Element) -> Bool

  @inlinable package init(precedes: @escaping (Element, Element) -> Bool) { self.precedes = precedes }

  @inlinable package var count: Int { elements.count }
  @inlinable package var first: Element? { elements.first }

  /// Adds an element.
  /// - Complexity: O(log n).
  @inlinable package mutating func insert(_ element: Element) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard precedes(elements[child], elements[parent]) else { break }
      elements.swapAt(child, parent)
      child = parent
    }
  }

  /// Replaces the first element by another one.
  /// - Complexity: O(log n).
  @inlinable package mutating func replaceFirst(with element: Element) {
    elements[0] = element
    sink(0)
  }

  /// Removes the first element.
  /// - Complexity: O(log n).
  @inlinable package mutating func removeFirst() {
    let last = elements.removeLast()
    guard !elements.isEmpty else { return }
    elements[0] = last
    sink(0)
  }

  @inlinable mutating func sink(_ start: Int) {
    var parent = start
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < elements.count {
        if precedes(elements[child], elements[least]) { least = child }
      }
      guard least != parent else { return }
      elements.swapAt(parent, least)
      parent = least
    }
  }
}
