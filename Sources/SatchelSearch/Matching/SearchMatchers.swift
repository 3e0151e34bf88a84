internal import Synchronization

/// The matchers of one pattern: one for each thread that reads texts at a time. Each keeps its buffers for the next text.
final class SearchMatchers: Sendable {
  /// A matcher, which whoever has taken it out has alone.
  private final class Place: @unchecked Sendable {
    var matcher: SearchMatcher

    init(_ matcher: SearchMatcher) { self.matcher = matcher }
  }

  private let free = Mutex<[Place]>([])

  /// Calls `body` with a matcher of the tree, which is the same in all calls.
  func use<Result>(_ tree: SearchTree, _ body: (inout SearchMatcher) -> Result) -> Result {
    let place = free.withLock { $0.popLast() } ?? Place(SearchMatcher(tree))
    let result = body(&place.matcher)
    free.withLock { $0.append(place) }
    return result
  }
}
