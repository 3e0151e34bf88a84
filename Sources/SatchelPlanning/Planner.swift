import SatchelModel
import SatchelQuery

/// Chooses the cheapest access path for a question, by the exact counts of the ranked indexes.
///
/// Without a memory, the same question on the same snapshot always has the same plan.
package struct Planner {
  package let source: any PlanningSource
  /// Remembers the paths that earlier questions have taken.
  private let memory: PlanMemory?

  /// The estimated microseconds up to which a remembered path is taken without weighing the others: about as long as
  /// that weighing takes. So this question cannot lose much, whatever values the earlier question had.
  private static let affordable = 40.0
  /// The estimated microseconds above which more is looked for that could help.
  private static let costly = 20_000.0

  /// The estimated microseconds that take about as long as finding as many objects as a `ReferenceResolver` looks for.
  private static let manyTests = 500.0

  package init(source: any PlanningSource, memory: PlanMemory? = nil) {
    self.source = source
    self.memory = memory
  }

  /// Plans a question.
  /// - Parameter exhaustive: True to find every path, for callers that show the paths or choose among them. If false,
  ///   the search ends with a path that no other can beat, or with the path that an earlier question of the same shape
  ///   took. Only in the latter case may the chosen path be another one.
  package func plan(_ question: Question, exhaustive: Bool = false) throws -> Plan {
    guard question.condition.asksForRelations else { return try planReferences(question, exhaustive) }
    var few = RelationResolver(source, limit: SegmentSpans.limit)
    var resolved = question
    resolved.condition = try few.resolve(question.condition)
    var plan = try planReferences(resolved, exhaustive)
    if few.hasMore, exhaustive || plan.path.cost.microseconds > Self.costly {
      // Then it is worth finding more users than a path unites: a set of them may still lead to few objects.
      var many = RelationResolver(source, limit: PathEnumerator.mostReferences)
      resolved.condition = try many.resolve(question.condition)
      let other = try planReferences(resolved, exhaustive)
      if !many.hasMore, other.path.cost < plan.path.cost { plan = other }
    }
    plan.question = question
    return plan
  }

  /// Plans a question that asks for no relations between users, or for those of very many.
  private func planReferences(_ question: Question, _ exhaustive: Bool) throws -> Plan {
    guard !question.condition.isNever, question.limit != 0 else { return .nothing(question) }
    var resolver = ReferenceResolver(source, wanted: question.wanted)
    var resolved = question
    let isResolved =
      question.kind == .records || question.kind == .conversations && question.condition.asksForOwnStates
    if isResolved { resolved.condition = try resolver.resolve(question.condition) }
    var plan =
      resolved.condition.isNever
      ? Plan.nothing(question) : try self.plan(resolved, resolver.shares, exhaustive)
    if resolver.hasMore, plan.path.cost.microseconds > Self.manyTests {
      // Then many objects are tested, though few are wanted, as if all were.
      resolver = ReferenceResolver(source, wanted: nil)
      resolved.condition = try resolver.resolve(question.condition)
      let other = try self.plan(resolved, resolver.shares, exhaustive)
      if other.path.cost <= plan.path.cost { plan = other }
    }
    if exhaustive, isResolved, resolved.condition != question.condition {
      // Those that do not use what has been found are no better, and give the same answer.
      let others = try self.plan(question, [:], exhaustive)
      plan = plan.adding(others.paths.filter { path in !plan.paths.contains { $0.reads(as: path) } })
    }
    plan.question = question
    return plan
  }

  /// - Parameter shares: The shares of the records that pass some tests of what they refer to.
  private func plan(_ question: Question, _ shares: [Test: Double], _ exhaustive: Bool) throws -> Plan {
    let order = OrderMatcher(
      kind: question.kind, sort: question.isCount ? [] : question.sort,
      creationDescending: question.creationDescending)
    let enumerator = PathEnumerator(
      kind: question.kind, condition: question.condition, order: order, source: source,
      isCount: question.isCount)
    if let conversation = question.membersOf {
      return try plan(question, membersOf: conversation, enumerator)
    }
    let direct = try enumerator.directPath()
    if !exhaustive, let direct {
      return Plan(question: question, paths: [direct], chosen: 0)
    }
    let shape =
      exhaustive || memory == nil
      ? nil : QuestionShape(question, try source.declaredIndexes(of: question.kind)).ifShort
    if let shape, let path = try rememberedPath(shape, question, enumerator) {
      return Plan(question: question, paths: [path], chosen: 0)
    }
    var paths = try enumerator.paths()
    let model = CostModel(
      kind: question.kind, source: source, limit: question.limit, offset: question.offset,
      isCount: question.isCount,
      selectivities: selectivities(of: enumerator.conjuncts, paths, shares), conjuncts: enumerator.conjuncts)
    for index in paths.indices { paths[index].cost = try model.cost(of: paths[index]) }
    if exhaustive || paths.allSatisfy({ $0.cost.microseconds > Self.costly }) {
      // Then it is worth looking for more objects that records refer to.
      for var path in try enumerator.referenceScans(atMost: PathEnumerator.mostReferences) {
        guard !paths.contains(where: { $0.reads(as: path) }) else { continue }
        path.cost = try model.cost(of: path)
        paths.append(path)
      }
    }
    if let direct, !paths.contains(where: { $0.reads(as: direct) }) {
      var path = direct
      path.cost = try model.cost(of: path)
      paths.append(path)
    }
    let chosen =
      direct.flatMap { direct in paths.firstIndex { $0.reads(as: direct) } }
      ?? paths.indices.min { (paths[$0].cost, $0) < (paths[$1].cost, $1) } ?? 0
    // A path that costs more would be refused when it is recalled.
    if let shape, let memory, paths[chosen].cost.microseconds <= Self.affordable,
      let recipe = enumerator.recipe(of: paths[chosen])
    {
      memory.remember(recipe, cardinality: paths[chosen].cardinality, for: shape)
    }
    return Plan(question: question, paths: paths, chosen: chosen)
  }

  /// Plans a question for the members of a conversation, whose only path is the conversation's list of participants: no
  /// index of identities has those who have none.
  private func plan(
    _ question: Question, membersOf conversation: Conversation.ID, _ enumerator: PathEnumerator
  ) throws -> Plan {
    let rows = try source.members(of: conversation).map { RowReference.member($0) }
    var path = AccessPath(
      source: .rows(rows), residual: question.condition, ordering: enumerator.order.orderingByCreation,
      cardinality: rows.count, consumed: [])
    path.cost = try CostModel(
      kind: question.kind, source: source, limit: question.limit, offset: question.offset,
      isCount: question.isCount, selectivities: [:], conjuncts: enumerator.conjuncts
    ).cost(of: path)
    return Plan(question: question, paths: [path], chosen: 0)
  }

  /// Returns the path that an earlier question of the same shape took; nil if its count has changed much or it may cost
  /// too much.
  private func rememberedPath(
    _ shape: QuestionShape, _ question: Question, _ enumerator: PathEnumerator
  ) throws -> AccessPath? {
    guard let (recipe, planned) = memory?.recall(shape), var path = try enumerator.path(recipe),
      PlanMemory.isNear(path.cardinality, planned)
    else { return nil }
    // With other values, another number of rows may pass the residual: assume that all rows have to be read.
    let limit = path.residual.isAlways ? question.limit : nil
    path.cost = try CostModel(
      kind: question.kind, source: source, limit: limit, offset: question.offset,
      isCount: question.isCount, selectivities: [:], conjuncts: enumerator.conjuncts
    ).cost(of: path)
    return path.cost.microseconds <= Self.affordable ? path : nil
  }

  /// Returns the share of the objects that meets a conjunct, by index, for each conjunct that some path ensures alone, and for each test
  /// whose share is known.
  private func selectivities(
    of conjuncts: Conjuncts, _ paths: [AccessPath], _ known: [Test: Double]
  ) -> [Int: Double] {
    guard let all = paths.first?.cardinality, all > 0 else { return [:] }
    var shares: [Int: Double] = [:]
    if !known.isEmpty { for (offset, test) in conjuncts.tests { shares[offset] = known[test] } }
    for path in paths {
      guard path.consumed.count == 1, let conjunct = path.consumed.first else { continue }
      let share = min(1, path.likelyRows / Double(all))
      shares[conjunct] = min(shares[conjunct] ?? 1, share)
    }
    return shares
  }
}
