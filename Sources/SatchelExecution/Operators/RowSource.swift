import RankedIndex
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelStorage

/// Gives the rows of an access path, before its residual condition is tested.
struct RowSource {
  let snapshot: Snapshot
  let path: AccessPath
  let kind: ObjectKind
  /// The direction of rows that come in creation order without an index.
  let tieDescending: Bool

  /// Calls `body` with each row until it returns false, in the path's order if it has one.
  func forEach(
    skipping skip: Int = 0, from cut: KeyCut? = nil, atMost limit: Int? = nil,
    _ body: (inout RowContext) throws -> Bool
  ) throws {
    switch path.source {
    case .scan(let scan):
      let scanner = IndexScanner(scan, in: snapshot.forest)
      switch path.ordering {
      case .merge(let descending): _ = try MergeScanner(scanner, descending: descending).forEach(body)
      case .index(let descending):
        _ = try scanner.forEach(descending: descending, skipping: skip, from: cut, atMost: limit, body)
      case .sort: _ = try scanner.forEach(descending: false, body)
      }
    case .textScan(let scan):
      _ = try TextScanner(scan, in: snapshot.forest)
        .forEach(descending: path.ordering == .index(descending: true), skipping: skip, body)
    case .rows(let rows): try forEach(of: rows, skipping: skip, body)
    case .intersection(let paths): try forEach(of: intersection(paths), skipping: skip, body)
    case .union(let paths): try forEach(of: union(paths), skipping: skip, body)
    case .parts(let messages): try forEachPart(of: messages, body)
    }
  }

  private func forEach(of rows: [RowReference], skipping skip: Int, _ body: (inout RowContext) throws -> Bool)
    throws
  {
    var context = RowContext()
    let ordered = path.ordering == .index(descending: true) ? rows.reversed() : rows
    for row in ordered.dropFirst(skip) {
      context.begin(row)
      guard try body(&context) else { return }
    }
  }

  // MARK: Combinations

  /// Returns the rows of a path that meet its residual, in creation order.
  private func references(of path: AccessPath) throws -> [RowReference] {
    let source = RowSource(snapshot: snapshot, path: path, kind: kind, tieDescending: false)
    let evaluator = ConditionEvaluator(path.residual, of: kind, on: path.index, in: snapshot)
    var rows: [RowReference] = []
    try source.forEach { row in
      if try evaluator.matches(&row) { rows.append(row.reference) }
      return true
    }
    rows.sort()
    return rows
  }

  private func intersection(_ paths: [AccessPath]) throws -> [RowReference] {
    guard let first = paths.first else { return [] }
    return try paths.dropFirst().reduce(references(of: first)) { rows, path in
      let others = try references(of: path)
      var next = 0
      return rows.filter { row in
        while next < others.count, others[next] < row { next += 1 }
        return next < others.count && others[next] == row
      }
    }
  }

  private func union(_ paths: [AccessPath]) throws -> [RowReference] {
    var rows = try paths.flatMap(references)
    rows.sort()
    var distinct: [RowReference] = []
    for row in rows where distinct.last != row { distinct.append(row) }
    return distinct
  }

  // MARK: Parts

  private func forEachPart(of messages: AccessPath, _ body: (inout RowContext) throws -> Bool) throws {
    let source = RowSource(snapshot: snapshot, path: messages, kind: .messages, tieDescending: tieDescending)
    let evaluator = ConditionEvaluator(messages.residual, of: .messages, on: messages.index, in: snapshot)
    try source.forEach { row in
      guard try evaluator.matches(&row) else { return true }
      let count = try row.message(snapshot).partCount
      for place in 0..<count {
        row.enterPart(tieDescending ? count - 1 - place : place)
        guard try body(&row) else { return false }
      }
      return true
    }
  }
}
