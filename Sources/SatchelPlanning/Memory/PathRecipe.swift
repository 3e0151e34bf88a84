import SatchelQuery

/// Which way to the rows a plan has taken, without the values: where the same way is taken again, its runs are found and
/// counted anew.
package indirect enum PathRecipe: Sendable, Hashable {
  /// The index at a place of those of the kind.
  case scan(Int)
  /// The string tree of the property that a conjunct tests.
  case textScan(Int)
  /// The look-up of the identifiers of a conjunct.
  case lookUp(Int)
  /// The union of the alternatives of a conjunct.
  case union(Int)
  case intersection(PathRecipe, PathRecipe)
}

extension PathEnumerator {
  /// The recipe of one of this question's paths; nil for those that are not worth one.
  func recipe(of path: AccessPath) -> PathRecipe? {
    switch path.source {
    case .scan(let scan):
      return IndexDescription.all(of: kind).firstIndex { $0 === scan.index }.map { .scan($0) }
    case .textScan(let scan):
      if let place = path.consumed.first { return .textScan(place) }
      // A pattern, which the path does not ensure.
      return conjuncts.tests.first { $0.test.property == scan.property }.map { .textScan($0.offset) }
    case .rows: return path.consumed.first.map { .lookUp($0) }
    case .union: return path.consumed.first.map { .union($0) }
    case .intersection(let paths):
      guard paths.count == 2, let first = recipe(of: paths[0]), let second = recipe(of: paths[1]) else {
        return nil
      }
      return .intersection(first, second)
    case .parts: return nil
    }
  }

  /// The path of a recipe for this question's values, with its exact count; nil where they do not allow it. It is one of
  /// this question's own paths, wherever the recipe comes from.
  func path(_ recipe: PathRecipe) throws -> AccessPath? {
    switch recipe {
    case .scan(let place):
      let indexes = IndexDescription.all(of: kind)
      return indexes.indices.contains(place) ? try scan(indexes[place]) : nil
    case .textScan(let place): return try test(at: place).flatMap { try textScan(place, $0) }
    case .lookUp(let place): return try test(at: place).flatMap { try lookUp(place, $0) }
    case .union(let place): return conjuncts.list.indices.contains(place) ? try union(place) : nil
    case .intersection(let first, let second):
      guard let first = try path(first), let second = try path(second) else { return nil }
      return intersection(of: first, second)
    }
  }

  private func test(at place: Int) -> Test? {
    guard conjuncts.list.indices.contains(place), case .test(let test) = conjuncts.list[place] else {
      return nil
    }
    return test
  }
}
