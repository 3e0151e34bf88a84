import RankedKeys
import SatchelIndexing
import SatchelModel
import SatchelQuery
import SatchelSearch

// Indexes of words: what they have of the patterns that the conjuncts search for.
extension PathEnumerator {
  /// Returns the path of an index of words for all patterns that conjuncts search its property for; nil if there are none that it helps to find.
  /// - Parameter consumed: The conjuncts that all objects of the index meet.
  func searchScan(
    _ index: DeclaredIndex, of texts: ObjectProperty, ensuring consumed: ConjunctSet,
    directly: Directness? = nil
  ) throws -> AccessPath? {
    let searches = self.searches(for: texts)
    guard !searches.isEmpty else { return nil }
    let consumed = searches.reduce(into: consumed) { $0.insert($1.offset) }
    let residual = conjuncts.remaining(without: consumed)
    if let term = searches.only?.term {
      return try termScan(index, term, consumed, residual, directly)
    }
    guard directly == nil else { return nil }
    let scan = try self.scan(index, searches)
    return AccessPath(
      source: .search(scan), residual: residual, ordering: order.orderingByCreation,
      cardinality: scan.estimate.rows, consumed: consumed)
  }

  /// Returns a path of an index of words narrowed to the one conversation that conjuncts name; nil of other paths, and if they name none.
  func inConversation(_ path: AccessPath) throws -> AccessPath? {
    guard kind == .messages else { return nil }
    var scan: SearchScan
    switch path.source {
    case .search(let found): scan = found
    case .textScan(let run):
      guard let index = run.declaredIndex, let term = run.term, let texts = index.wordsProperty else {
        return nil
      }
      scan = SearchScan(
        index: index, kind: kind, recordType: run.recordType, terms: .term(term), test: .always, doubt: [],
        patterns: searches(for: texts).map(\.pattern), estimate: SearchEstimate(entriesOfTerm: run.entries))
    default: return nil
    }
    let spans = SegmentSpans(kind: kind, conjuncts: conjuncts, source: source, memory: memory)
    guard let place = try spans.constraint(of: .conversation), place.spans.count == 1,
      let span = place.spans.first, let row = span.lower.first
    else { return nil }
    let messages = try source.count(IndexCatalog.messagePlace.tree, in: span.range)
    scan.conversation = UInt32(truncatingIfNeeded: row)
    scan.estimate = try SearchEstimator(index: scan.index.id, source: source)
      .narrow(scan.estimate, to: messages)
    let consumed = path.consumed.union(place.consumed)
    return AccessPath(
      source: .search(scan), residual: conjuncts.remaining(without: consumed),
      ordering: order.orderingByCreation, cardinality: scan.estimate.rows, consumed: consumed)
  }

  private func searches(for texts: ObjectProperty) -> [Search] {
    conjuncts.tests.compactMap { offset, test in test.property == texts ? Search(test, at: offset) : nil }
  }

  private func scan(_ index: DeclaredIndex, _ searches: [Search]) throws -> SearchScan {
    let several = try source.count(SearchScan.tree, in: .group(WordEntries.severalTexts.group(of: index.id)))
    var doubt: SearchScan.Doubt = []
    var tests: [Condition] = []
    for search in searches {
      var own = search.expression.doubt
      if several > 0, !search.expression.isOfOneWord { own.insert(.several) }
      // What a conjunct on one element implies is not all that it says: it is tested in any case.
      guard !own.isEmpty, search.offset < conjuncts.list.count else { continue }
      doubt.formUnion(own)
      tests.append(.test(search.test))
    }
    let terms = SearchExpression.all(searches.map(\.expression.upper))
    let estimate = try SearchEstimator(index: index.id, source: source).estimate(terms)
    return SearchScan(
      index: index, kind: kind, recordType: source.recordType, terms: terms,
      test: tests.count == 1 ? tests[0] : tests.isEmpty ? .always : .all(tests), doubt: doubt,
      patterns: searches.map(\.pattern), estimate: estimate)
  }

  /// The objects of one term are a run of the tree, in the order of their creation.
  private func termScan(
    _ index: DeclaredIndex, _ term: [UInt8], _ consumed: ConjunctSet, _ residual: Condition,
    _ directly: Directness?
  ) throws -> AccessPath? {
    let ordering = order.orderingByCreation
    if let directly {
      guard residual.isAlways, directly == .inAnyOrder || ordering.isIndex else { return nil }
    }
    let position = TextRange.text(term, group: WordEntries.terms.group(of: index.id))
    let isCounted = directly != .inOrder
    let entries = isCounted ? try source.count(SearchScan.tree, in: position) : 0
    let scan = TextScan(
      tree: SearchScan.tree, kind: kind, content: .term(index, term), positions: [position], entries: entries,
      recordType: source.recordType)
    var path = AccessPath(
      source: .textScan(scan), residual: residual, ordering: ordering, cardinality: entries,
      consumed: consumed)
    path.isCounted = isCounted
    return path
  }

  /// A conjunct that searches for a pattern, if terms help to find what matches it.
  private struct Search {
    let offset: Int
    let test: Test
    let pattern: SearchPattern
    let expression: SearchExpression

    init?(_ test: Test, at offset: Int) {
      guard case .text(.pattern(.search(let pattern), complement: false), missing: false) = test.values,
        !test.isNegated
      else { return nil }
      let expression = pattern.expression
      guard expression.isJoinable else { return nil }
      self.offset = offset
      self.test = test
      self.pattern = pattern
      self.expression = expression
    }

    /// The term, if all that is searched for is one.
    var term: [UInt8]? { if case .term(let term) = expression { term } else { nil } }
  }
}

/// Counts what a join of terms reads.
struct SearchEstimator {
  let index: UInt32
  let source: any PlanningSource

  func estimate(_ expression: SearchExpression) throws -> SearchEstimate {
    switch expression {
    case .nothing: return SearchEstimate(rows: 0)
    case .everything, .not: return SearchEstimate(rows: try objects)
    case .term(let term):
      let count = try source.count(SearchScan.tree, in: .text(term, group: group))
      return SearchEstimate(entriesOfTerm: count)
    case .prefix(let prefix):
      let count = try source.count(SearchScan.tree, in: .prefix(prefix, group: group))
      return SearchEstimate(rows: min(count, try objects), entries: Double(count), nodes: 6)
    case .suffix, .part, .cutTerm:
      // How many objects they have is known when all terms have been looked at: mostly few. Texts have about so many different terms.
      let postings = Double(try source.count(SearchScan.tree, in: .group(group)))
      let terms = min(postings, 44 * postings.squareRoot())
      let objects = try objects
      let likely = expression == .cutTerm ? 0 : Double(objects) / 64
      return SearchEstimate(
        rows: objects, likelyRows: likely, entries: postings / 256, nodes: 6, before: terms)
    case .and(let parts):
      let (excluded, wanted) = parts.divided { if case .not = $0 { true } else { false } }
      let all = try wanted.map(estimate)
      guard let least = all.min(by: { $0.rows < $1.rows }) else { return SearchEstimate(rows: 0) }
      var sum = SearchEstimate(rows: least.rows, likelyRows: all.map(\.likelyRows).min())
      for part in try all + excluded.map(estimate) { sum.add(part, leapedThroughFor: least.rows) }
      return sum
    case .or(let parts):
      var sum = SearchEstimate(rows: 0)
      for part in try parts.map(estimate) {
        sum.rows += part.rows
        sum.likelyRows += part.likelyRows
        // One look at all terms is enough.
        sum.before = max(sum.before, part.before)
        sum.entries += part.entries
        sum.nodes += part.nodes
      }
      sum.rows = min(sum.rows, try objects)
      sum.likelyRows = min(sum.likelyRows, Double(sum.rows))
      return sum
    case .field(_, let part), .reading(let part): return try estimate(part)
    }
  }

  /// Returns what a join takes that leaps from what is found to the messages of a conversation and back.
  /// - Parameter messages: How many the conversation has.
  func narrow(_ found: SearchEstimate, to messages: Int) throws -> SearchEstimate {
    let objects = try max(objects, 1)
    var sum = SearchEstimate(
      rows: min(found.rows, messages),
      // As if words had nothing to do with conversations.
      likelyRows: min(Double(messages), found.likelyRows * Double(messages) / Double(objects)))
    sum.add(found, leapedThroughFor: messages)
    // A step of a cursor over records takes as long as some entries.
    let records = SearchEstimate(rows: messages, entries: 4 * Double(messages), nodes: 3)
    sum.add(records, leapedThroughFor: found.rows)
    return sum
  }

  /// The group of the terms.
  private var group: UInt64 { WordEntries.terms.group(of: index) }

  private var objects: Int {
    get throws { try source.count(SearchScan.tree, in: .group(WordEntries.lengths.group(of: index))) }
  }
}

extension SearchEstimate {
  /// Adds a list of which no more is read than lies near the objects of another one: all entries, or a seek for each of these.
  fileprivate mutating func add(_ part: SearchEstimate, leapedThroughFor objects: Int) {
    before += part.before
    let seeks = Double(objects)
    if part.entries > 16 * seeks {
      nodes += 3 * seeks
      entries += 8 * seeks
    } else {
      entries += part.entries
      nodes += part.nodes
    }
  }
}

extension Array {
  /// The only element; nil if there is none or there are several.
  fileprivate var only: Element? { count == 1 ? self[0] : nil }

  /// Returns the elements for which a condition holds, and the others.
  fileprivate func divided(_ condition: (Element) -> Bool) -> ([Element], [Element]) {
    (filter(condition), filter { !condition($0) })
  }
}
