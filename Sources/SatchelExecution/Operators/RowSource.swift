import RankedIndex
import SatchelJoins
import SatchelModel
import SatchelPlanning
import SatchelReading

/// Gives the rows of an access path, before its residual condition is tested: the operator that its source asks for.
struct RowSource {
  let snapshot: Snapshot
  let path: AccessPath
  let kind: ObjectKind
  /// The direction of rows that come in creation order without an index.
  let tieDescending: Bool
  /// False if nobody asks in which conversations messages are whose index does not say so.
  var placesRows = true

  /// Calls `body` with each row until it returns false, in the path's order if it has one.
  /// - Parameters:
  ///   - skip: How many rows are left out at the beginning.
  ///   - cut: Where a scan of an index begins.
  ///   - limit: How many rows are wanted, if it is known: so many are read at once at first.
  func forEach(
    skipping skip: Int = 0, from cut: ScanCut? = nil, atMost limit: Int? = nil,
    _ body: (inout RowContext) throws -> Bool
  ) throws {
    let isDescending = path.ordering == .index(descending: true)
    switch path.source {
    case .scan(let scan):
      let scanner = IndexScanner(scan, in: snapshot)
      switch path.ordering {
      case .merge(let descending): _ = try MergeScanner(scanner, descending: descending).forEach(body)
      case .index(let descending):
        let cut: KeyCut? = if case .words(let words)? = cut { words } else { nil }
        _ = try scanner.forEach(descending: descending, skipping: skip, from: cut, atMost: limit, body)
      case .sort: _ = try scanner.forEach(descending: false, body)
      }
    case .textScan(let scan):
      let cut: TextCut? = if case .texts(let texts)? = cut { texts } else { nil }
      _ = try TextScanner(scan, in: snapshot).forEach(
        descending: isDescending, skipping: skip, from: cut, atMost: limit, placing: placesRows, body)
    case .search(let scan):
      let cut: RowCut? = if case .rows(let rows)? = cut { rows } else { nil }
      try SearchScanner(scan, in: snapshot).forEach(
        descending: isDescending, skipping: skip, from: cut, placing: placesRows, body)
    case .rows(let rows):
      try FoundRows(rows: rows, snapshot: snapshot).forEach(descending: isDescending, skipping: skip, body)
    case .intersection(let paths):
      let rows = try Intersection(sources: paths.map { source(of: $0, kind) }).rows()
      try FoundRows(rows: rows, snapshot: snapshot).forEach(descending: isDescending, skipping: skip, body)
    case .union(let paths):
      let rows = try Union(sources: paths.map { source(of: $0, kind) }).rows()
      try FoundRows(rows: rows, snapshot: snapshot).forEach(descending: isDescending, skipping: skip, body)
    case .parts(let messages):
      try PartsOfMessages(
        messages: source(of: messages, .messages, tieDescending: tieDescending), descending: tieDescending
      ).forEach(body)
    case .byValue(let values, let others):
      var paths = isDescending ? [values, others] : [others, values]
      // A cut is in the runs of the values, or in the scan for the others: each heeds its own.
      switch cut {
      case .texts where !isDescending, .words where isDescending: paths.removeFirst()
      default: break
      }
      var isWanted = true
      for path in paths where isWanted {
        try RowFilter(source(of: path, kind)).forEach(from: cut, atMost: path.residual.isAlways ? limit : nil)
        {
          row in
          isWanted = try body(&row)
          return isWanted
        }
      }
    }
  }

  /// Whether its rows come with the conversations that they are in, if they are messages, without a look at another index.
  var saysPlaces: Bool {
    guard kind == .messages, path.residual.isAlways else { return true }
    return switch path.source {
    case .textScan, .search: false
    default: true
    }
  }

  /// The same rows, without what another index would say of them.
  var withoutPlaces: RowSource {
    var source = self
    source.placesRows = saysPlaces
    return source
  }

  private func source(of path: AccessPath, _ kind: ObjectKind, tieDescending: Bool = false) -> RowSource {
    RowSource(snapshot: snapshot, path: path, kind: kind, tieDescending: tieDescending)
  }
}
