import SatchelJoins
import SatchelPlanning
import SatchelReading

/// Gives the objects that match patterns, by an index of words, in the order of their creation.
struct SearchScanner {
  private let snapshot: Snapshot
  private let scan: SearchScan

  init(_ scan: SearchScan, in snapshot: Snapshot) {
    self.snapshot = snapshot
    self.scan = scan
  }

  /// Calls `body` with each row in order, from a bound on and after the first `skip`, until it returns false.
  /// - Parameter isPlacing: Whether rows of messages say in which conversation they are: a descent in another tree for each.
  func forEach(
    descending: Bool, skipping skip: Int = 0, from cut: RowCut? = nil, placing isPlacing: Bool = true,
    _ body: (inout RowContext) throws -> Bool
  ) throws {
    let join = SearchJoin(scan, descending: descending, in: snapshot)
    let stream = try join.rows(of: scan)
    let areAllDoubtful = scan.doubt.contains(.all)
    let doubtful = areAllDoubtful ? nil : try join.doubtful(scan.doubt)
    let evaluator = ConditionEvaluator(scan.test, of: scan.kind, on: nil, in: snapshot)
    let mask = SearchStream.mask(descending: descending)
    if let cut { try stream.begin(at: cut, descending: descending) }
    var places = scan.kind == .messages && scan.conversation == nil ? try MessagePlaces(snapshot) : nil
    var context = RowContext()
    var (skip, looked) = (skip, 0)
    while stream.row < SearchStream.end {
      looked += 1
      if looked % IndexScanner.batch == 0 { try snapshot.checkBounds() }
      let sequence = stream.row ^ mask
      let isTested = try areAllDoubtful || doubtful?.contains(stream.row) ?? false
      try stream.next()
      if skip > 0, !isTested {
        skip -= 1
        continue
      }
      let conversation = isPlacing || isTested ? try places?.conversation(of: sequence) : nil
      let place = conversation ?? scan.conversation ?? scan.recordType
      context.begin(RowReference(sequence: sequence, conversation: place))
      if isTested, try !evaluator.matches(&context) { continue }
      if skip > 0 {
        skip -= 1
        continue
      }
      guard try body(&context) else { return }
    }
  }
}
