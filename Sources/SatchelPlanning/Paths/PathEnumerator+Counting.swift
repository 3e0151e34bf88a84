import RankedKeys
import SatchelIndexing

// How many entries the runs of a path have. A count costs two descents in a tree.
extension PathEnumerator {
  /// How many runs are counted one by one. Counting hundreds of them would take longer than the page that is wanted.
  private static let mostCounted = 16

  /// Returns the number of entries of runs of an index: exact for a count, and where the runs are few; otherwise estimated from some of
  /// the runs, which lie evenly among all of them.
  func entries(of spans: [KeySpan], in tree: TreeSchema) throws -> (number: Int, isExact: Bool) {
    try entries(of: spans) { try source.count(tree, in: $0.range) }
  }

  /// As for runs of an index over words.
  func entries(of positions: [TextRange], in tree: TextTreeSchema) throws -> (number: Int, isExact: Bool) {
    try entries(of: positions) { try source.count(tree, in: $0) }
  }

  private func entries<Run>(
    of runs: [Run], counting count: (Run) throws -> Int
  ) rethrows -> (number: Int, isExact: Bool) {
    guard !isCount, runs.count > Self.mostCounted else {
      return (try runs.reduce(0) { try $0 + count($1) }, true)
    }
    var counted = 0
    for number in 0..<Self.mostCounted {
      counted += try count(runs[number * runs.count / Self.mostCounted])
    }
    return (Int(Double(counted) / Double(Self.mostCounted) * Double(runs.count)), false)
  }
}
