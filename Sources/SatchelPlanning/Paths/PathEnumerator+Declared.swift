import RankedKeys
import SatchelIndexing
import SatchelModel
import SatchelQuery

// The indexes that applications have declared.
extension PathEnumerator {
  /// Returns the paths of the declared indexes that have all objects of the condition.
  func declaredScans() throws -> [AccessPath] {
    try source.declaredIndexes(of: kind).compactMap { try declaredScan($0) }
  }

  /// Returns the path of a declared index that has exactly the results, in their order or to count them; nil if none has.
  func directDeclaredScan() throws -> AccessPath? {
    for index in try source.declaredIndexes(of: kind) {
      if let path = try declaredScan(index, directly: isCount ? .inAnyOrder : .inOrder) { return path }
    }
    return nil
  }

  /// Returns the path of a declared index; nil if the index lacks objects of the condition, if it has objects more than once, or if the
  /// path would be a scan of all of it in no wanted order.
  func declaredScan(_ index: DeclaredIndex, directly: Directness? = nil) throws -> AccessPath? {
    guard var consumed = implied(index.conditions) else { return nil }
    if let texts = index.wordsProperty {
      return try searchScan(index, of: texts, ensuring: consumed, directly: directly)
    }
    var bounds = DeclaredBounds(index)
    for (offset, column) in index.columns.enumerated() {
      // Several ranges are several runs. To make many takes long.
      if directly != nil, bounds.fixed == offset,
        conjuncts.tests.contains(where: { _, test in
          test.property == column.property && !test.isNegated && test.values.ranges > 1
        })
      {
        return nil
      }
      guard bounds.fixed == offset, let (runs, ensured) = try runs(of: column),
        bounds.prefixes.count * runs.runs.count <= SegmentSpans.limit
      else {
        if column.isOfElements { return nil }
        continue
      }
      if column.isOfElements, runs.runs.count != 1 || !runs.arePoints { return nil }
      let hasLists = try runs.lists.map { try bounds.holdsAny(of: $0, source) } ?? false
      bounds.narrow(by: runs, hasLists: hasLists)
      if !hasLists { consumed.formUnion(ensured) }
    }
    let ordering = order.ordering(of: bounds)
    guard bounds.isNarrowed || !index.conditions.isEmpty || ordering != .sort else { return nil }
    let positions = bounds.positions
    let residual = conjuncts.remaining(without: consumed)
    if let directly {
      guard residual.isAlways, positions.count <= 1, directly == .inAnyOrder || ordering.isIndex else {
        return nil
      }
    }
    // As of built-in indexes: what is read in its order is not compared with other paths.
    let (entries, isCounted) =
      directly == .inOrder ? (0, false) : try entries(of: positions, in: DeclaredBounds.tree)
    let scan = TextScan(
      tree: DeclaredBounds.tree, kind: kind, content: .declared(index, bounds.columns), positions: positions,
      entries: entries, recordType: source.recordType)
    var path = AccessPath(
      source: .textScan(scan), residual: residual, ordering: ordering, cardinality: entries,
      consumed: consumed)
    path.isCounted = isCounted
    return path
  }

  /// Returns the conjuncts that say exactly what a partial index's objects have in common; nil if the conjuncts do not imply all of it.
  private func implied(_ conditions: [Condition]) -> ConjunctSet? {
    var exact: ConjunctSet = []
    for condition in conditions {
      if let same = conjuncts.list.firstIndex(of: condition) {
        exact.insert(same)
      } else if case .elements(let wanted) = condition {
        let implying = conjuncts.list.indices.filter { conjuncts.list[$0].elements?.implies(wanted) ?? false }
        guard !implying.isEmpty else { return nil }
        for offset in implying where conjuncts.list[offset].elements.map(wanted.implies) ?? false {
          exact.insert(offset)
        }
      } else {
        guard case .test(let wanted) = condition, conjuncts.tests.contains(where: { $0.test.implies(wanted) })
        else { return nil }
      }
    }
    return exact
  }

  /// Returns the runs that the conjuncts leave of a column, and the conjuncts that they ensure; nil if none bounds it.
  private func runs(of column: DeclaredIndex.Column) throws -> (ColumnRuns, ConjunctSet)? {
    if case .reference(let segment) = column.form {
      let builder = SegmentSpans(kind: kind, conjuncts: conjuncts, source: source, memory: memory)
      guard let constraint = try builder.constraint(of: segment) else { return nil }
      return (ColumnRuns(references: constraint.spans, of: column), constraint.consumed)
    }
    for (offset, test) in conjuncts.tests where test.property == column.property && !test.isNegated {
      if let runs = ColumnRuns(test.values, of: column) { return (runs, [offset]) }
    }
    return nil
  }
}

/// The runs of a declared index that a question's conjuncts leave, as column after column narrows them.
struct DeclaredBounds {
  static let tree = IndexCatalog.declaredEntries.tree

  let index: DeclaredIndex
  /// The bytes of the values that the leading columns are fixed to, ascending.
  private(set) var prefixes: [[UInt8]] = [[]]
  /// How many leading columns have a single value behind each prefix.
  private(set) var fixed = 0
  /// The runs behind the prefixes of the first column that is not fixed; nil for all.
  private var last: [ColumnRuns.Run]?
  /// For each column that is bounded, its runs.
  private(set) var columns: [[ColumnRuns.Run]] = []

  init(_ index: DeclaredIndex) { self.index = index }

  var isNarrowed: Bool { !columns.isEmpty }

  private var group: UInt64 { DeclaredKey.group(of: index.id) }

  /// Whether any object lies in a run of the next column.
  func holdsAny(of run: ColumnRuns.Run, _ source: any PlanningSource) throws -> Bool {
    for prefix in prefixes
    where try source.count(Self.tree, in: run.range(behind: prefix, group: group)) > 0 { return true }
    return false
  }

  /// Bounds the next column, which is the first that is not fixed.
  mutating func narrow(by column: ColumnRuns, hasLists: Bool) {
    var runs = column.runs
    if hasLists, let lists = column.lists { runs.append(lists) }
    columns.append(runs)
    guard column.arePoints, !hasLists else {
      last = runs
      return
    }
    fixed += 1
    prefixes = prefixes.flatMap { prefix in runs.map { prefix + $0.lower } }
  }

  /// The runs in the tree, ascending.
  var positions: [TextRange] {
    let runs = last.map { last in
      prefixes.flatMap { prefix in last.map { $0.range(behind: prefix, group: group) } }
    }
    let all = runs ?? prefixes.map { TextRange.prefix($0, group: group) }
    func isBefore(_ left: TextRange, _ right: TextRange) -> Bool {
      (left.lower.bytes ?? []).lexicographicallyPrecedes(right.lower.bytes ?? [])
    }
    // Mostly the runs of each column ascend, and so do all.
    return zip(all, all.dropFirst()).allSatisfy(isBefore) ? all : all.sorted(by: isBefore)
  }
}

extension OrderMatcher {
  /// Returns how the rows of a declared index get into the query's order.
  func ordering(of bounds: DeclaredBounds) -> Ordering {
    let columns = bounds.index.columns
    let isOneRun = bounds.prefixes.count == 1
    let fixed = isOneRun ? columns.prefix(bounds.fixed) : []
    // Who has a text in a list is in the run of those who have it alone, and lists come behind all texts.
    let keys = sort.filter { key in
      !fixed.contains { $0.property == key.property && !$0.isOfElements }
    }
    let rest = columns.dropFirst(fixed.count)
    guard keys.count == rest.count else { return .sort }
    guard let lastKey = keys.last, let lastColumn = rest.last else {
      return .index(descending: tieDescending)
    }
    let isReversed = lastKey.descending != lastColumn.descending
    let isSame = zip(keys, rest).allSatisfy { key, column in
      key.property == column.property && !column.isOfElements && column.form.isOrdered
        && key.descending == (column.descending != isReversed)
    }
    // Ties come in the direction of the last sort key, which may be one that is fixed.
    guard isSame, lastKey.descending == tieDescending else { return .sort }
    return .index(descending: lastKey.descending)
  }
}

extension Condition {
  /// The conditions of one element, if it is such a condition.
  fileprivate var elements: ElementConditions? { if case .elements(let group) = self { group } else { nil } }
}

extension ElementConditions {
  /// Whether every object that meets this meets another one; false also where there is no telling.
  fileprivate func implies(_ other: ElementConditions) -> Bool {
    guard relations == other.relations, isNegated == other.isNegated else { return false }
    // Fewer elements meet more conditions: that some do says more then, and that none does says less.
    let (more, less) = isNegated ? (other, self) : (self, other)
    return less.conditions.allSatisfy { wanted in
      more.conditions.contains { condition in
        if case .test(let test) = condition, case .test(let wanted) = wanted { return test.implies(wanted) }
        return condition == wanted
      }
    }
  }
}

extension Test {
  /// Whether every object that passes this test passes another one.
  func implies(_ other: Test) -> Bool {
    guard property == other.property, isNegated == other.isNegated else { return false }
    return isNegated ? other.values.isSubset(of: values) : values.isSubset(of: other.values)
  }
}

extension ValueSet {
  /// How many ranges of values it has, a missing one included; 0 of a set that is no ranges.
  var ranges: Int {
    switch self {
    case .integers(let set, let missing): set.ranges.count + (missing ? 1 : 0)
    case .text(.ranges(let set), let missing): set.ranges.count + (missing ? 1 : 0)
    case .text(.pattern, _), .participants, .metadata, .related: 0
    }
  }

  /// Whether another set has every value of this one; false also where there is no telling.
  func isSubset(of other: ValueSet) -> Bool {
    switch (self, other) {
    case (.integers(let mine, let missing), .integers(let theirs, let isMissingIn)):
      return (!missing || isMissingIn) && mine.intersection(theirs) == mine
    case (.text(.ranges(let mine), let missing), .text(.ranges(let theirs), let isMissingIn)):
      return (!missing || isMissingIn) && mine.intersection(theirs) == mine
    default: return self == other
    }
  }
}
