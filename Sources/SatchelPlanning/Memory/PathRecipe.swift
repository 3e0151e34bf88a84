import SatchelIndexing
import SatchelQuery

/// An access path without the values of its question: enough to build the same path for another question of the same
/// shape. The runs are then worked out and counted from the values of that question.
package indirect enum PathRecipe: Sendable, Hashable {
  /// A scan of an index, given by its array index in `IndexCatalog.answering`.
  case scan(Int)
  /// A scan of the string tree for the property that a conjunct tests; the conjunct is given by its index.
  case textScan(Int)
  /// A scan of a declared index, given by its number.
  case declared(UInt32)
  /// A search in the one conversation that conjuncts name, by a declared index, given by its number.
  case inConversation(UInt32)
  /// A look-up of the identifiers that a conjunct names; the conjunct is given by its index.
  case lookUp(Int)
  /// The union of the alternatives of a conjunct, which is given by its index.
  case union(Int)
  /// The intersection of two paths.
  case intersection(PathRecipe, PathRecipe)
  /// All objects in the order of the only sort key's values.
  case values
}

extension PathEnumerator {
  /// Returns the recipe of one of this question's paths; nil for a path that is not worth one.
  func recipe(of path: AccessPath) -> PathRecipe? {
    switch path.source {
    case .scan(let scan):
      return IndexCatalog.answering(kind).firstIndex { $0 === scan.index }.map { .scan($0) }
    case .textScan(let scan):
      if let index = scan.declaredIndex { return .declared(index.id) }
      if let conjunct = path.consumed.first { return .textScan(conjunct) }
      // A pattern: the path does not ensure the conjunct, so that `consumed` does not name it.
      return conjuncts.tests.first { $0.test.property == scan.property }.map { .textScan($0.offset) }
        ?? .values
    case .search(let scan):
      return scan.conversation == nil ? .declared(scan.index.id) : .inConversation(scan.index.id)
    case .rows: return path.consumed.first.map { .lookUp($0) }
    case .union: return path.consumed.first.map { .union($0) }
    case .intersection(let paths):
      guard paths.count == 2, let first = recipe(of: paths[0]), let second = recipe(of: paths[1]) else {
        return nil
      }
      return .intersection(first, second)
    case .byValue(let values, _): return values.isRows ? nil : .values
    case .parts: return nil
    }
  }

  /// Builds the path of a recipe for this question's values and counts it; nil if this question does not allow the
  /// path. The result is always one of this question's own paths, whichever question the recipe comes from.
  func path(_ recipe: PathRecipe) throws -> AccessPath? {
    switch recipe {
    case .scan(let arrayIndex):
      let indexes = IndexCatalog.answering(kind)
      return indexes.indices.contains(arrayIndex) ? try scan(indexes[arrayIndex]) : nil
    case .textScan(let conjunct): return try test(at: conjunct).flatMap { try textScan(conjunct, $0) }
    case .declared(let id):
      return try source.declaredIndexes(of: kind).first { $0.id == id }.flatMap { try declaredScan($0) }
    case .inConversation(let id):
      return try path(.declared(id)).flatMap { try inConversation($0) }
    case .lookUp(let conjunct): return try test(at: conjunct).flatMap { try lookUp(conjunct, $0) }
    case .union(let conjunct): return conjuncts.list.indices.contains(conjunct) ? try union(conjunct) : nil
    case .intersection(let first, let second):
      guard let first = try path(first), let second = try path(second) else { return nil }
      return intersection(of: first, second)
    case .values: return try valuesScan()
    }
  }

  private func test(at index: Int) -> Test? {
    guard conjuncts.list.indices.contains(index), case .test(let test) = conjuncts.list[index] else {
      return nil
    }
    return test
  }
}
