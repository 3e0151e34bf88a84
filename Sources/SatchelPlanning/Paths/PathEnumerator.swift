import RankedKeys
import SatchelIndexing
package import SatchelModel
package import SatchelQuery

/// Finds every access path for a condition: a scan of each index, over the runs that the condition leaves of it;
/// look-ups by identifier; intersections of two indexes; unions for alternatives.
package struct PathEnumerator {
  package let kind: ObjectKind
  package let conjuncts: Conjuncts
  package let order: OrderMatcher
  package let source: any PlanningSource
  /// Whether the rows are only counted, so that runs have to be counted exactly.
  let isCount: Bool
  let memory = ConstraintMemory()
  /// The maximum number of conjuncts that get a path of their own. There is a maximum because each such path also
  /// states what all other conjuncts leave to test. Further conjuncts are only tested.
  private static let mostCandidates = 64

  package init(
    kind: ObjectKind, condition: Condition, order: OrderMatcher, source: any PlanningSource, isCount: Bool
  ) {
    self.kind = kind
    self.isCount = isCount
    self.conjuncts = Conjuncts(condition, of: kind)
    self.order = order
    self.source = source
  }

  /// Returns all paths; the scan of every object comes first.
  package func paths() throws -> [AccessPath] {
    var paths = try singlePaths()
    if kind == .parts { paths = try partsOfMessages() + paths }
    paths += try intersections(of: paths)
    paths += try unions()
    if let path = try valuesScan() ?? ownStateScan() { paths.append(path) }
    paths += try paths.compactMap { try inConversation($0) }
    return paths
  }

  /// Returns a path that no other path can beat; nil if there is none. Such a path is a look-up of one object, or one
  /// run of an index that is exactly the answer, in its order; for a count, up to two runs, in any order. In addition
  /// to the answer's own rows it costs one descent for each run.
  package func directPath() throws -> AccessPath? {
    if let path = try directBuiltIn() { return path }
    if let path = try directTextScan() { return path }
    return try directDeclaredScan()
  }

  private func directTextScan() throws -> AccessPath? {
    guard conjuncts.list.count == 1, let (offset, test) = conjuncts.tests.first,
      // Two ranges may be one run: of a text, and that the value is a list, which no object has.
      test.values.ranges <= 2,
      let path = try textScan(offset, test, directly: isCount ? .inAnyOrder : .inOrder),
      path.residual.isAlways,
      case .textScan(let scan) = path.source, scan.positions.count <= 1
    else { return nil }
    return isCount || path.ordering.isIndex ? path : nil
  }

  private func directBuiltIn() throws -> AccessPath? {
    for (offset, test) in conjuncts.tests {
      if let path = try lookUp(offset, test), path.cardinality <= 1 { return path }
    }
    guard let needed = segmentsOfConjuncts() else { return nil }
    for index in IndexCatalog.answering(kind) {
      guard needed.restriction == nil || needed.restriction == index.holds.restriction,
        needed.segments.allSatisfy({ index.key.contains($0) })
      else { continue }
      if let path = try scan(index, directly: isCount ? .inAnyOrder : .inOrder) { return path }
    }
    return nil
  }

  /// Returns the segments that an index needs to ensure every conjunct, and the restriction that it needs; nil if some
  /// conjunct has neither, or if two restrictions would be needed.
  private func segmentsOfConjuncts() -> (
    segments: [Segment], restriction: IndexDefinition.Restriction?
  )? {
    var segments: [Segment] = []
    var restriction: IndexDefinition.Restriction?
    var nextTest = 0
    for condition in conjuncts.list {
      if case .test(let test) = condition {
        let segment = conjuncts.segments[nextTest]
        nextTest += 1
        if let needed = IndexDefinition.Restriction(test.property) {
          guard restriction == nil || restriction == needed else { return nil }
          restriction = needed
          continue
        }
        if test.property == ObjectProperty([], .participants) {
          guard case .participants(let participants) = test.values else { return nil }
          if case .equals = participants { segments.append(.memberSet) } else { segments.append(.member) }
          continue
        }
        if let segment {
          segments.append(segment)
          continue
        }
      }
      guard kind == .messages, condition.stripping(.conversation) != nil else { return nil }
      segments.append(.conversation)
    }
    return (segments, restriction)
  }

  /// Which scans are wanted as direct paths.
  enum Directness {
    /// Only scans of one run or two runs that are exactly the answer.
    case inAnyOrder
    /// Only scans of one run that is exactly the answer, in its order.
    case inOrder
  }

  /// Returns the paths that read one index or look up identifiers.
  private func singlePaths() throws -> [AccessPath] {
    var paths: [AccessPath] = []
    for index in IndexCatalog.answering(kind) {
      if let path = try scan(index) { paths.append(path) }
    }
    paths += try textScans()
    paths += try declaredScans()
    paths += try lookUps()
    return paths
  }

  // MARK: Scans

  func scan(_ index: IndexDefinition, directly: Directness? = nil) throws -> AccessPath? {
    guard let runs = try runs(of: index, prefersComplements: directly == .inAnyOrder) else { return nil }
    let (spans, consumed) = (runs.spans, runs.consumed)
    var scan = IndexScan(index: index, spans: spans, fixedSegments: runs.fixed, entries: 0)
    // A count has no order.
    var ordering = directly == .inAnyOrder ? .index(descending: false) : order.ordering(of: scan)
    if let directly {
      // All values but one are two runs, on either side of that value.
      let most = directly == .inAnyOrder ? 2 : 1
      guard conjuncts.areAll(in: consumed), spans.count <= most else { return nil }
      if directly == .inOrder, !ordering.isIndex { return nil }
    }
    // If the order is lost anyway, fewer runs mean fewer descents.
    if ordering == .sort, spans.count > 1, spans.allSatisfy({ $0.lower.count == 1 }) {
      scan.spans = SegmentSpans.joined(spans)
      if !scan.spans.allSatisfy(\.isPoint) { scan.fixedSegments = 0 }
      ordering = order.ordering(of: scan)
    }
    // A direct path whose rows are read needs no count, because it is not compared with other paths.
    var isCounted = directly != .inOrder
    if isCounted { (scan.entries, isCounted) = try entries(of: scan.spans, in: index.tree) }
    var path = AccessPath(
      source: .scan(scan), residual: conjuncts.remaining(without: consumed),
      ordering: ordering,
      cardinality: scan.entries, consumed: consumed)
    path.isCounted = isCounted
    return path
  }

  private func textScans() throws -> [AccessPath] {
    try conjuncts.tests.prefix(Self.mostCandidates).compactMap { try textScan($0.offset, $0.test) }
  }

  func textScan(_ offset: Int, _ test: Test, directly: Directness? = nil) throws -> AccessPath? {
    guard case .text(let set, missing: false) = test.values, !test.isNegated,
      let found = TextIndex(test.property, of: kind), try source.has(found.index)
    else { return nil }
    let tree = found.index.tree
    var ranges = ByteRanges.all
    var consumed: ConjunctSet = []
    // A pattern is tested on every value of the property. The scan at least leaves out the objects without a value.
    if case .ranges(let list) = set {
      ranges = list
      consumed = [offset]
    }
    let positions: [TextRange]
    var isOrdered = true
    switch found.group {
    case .number(let group): positions = ranges.ranges.map { TextScan.range($0, group: group) }
    case .recordType:
      let group = IndexedRecord.group(ofType: source.recordType)
      positions = ranges.ranges.map { TextScan.range($0, group: group) }
    case .metadataPath(let keyPath):
      guard let path = try source.number(of: keyPath) else {
        positions = []
        break
      }
      let group = found.group(ofPath: path, type: source.recordType)
      var known: Bool?
      let hasLists = {
        let isAny = try known ?? (source.count(tree, in: TextScan.lists(texts: group)) > 0)
        known = isAny
        return isAny
      }
      // Conditions on one text are one range where no object has a list, which may meet them by several texts.
      let others = consumed.isEmpty ? [] : conjuncts.ranges(of: test.property, besides: offset)
      if !others.isEmpty, try !hasLists() {
        guard others.allSatisfy({ $0.isNegated || $0.offset > offset }) else { return nil }
        ranges = .intersection([ranges] + others.map(\.ranges))
        for other in others { consumed.insert(other.offset) }
      }
      guard
        let runs = try TextScan.positions(
          of: ranges, texts: group, mayRefer: kind == .records, hasLists: hasLists)
      else {
        return nil
      }
      positions = runs
      // The text of a list is in the run of those who have that text alone, and lists come behind all texts.
      if order.sort.contains(where: { $0.property == test.property }), ranges.meets(.texts) {
        isOrdered = try !hasLists() && !hasReferences(besidesTextsOf: group, tree)
      }
    }
    guard positions.count <= SegmentSpans.limit else { return nil }
    // As of a numeric index: rows that are read anyway need no count.
    let (entries, isCounted) =
      directly == .inOrder ? (0, false) : try entries(of: positions, in: tree)
    let scan = TextScan(
      tree: tree, kind: kind,
      content: .values(of: test.property, positions.isEmpty ? [] : ranges.ranges), positions: positions,
      entries: entries, recordType: source.recordType)
    var path = AccessPath(
      source: .textScan(scan), residual: conjuncts.remaining(without: consumed),
      ordering: isOrdered ? order.ordering(of: scan) : .sort, cardinality: entries, consumed: consumed)
    path.isCounted = isCounted
    return path
  }

  // MARK: Look-ups

  private func lookUps() throws -> [AccessPath] {
    try conjuncts.tests.prefix(Self.mostCandidates).compactMap { try lookUp($0.offset, $0.test) }
  }

  func lookUp(_ offset: Int, _ test: Test) throws -> AccessPath? {
    guard isIdentifier(test.property), !test.isNegated,
      case .text(.ranges(let set), missing: false) = test.values, let identifiers = set.points,
      identifiers.count <= SegmentSpans.limit
    else { return nil }
    let rows = try source.rows(of: kind, test.property.field, identifiers: identifiers)
    return AccessPath(
      source: .rows(rows.count > 1 ? rows.sorted() : rows), residual: conjuncts.remaining(without: [offset]),
      ordering: rows.count <= 1 ? .index(descending: false) : order.orderingByCreation,
      cardinality: rows.count,
      consumed: [offset])
  }

  private func isIdentifier(_ property: ObjectProperty) -> Bool {
    guard property.relations.isEmpty else { return false }
    return switch property.field {
    case .identifier: kind != .identities
    case .remoteID: true
    default: false
    }
  }

  /// Returns every path to messages, extended to their parts.
  private func partsOfMessages() throws -> [AccessPath] {
    var conditions: [Condition] = []
    var consumed: ConjunctSet = []
    for (offset, condition) in conjuncts.list.enumerated() {
      guard let inner = condition.stripping(.message) else { continue }
      conditions.append(inner)
      consumed.insert(offset)
    }
    let ofMessages = order.ofMessages
    let inner = PathEnumerator(
      kind: .messages,
      condition: conditions.isEmpty ? .always : conditions.count == 1 ? conditions[0] : .all(conditions),
      order: ofMessages ?? OrderMatcher(kind: .messages, sort: []), source: source, isCount: isCount)
    return try inner.singlePaths().map { path in
      AccessPath(
        source: .parts(of: path), residual: conjuncts.remaining(without: consumed),
        ordering: ofMessages == nil ? .sort : path.ordering, cardinality: path.cardinality,
        consumed: consumed)
    }
  }

  // MARK: Combinations

  /// Returns the intersection of the two most selective paths that ensure different conjuncts, if there are two.
  private func intersections(of paths: [AccessPath]) throws -> [AccessPath] {
    guard conjuncts.indices.count > 1, kind != .parts else { return [] }
    let selective = paths.filter { !$0.consumed.isEmpty && !$0.isRows }.sorted {
      $0.cardinality < $1.cardinality
    }
    guard let first = selective.first,
      let second = selective.dropFirst().first(where: {
        !$0.consumed.isSubset(of: first.consumed) && !first.consumed.isSubset(of: $0.consumed)
      })
    else { return [] }
    return [intersection(of: first, second)]
  }

  func intersection(of first: AccessPath, _ second: AccessPath) -> AccessPath {
    let consumed = first.consumed.union(second.consumed)
    return AccessPath(
      source: .intersection([first.bare, second.bare]), residual: conjuncts.remaining(without: consumed),
      ordering: order.orderingByCreation, cardinality: min(first.cardinality, second.cardinality),
      consumed: consumed)
  }

  /// Returns, for each conjunct that lists alternatives, the union of each alternative's best path.
  private func unions() throws -> [AccessPath] {
    guard kind != .parts else { return [] }
    return try conjuncts.list.indices.prefix(Self.mostCandidates).compactMap { try union($0) }
  }

  /// Returns the union for one conjunct, given by index; nil if the conjunct lists no alternatives or one of them has
  /// no path of its own.
  func union(_ offset: Int) throws -> AccessPath? {
    guard let alternatives = alternatives(of: conjuncts.list[offset]),
      alternatives.count <= SegmentSpans.limit
    else { return nil }
    var branches: [AccessPath] = []
    for alternative in alternatives {
      let inner = PathEnumerator(
        kind: kind, condition: alternative, order: OrderMatcher(kind: kind, sort: []), source: source,
        isCount: isCount)
      let best = try inner.singlePaths().filter { !$0.consumed.isEmpty }.min {
        $0.cardinality < $1.cardinality
      }
      guard let best else { break }
      branches.append(best)
    }
    guard branches.count == alternatives.count else { return nil }
    return AccessPath(
      source: .union(branches), residual: conjuncts.remaining(without: [offset]),
      ordering: order.orderingByCreation, cardinality: branches.reduce(0) { $0 + $1.cardinality },
      consumed: [offset])
  }

  /// Returns the alternatives of a condition: the members of a disjunction, or one test for each user of `participants
  /// IN`; nil if it lists none.
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
  /// Returns whether another path of the same question reads the same index or the same rows.
  func reads(as other: AccessPath) -> Bool {
    switch (source, other.source) {
    case (.scan(let scan), .scan(let direct)): scan.index.tree == direct.index.tree
    case (.textScan(let scan), .textScan(let direct)):
      scan.declaredIndex?.id == direct.declaredIndex?.id && scan.tree == direct.tree
        && scan.positions == direct.positions
    case (.rows(let rows), .rows(let direct)): rows == direct
    default: false
    }
  }

  /// True for a look-up by identifier.
  var isRows: Bool { if case .rows = source { true } else { false } }

  /// The path without its residual: what the path does not ensure is tested after paths have been combined.
  var bare: AccessPath {
    var path = self
    path.residual = .always
    return path
  }
}
