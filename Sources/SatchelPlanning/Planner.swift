import SatchelQuery

/// Chooses the cheapest of all paths to a question's answer, from the exact counts of the ranked indexes.
///
/// Without a memory, the same question on the same snapshot has the same plan.
package struct Planner {
  package let source: any PlanningSource
  /// Which ways earlier questions have taken.
  private let memory: PlanMemory?

  /// The estimated microseconds up to which a remembered way is taken without weighing the others: about what that weighing
  /// takes. So whatever the values of another question were, this one cannot lose much by them.
  private static let affordable = 40.0

  package init(source: any PlanningSource, memory: PlanMemory? = nil) {
    self.source = source
    self.memory = memory
  }

  /// Plans a question.
  /// - Parameter exhaustive: True to find every path, for those who want to see or to choose among them. Without, the search
  ///   ends with a path that no other can beat, or with the one that an earlier question of the same shape took; the one
  ///   that is chosen is the same but for the latter.
  package func plan(_ question: Question, exhaustive: Bool = false) throws -> Plan {
    let order = OrderMatcher(
      kind: question.kind, sort: question.isCount ? [] : question.sort,
      creationDescending: question.creationDescending)
    let condition = question.condition
    if condition.isNever || question.limit == 0 {
      let nothing = AccessPath(
        source: .rows([]), residual: .always, ordering: .index(descending: false), cardinality: 0,
        consumed: [])
      return Plan(question: question, paths: [nothing], chosen: 0)
    }
    let enumerator = PathEnumerator(kind: question.kind, condition: condition, order: order, source: source)
    let direct = try enumerator.directPath(isCount: question.isCount)
    if !exhaustive, let direct {
      return Plan(question: question, paths: [direct], chosen: 0)
    }
    let shape = exhaustive || memory == nil ? nil : QuestionShape(question).ifShort
    if let shape, let path = try rememberedPath(shape, question, enumerator) {
      return Plan(question: question, paths: [path], chosen: 0)
    }
    var paths = try enumerator.paths()
    let model = CostModel(
      kind: question.kind, source: source, limit: question.limit, offset: question.offset,
      isCount: question.isCount,
      selectivities: selectivities(of: enumerator.conjuncts, paths), conjuncts: enumerator.conjuncts)
    for place in paths.indices { paths[place].cost = try model.cost(of: paths[place]) }
    if let direct, !paths.contains(where: { $0.reads(as: direct) }) {
      var path = direct
      path.cost = try model.cost(of: path)
      paths.append(path)
    }
    let chosen =
      direct.flatMap { direct in paths.firstIndex { $0.reads(as: direct) } }
      ?? paths.indices.min { (paths[$0].cost, $0) < (paths[$1].cost, $1) } ?? 0
    // One that costs more would be refused when it is recalled.
    if let shape, let memory, paths[chosen].cost.microseconds <= Self.affordable,
      let recipe = enumerator.recipe(of: paths[chosen])
    {
      memory.remember(recipe, cardinality: paths[chosen].cardinality, for: shape)
    }
    return Plan(question: question, paths: paths, chosen: chosen)
  }

  /// The path that an earlier question of the same shape took, where its count is about the same and it cannot cost much.
  private func rememberedPath(
    _ shape: QuestionShape, _ question: Question, _ enumerator: PathEnumerator
  ) throws -> AccessPath? {
    guard let (recipe, planned) = memory?.recall(shape), var path = try enumerator.path(recipe),
      PlanMemory.isNear(path.cardinality, planned)
    else { return nil }
    // How many rows pass a test is another matter with other values: count on reading all of them.
    let limit = path.residual.isAlways ? question.limit : nil
    path.cost = try CostModel(
      kind: question.kind, source: source, limit: limit, offset: question.offset,
      isCount: question.isCount, selectivities: [:], conjuncts: enumerator.conjuncts
    ).cost(of: path)
    return path.cost.microseconds <= Self.affordable ? path : nil
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
