package import SatchelModel
package import SatchelQuery

/// Finds every way to the rows of a condition: each index with the runs that the conditions leave of it, look-ups by
/// identifier, intersections of two indexes, unions for alternatives.
package struct PathEnumerator {
  package let kind: ObjectKind
  package let conjuncts: Conjuncts
  package let order: OrderMatcher
  package let source: any PlanningSource
  private let memory = ConstraintMemory()

  package init(kind: ObjectKind, condition: Condition, order: OrderMatcher, source: any PlanningSource) {
    self.kind = kind
    self.conjuncts = Conjuncts(condition)
    self.order = order
    self.source = source
  }

  /// All paths, the scan of every object first.
  package func paths() throws -> [AccessPath] {
    var paths = try singlePaths()
    if kind == .parts { paths = try partsOfMessages() + paths }
    paths += try intersections(of: paths)
    paths += try unions()
    return paths
  }

  /// A path that no other can beat, if there is one: a look-up of one object, or one run of an index that is exactly the
  /// answer, in its order; for a count two runs. What it costs beside the answer's own rows is a descent for each.
  package func directPath(isCount: Bool) throws -> AccessPath? {
    if let path = try lookUps().first(where: { $0.cardinality <= 1 }) { return path }
    guard let segments = segmentsOfConjuncts() else { return nil }
    for index in IndexDescription.all(of: kind) {
      guard
        segments.allSatisfy({ segment in
          guard let segment else { return index.holds.isUnreadOnly }
          return index.key.contains(segment)
        })
      else { continue }
      if let path = try scan(index, directly: isCount ? .inAnyOrder : .inOrder) { return path }
    }
    return nil
  }

  /// The segment of an index that each conjunct needs so that it is ensured, nil for one that only asks for unread
  /// objects; nil altogether where a conjunct has none.
  private func segmentsOfConjuncts() -> [Segment?]? {
    var segments: [Segment?] = []
    for condition in conjuncts.list {
      if case .test(let test) = condition {
        switch (test.property.relations.isEmpty, test.property.field) {
        case (true, .isUnread), (true, .hasUnreadMessages), (true, .unreadCount):
          segments.append(nil)
          continue
        case (true, .participants):
          guard case .participants(let participants) = test.values else { return nil }
          if case .equals = participants { segments.append(.memberSet) } else { segments.append(.member) }
          continue
        default: break
        }
        if let segment = Segment(test.property, of: kind) {
          segments.append(segment)
          continue
        }
      }
      guard kind == .messages, condition.stripping(.conversation) != nil else { return nil }
      segments.append(.conversation)
    }
    return segments
  }

  /// Which scans are wanted.
  private enum Directness {
    /// Only one run that is the whole answer, or two.
    case inAnyOrder
    /// Only one run that is the whole answer and has its order.
    case inOrder
  }

  /// The paths that read one index or look up identifiers.
  private func singlePaths() throws -> [AccessPath] {
    var paths: [AccessPath] = []
    for index in IndexDescription.all(of: kind) {
      if let path = try scan(index) { paths.append(path) }
    }
    paths += try textScans()
    paths += try lookUps()
    return paths
  }

  // MARK: Scans

  private func scan(_ index: IndexDescription, directly: Directness? = nil) throws -> AccessPath? {
    if let counterpart = index.counterpart,
      try source.count(index.tree, in: .all) != source.count(counterpart, in: .all)
    {
      return nil
    }
    var consumed: Set<Int> = []
    if index.holds.isUnreadOnly {
      guard let unread = unreadConjunct() else { return nil }
      if unread.isExact { consumed.insert(unread.offset) }
    }
    let builder = SegmentSpans(kind: kind, conjuncts: conjuncts, source: source, memory: memory)
    var spans = [KeySpan.all]
    var fixed = 0
    for (place, segment) in index.key.enumerated() {
      guard let constraint = try builder.constraint(of: segment) else {
        if place == 0, index.holds.needsFirst { return nil }
        break
      }
      guard spans.count * max(1, constraint.spans.count) <= SegmentSpans.limit else { break }
      spans = spans.flatMap { span in constraint.spans.map { span.appending($0) } }
      consumed.formUnion(constraint.consumed)
      guard constraint.spans.allSatisfy(\.isPoint) else { break }
      fixed += 1
    }
    var scan = IndexScan(index: index, spans: spans, fixedSegments: fixed, entries: 0)
    // A count has no order.
    var ordering = directly == .inAnyOrder ? .index(descending: false) : order.ordering(of: scan)
    if let directly {
      // All but one value are two runs, on either side of it.
      let runs = directly == .inAnyOrder ? 2 : 1
      guard consumed.count == conjuncts.list.count, spans.count <= runs else { return nil }
      if directly == .inOrder, !ordering.isIndex { return nil }
    }
    // Where the order is lost anyway, fewer runs are fewer descents.
    if ordering == .sort, spans.count > 1, spans.allSatisfy({ $0.lower.count == 1 }) {
      scan.spans = SegmentSpans.joined(spans)
      if !scan.spans.allSatisfy(\.isPoint) { scan.fixedSegments = 0 }
      ordering = order.ordering(of: scan)
    }
    let entries = try scan.spans.reduce(0) { try $0 + source.count(index.tree, in: $1.range) }
    scan.entries = entries
    return AccessPath(
      source: .scan(scan), residual: conjuncts.remaining(without: consumed),
      ordering: ordering,
      cardinality: entries, consumed: consumed)
  }

  /// The conjunct that leaves only unread objects, and whether it says nothing else.
  private func unreadConjunct() -> (offset: Int, isExact: Bool)? {
    for (offset, test) in conjuncts.tests where test.property.relations.isEmpty {
      guard case .integers(let set, false) = test.values else { continue }
      switch test.property.field {
      case .isUnread, .hasUnreadMessages:
        if set.contains(1), !set.contains(0) { return (offset, true) }
      case .unreadCount:
        guard let least = set.ranges.first?.lowerBound, least >= 1 else { continue }
        return (offset, set.complement.ranges == [.min...0])
      default: continue
      }
    }
    return nil
  }

  private func textScans() throws -> [AccessPath] {
    try conjuncts.tests.compactMap { offset, test in
      guard case .text(let set, missing: false) = test.values, let index = TextIndex(test.property, of: kind)
      else { return nil }
      let group: UInt64?
      switch index.group {
      case .number(let number): group = number
      case .metadataPath(let keys): group = try source.metadataPath(keys).map(UInt64.init)
      }
      var ranges: [ByteRange] = []
      var consumed: Set<Int> = [offset]
      switch set {
      case .ranges(let list): ranges = list.ranges
      // A pattern is tested on every value of the property; the objects without one are left out at least.
      case .pattern:
        ranges = ByteRanges.all.ranges
        consumed = []
      }
      if group == nil { ranges = [] }
      guard ranges.count <= SegmentSpans.limit else { return nil }
      let entries = try ranges.reduce(0) {
        try $0 + source.count(index.tree, in: TextScan.range($1, group: group ?? 0))
      }
      let scan = TextScan(
        tree: index.tree, kind: kind, property: test.property, group: group ?? 0, ranges: ranges,
        entries: entries)
      return AccessPath(
        source: .textScan(scan), residual: conjuncts.remaining(without: consumed),
        ordering: order.ordering(of: scan), cardinality: entries, consumed: consumed)
    }
  }

  // MARK: Look-ups

  private func lookUps() throws -> [AccessPath] {
    try conjuncts.tests.compactMap { offset, test in
      guard case .text(.ranges(let set), missing: false) = test.values, let identifiers = set.points,
        identifiers.count <= SegmentSpans.limit, !test.isNegated, isIdentifier(test.property)
      else { return nil }
      let rows = try source.rows(of: kind, identifiers: identifiers)
      return AccessPath(
        source: .rows(rows.sorted()), residual: conjuncts.remaining(without: [offset]),
        ordering: rows.count <= 1 ? .index(descending: false) : order.orderingByCreation,
        cardinality: rows.count,
        consumed: [offset])
    }
  }

  private func isIdentifier(_ property: Property) -> Bool {
    property == Property([], .identifier) && kind != .identities
  }

  /// Every path to messages, read on to their parts.
  private func partsOfMessages() throws -> [AccessPath] {
    var conditions: [Condition] = []
    var places: [Int] = []
    for (offset, condition) in conjuncts.list.enumerated() {
      guard let inner = condition.stripping(.message) else { continue }
      conditions.append(inner)
      places.append(offset)
    }
    let ofMessages = order.ofMessages
    let inner = PathEnumerator(
      kind: .messages,
      condition: conditions.isEmpty ? .always : conditions.count == 1 ? conditions[0] : .all(conditions),
      order: ofMessages ?? OrderMatcher(kind: .messages, sort: []), source: source)
    return try inner.singlePaths().map { path in
      AccessPath(
        source: .parts(of: path), residual: conjuncts.remaining(without: Set(places)),
        ordering: ofMessages == nil ? .sort : path.ordering, cardinality: path.cardinality,
        consumed: Set(places))
    }
  }

  // MARK: Combinations

  /// The intersections of the two most selective paths that ensure different conjuncts.
  private func intersections(of paths: [AccessPath]) throws -> [AccessPath] {
    guard conjuncts.list.count > 1, kind != .parts else { return [] }
    let selective = paths.filter { !$0.consumed.isEmpty && !$0.isRows }.sorted {
      $0.cardinality < $1.cardinality
    }
    guard let first = selective.first,
      let second = selective.dropFirst().first(where: {
        !$0.consumed.isSubset(of: first.consumed) && !first.consumed.isSubset(of: $0.consumed)
      })
    else { return [] }
    let consumed = first.consumed.union(second.consumed)
    return [
      AccessPath(
        source: .intersection([first, second].map { $0.bare }),
        residual: conjuncts.remaining(without: consumed),
        ordering: order.orderingByCreation, cardinality: min(first.cardinality, second.cardinality),
        consumed: consumed)
    ]
  }

  /// For each conjunct that lists alternatives, the union of the best path of each.
  private func unions() throws -> [AccessPath] {
    guard kind != .parts else { return [] }
    var unions: [AccessPath] = []
    for (offset, condition) in conjuncts.list.enumerated() {
      guard let alternatives = alternatives(of: condition), alternatives.count <= SegmentSpans.limit else {
        continue
      }
      var branches: [AccessPath] = []
      for alternative in alternatives {
        let inner = PathEnumerator(
          kind: kind, condition: alternative, order: OrderMatcher(kind: kind, sort: []), source: source)
        let best = try inner.singlePaths().filter { !$0.consumed.isEmpty }.min {
          $0.cardinality < $1.cardinality
        }
        guard let best else { break }
        branches.append(best)
      }
      guard branches.count == alternatives.count else { continue }
      unions.append(
        AccessPath(
          source: .union(branches), residual: conjuncts.remaining(without: [offset]),
          ordering: order.orderingByCreation, cardinality: branches.reduce(0) { $0 + $1.cardinality },
          consumed: [offset]))
    }
    return unions
  }

  /// The alternatives of a condition: those of a disjunction, or one for each user of `participants IN`.
  private func alternatives(of condition: Condition) -> [Condition]? {
    switch condition {
    case .any(let list): return list
    case .test(let test):
      guard case .participants(.overlaps(let users)) = test.values, users.count > 1, !test.isNegated,
        test.property.relations.isEmpty
      else { return nil }
      return users.map {
        .test(Test(test.property, .participants(.overlaps([$0]))))
      }
    default: return nil
    }
  }
}

extension AccessPath {
  /// Whether another path, of the same question, reads the same.
  func reads(as other: AccessPath) -> Bool {
    switch (source, other.source) {
    case (.scan(let scan), .scan(let direct)): scan.index.tree == direct.index.tree
    case (.rows(let rows), .rows(let direct)): rows == direct
    default: false
    }
  }

  /// True for a look-up by identifier.
  var isRows: Bool { if case .rows = source { true } else { false } }

  /// The path for its rows alone: what it does not ensure is tested after it has been combined.
  var bare: AccessPath {
    var path = self
    path.residual = .always
    return path
  }
}
