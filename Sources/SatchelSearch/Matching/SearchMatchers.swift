internal import Synchronization

/// What is made of a pattern once, when it is first needed: its condition, where the terms of an index answer it, and matchers, one for each thread that
/// reads texts at a time. Each keeps its buffers for the next text.
final class SearchMatchers: Sendable {
  /// A matcher, which whoever has taken it out has alone.
  private final class Place: @unchecked Sendable {
    var matcher: SearchMatcher

    init(_ matcher: SearchMatcher) { self.matcher = matcher }
  }

  private struct State: Sendable {
    var free: [Place] = []
    var condition: SearchCondition?
    var expression: SearchExpression?
  }

  private let tree: SearchTree
  private let state = Mutex(State())

  init(_ tree: SearchTree) { self.tree = tree }

  /// Calls `body` with a matcher of the pattern.
  func use<Result>(_ body: (inout SearchMatcher) -> Result) -> Result {
    let place = state.withLock { $0.free.popLast() } ?? Place(SearchMatcher(condition))
    let result = body(&place.matcher)
    state.withLock { $0.free.append(place) }
    return result
  }

  /// The pattern with everything folded.
  var condition: SearchCondition {
    if let condition = state.withLock(\.condition) { return condition }
    let condition = SearchCondition(tree)
    state.withLock { $0.condition = condition }
    return condition
  }

  /// Where the terms of an index answer the pattern.
  var expression: SearchExpression {
    if let expression = state.withLock(\.expression) { return expression }
    let expression = condition.expression
    state.withLock { $0.expression = expression }
    return expression
  }
}
