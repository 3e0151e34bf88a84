/// A number of messages, with their least and greatest creation sequence.
package struct SequenceRange {
  package private(set) var count: UInt64 = 0
  package private(set) var first = UInt64.max
  package private(set) var last: UInt64 = 0

  package init() {}

  package mutating func add(_ sequence: UInt64) {
    count += 1
    first = min(first, sequence)
    last = max(last, sequence)
  }

  package mutating func add(_ other: SequenceRange) {
    count += other.count
    first = min(first, other.first)
    last = max(last, other.last)
  }

  /// The range of sequences; 0...0 if there are no messages.
  package var closed: ClosedRange<UInt64> { first <= last ? first...last : 0...0 }
}
