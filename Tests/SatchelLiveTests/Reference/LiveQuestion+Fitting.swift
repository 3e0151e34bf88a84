import Satchel
import SatchelLive

extension LiveQuestion {
  /// The same question; a window around an object that is no result lies around one that is.
  /// - Parameter old: What was asked before. A window that lies around an object may go on without it.
  func fitted(to world: World, after old: LiveQuestion? = nil) throws -> LiveQuestion {
    guard case .around(let name, let before, let after) = specification.window else { return self }
    if let old, case .around(name, _, _) = old.specification.window, old.query == query { return self }
    let results = try ExpectedList.results(of: self, in: world).0
    if results.contains(where: { $0.identifier == name }) { return self }
    var fitted = self
    fitted.specification.window =
      results.isEmpty
      ? .first(1 + before) : .around(results[results.count / 2].identifier, before: before, after: after)
    return fitted
  }
}
