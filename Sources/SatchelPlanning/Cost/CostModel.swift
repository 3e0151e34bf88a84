package import SatchelIndexing
package import SatchelModel
import SatchelQuery

/// Estimates what a path costs for a query's page of rows.
package struct CostModel {
  package let kind: ObjectKind
  package let source: any PlanningSource
  /// The maximum number of rows that the query returns; nil for all.
  package let limit: Int?
  /// The number of rows that the query skips first.
  package let offset: Int
  /// True if rows are only counted.
  package let isCount: Bool
  /// The share of all objects that meets each conjunct, by the conjunct's index. A conjunct is absent if no index tells
  /// its share.
  package let selectivities: [Int: Double]
  package let conjuncts: Conjuncts

  package init(
    kind: ObjectKind, source: any PlanningSource, limit: Int?, offset: Int, isCount: Bool,
    selectivities: [Int: Double], conjuncts: Conjuncts
  ) {
    self.kind = kind
    self.source = source
    self.limit = limit
    self.offset = offset
    self.isCount = isCount
    self.selectivities = selectivities
    self.conjuncts = conjuncts
  }

  /// Returns the estimated cost of a path.
  package func cost(of path: AccessPath) throws -> Cost {
    var cost = try Self.descents(of: path.source, source)
    if isCount, path.countsByRanges { return cost }

    let share = selectivity(of: path)
    let candidates = expectedRows(of: path)
    var examined = candidates
    if let limit, path.ordering != .sort || isCount {
      let wanted = Double(limit) + (path.seeksOffset && !isCount ? 0 : Double(offset))
      examined = min(candidates, path.residual.isAlways ? wanted : wanted / max(share, 1e-6))
    }
    let found = examined * (path.residual.isAlways ? 1 : share)

    switch path.source {
    case .scan, .textScan, .rows:
      cost.entries += examined
      cost.nodes += path.descentsOfRow * examined
    case .search(let scan):
      let share = examined / max(1, candidates)
      cost.entries += scan.estimate.before + scan.estimate.entries * share
      cost.nodes += scan.estimate.nodes * share + path.descentsOfRow * examined
      if scan.doubt.contains(.all) {
        addTests(of: scan.test, rows: examined, on: nil, to: &cost)
      }
    case .intersection(let inner):
      for path in inner {
        cost.entries += path.entriesOfAll
        cost.sorted += Double(path.cardinality)
      }
      // Only what is found is looked for in its conversation, if no path says where it is.
      cost.nodes += candidates * (inner.map(\.descentsOfRow).min() ?? 0)
    case .union(let inner):
      for path in inner {
        cost.entries += path.entriesOfAll
        cost.nodes += path.descentsOfRow * Double(path.cardinality)
        cost.sorted += Double(path.cardinality)
        addTests(of: path.residual, rows: Double(path.cardinality), on: path.index, to: &cost)
      }
    case .parts(let inner):
      cost.entries += Double(inner.cardinality)
      cost.records += examined
      addTests(of: inner.residual, rows: examined, on: inner.index, to: &cost)
    case .byValue(let values, let others):
      // Those without a value are found among all objects.
      let (valued, all) = (Double(values.cardinality), Double(others.cardinality))
      let isLast = path.ordering == .index(descending: true)
      let missing = isLast ? max(0, examined - valued) : min(examined, all - valued)
      let passed = all * missing / max(1, all - valued)
      cost.entries += examined - missing + passed
      cost.nodes += values.descentsOfRow * (examined - missing)
      addTests(of: others.residual, rows: passed, on: others.index, to: &cost)
    }
    addTests(of: path.residual, rows: examined, on: path.index, to: &cost)
    if path.ordering == .sort, !isCount {
      cost.sorted += found
      // The sort keys are read from the records, unless the test of the residual has read these anyway.
      if TestNeeds(path.residual, of: kind, on: path.index) == .columns { cost.records += found }
    }
    if !isCount { cost.records += min(found, limit.map(Double.init) ?? found) }
    return cost
  }

  /// Returns how many rows a path is expected to have: of an intersection fewer than it may have, as if its paths had nothing to do with
  /// one another. If they have, it reads more records than was thought, but none that the path with the fewest rows would not read.
  private func expectedRows(of path: AccessPath) -> Double {
    guard case .intersection(let inner) = path.source,
      let smallest = inner.min(by: { $0.cardinality < $1.cardinality })
    else { return path.likelyRows }
    return conjuncts.indices.reduce(Double(smallest.cardinality)) { rows, conjunct in
      let isFurther = path.consumed.contains(conjunct) && !smallest.consumed.contains(conjunct)
      return isFurther ? rows * (selectivities[conjunct] ?? 1) : rows
    }
  }

  private func addTests(
    of condition: Condition, rows: Double, on index: IndexDefinition?, to cost: inout Cost
  ) {
    guard !condition.isAlways else { return }
    switch TestNeeds(condition, of: kind, on: index) {
    case .columns: cost.columnTests += rows
    case .record: cost.records += rows
    case .body:
      cost.records += rows
      cost.bodies += rows
    }
  }

  private func selectivity(of path: AccessPath) -> Double {
    conjuncts.indices.reduce(1.0) { share, conjunct in
      path.consumed.contains(conjunct) ? share : share * (selectivities[conjunct] ?? 0.3)
    }
  }

  private static func descents(of path: AccessPath.Source, _ source: any PlanningSource) throws -> Cost {
    switch path {
    case .scan(let scan):
      var cost = Cost()
      cost.nodes = Double(try source.height(scan.index.tree) * 2 * scan.spans.count)
      return cost
    case .textScan(let scan):
      var cost = Cost()
      cost.nodes = Double(6 * scan.positions.count)
      return cost
    case .search:
      var cost = Cost()
      cost.nodes = 12
      return cost
    case .rows(let rows):
      var cost = Cost()
      cost.nodes = Double(3 * rows.count)
      return cost
    case .intersection(let paths), .union(let paths):
      return try paths.reduce(Cost()) { try $0 + descents(of: $1.source, source) }
    case .parts(let path): return try descents(of: path.source, source)
    case .byValue(let path, let others):
      return try descents(of: path.source, source) + descents(of: others.source, source)
    }
  }
}

extension AccessPath {
  /// The nodes that are visited for each row because the source does not say in which conversation a message is.
  fileprivate var descentsOfRow: Double {
    switch source {
    case .textScan(let scan): scan.kind == .messages ? 2 : 0
    case .search(let scan): scan.kind == .messages && scan.conversation == nil ? 2 : 0
    default: 0
    }
  }

  /// The number of rows that is expected: that of all, but for searches for parts of words.
  var likelyRows: Double {
    guard case .search(let scan) = source else { return Double(cardinality) }
    return scan.estimate.likelyRows
  }

  /// The entries that are read for all rows.
  fileprivate var entriesOfAll: Double {
    guard case .search(let scan) = source else { return Double(cardinality) }
    return scan.estimate.before + scan.estimate.entries
  }

  /// The index whose columns come with the rows; nil if the rows come without index columns.
  package var index: IndexDefinition? {
    switch source {
    case .scan(let scan): scan.index
    default: nil
    }
  }

  /// True if the rows can be counted without being read.
  package var countsByRanges: Bool {
    guard residual.isAlways, isCounted else { return false }
    return switch source {
    case .scan, .textScan, .rows: true
    case .search, .intersection, .union, .parts, .byValue: false
    }
  }

  /// True if the rows are exactly runs of an index and come in order, so that a point in the order may be sought in them.
  package var isRunsInOrder: Bool {
    guard residual.isAlways, ordering != .sort else { return false }
    return switch source {
    case .scan, .textScan: true
    case .search, .rows, .intersection, .union, .parts, .byValue: false
    }
  }

  /// True if the path finds an offset by seeking to a rank, in O(log n), and not by skipping rows one by one.
  package var seeksOffset: Bool {
    guard residual.isAlways, case .index = ordering else { return false }
    return switch source {
    case .scan, .textScan, .rows: true
    case .search, .intersection, .union, .parts, .byValue: false
    }
  }
}
