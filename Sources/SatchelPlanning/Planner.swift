import SatchelQuery

/// Chooses the cheapest of all paths to a question's answer, from the exact counts of the ranked indexes.
///
/// The same question on the same snapshot has the same plan.
package struct Planner {
  package let source: any PlanningSource

  package init(source: any PlanningSource) { self.source = source }

  /// Plans a question.
  /// - Parameter exhaustive: True to find every path, for those who want to see or to choose among them. Without, the search
  ///   ends with a path that no other can beat; the one that is chosen is the same.
  package func plan(_ question: Question, exhaustive: Bool = false) throws -> Plan {
    let order = OrderMatcher(
      kind: question.kind, sort: question.isCount ? [] : question.sort,
      creationDescending: question.creationDescending)
    let condition = question.condition
    guard condition != .never, question.limit != 0 else {
      let nothing = AccessPath(
        source: .rows([]), residual: .always, ordering: .index(descending: false), cardinality: 0,
        consumed: [])
      return Plan(question: question, paths: [nothing], chosen: 0)
    }
    let enumerator = PathEnumerator(kind: question.kind, condition: condition, order: order, source: source)
    let direct = try enumerator.directPath(isCount: question.isCount)
    if !exhaustive, let direct {
      return Plan(question: question, paths: [try costed(direct, question, enumerator.conjuncts)], chosen: 0)
    }
    var paths = try enumerator.paths()
    let model = CostModel(
      kind: question.kind, source: source, limit: question.limit, offset: question.offset,
      isCount: question.isCount,
      selectivities: selectivities(of: enumerator.conjuncts, paths), conjuncts: enumerator.conjuncts)
    for place in paths.indices { paths[place].cost = try model.cost(of: paths[place]) }
    let chosen =
      direct.flatMap { direct in paths.firstIndex { $0.reads(as: direct) } }
      ?? paths.indices.min { (paths[$0].cost, $0) < (paths[$1].cost, $1) } ?? 0
    return Plan(question: question, paths: paths, chosen: chosen)
  }

  /// The path with what it costs.
  private func costed(_ path: AccessPath, _ question: Question, _ conjuncts: Conjuncts) throws -> AccessPath {
    var path = path
    path.cost = try CostModel(
      kind: question.kind, source: source, limit: question.limit, offset: question.offset,
      isCount: question.isCount, selectivities: [:], conjuncts: conjuncts
    ).cost(of: path)
    return path
  }

  /// The exact share of the objects that meets a conjunct, for each that some path ensures alone.
  private func selectivities(of conjuncts: Conjuncts, _ paths: [AccessPath]) -> [Int: Double] {
    guard let all = paths.first?.cardinality, all > 0 else { return [:] }
    var shares: [Int: Double] = [:]
    for path in paths {
      guard path.consumed.count == 1, let place = path.consumed.first else { continue }
      let share = min(1, Double(path.cardinality) / Double(all))
      shares[place] = min(shares[place] ?? 1, share)
    }
    return shares
  }
}
