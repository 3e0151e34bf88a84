import SatchelCoding
import SatchelModel
import SatchelPlanning
import SatchelQuery

/// The place in a query's order from which its rows are wanted: at an object or a date, or just behind it.
struct StartingPoint {
  enum Place {
    /// An object, with the values that it is sorted by, and whether it is one of the query's results.
    case object(SortRow, isResult: Bool)
    /// A date, in an order whose first key is a date.
    case date(Int64)
  }

  let place: Place
  /// True when what is at the place itself is wanted too.
  let isInclusive: Bool
  let sort: [ResolvedSort]
  let kind: ObjectKind

  /// True when a row comes at or after this place in the query's order.
  func admits(_ row: SortRow, _ order: RowOrder) -> Bool {
    switch place {
    case .object(let anchor, _):
      return isInclusive ? !order.precedes(row, anchor) : order.precedes(anchor, row)
    case .date(let date):
      guard let first = row.keys.first else { return false }
      let anchor = SortValue.integer(date)
      if first == anchor { return isInclusive }
      return (anchor < first) != (sort.first?.descending ?? false)
    }
  }

  /// The place as a position in the index of a path that has the query's order; nil where it must be found by sorting.
  func cut(of path: AccessPath) -> KeyCut? {
    guard case .scan(let scan) = path.source, case .index(let descending) = path.ordering,
      let prefix = scan.spans.first.map({ Array($0.lower.prefix(scan.fixedColumns)) })
    else { return nil }
    let segments = scan.index.key.dropFirst(scan.fixedSegments)
    switch place {
    case .date(let date):
      guard let first = sort.first, segments.first == .date(first.property) else { return nil }
      return KeyCut(words: prefix + [1, KeyWords.word(date)], isAfter: descending == isInclusive)
    case .object(let row, let isResult):
      // A key that the run has fixed to one value says nothing in it; but the value of an object that is no result may
      // be another one, and then the whole run is on one side of it.
      guard
        isResult
          || sort.allSatisfy({ key in Segment(key.property, of: kind).map(segments.contains) ?? false })
      else { return nil }
      var words = prefix
      for segment in segments {
        guard let next = self.words(of: segment, row) else { return nil }
        words += next
      }
      return KeyCut(words: words, isAfter: descending == isInclusive)
    }
  }

  private func words(of segment: Segment, _ row: SortRow) -> [UInt64]? {
    switch segment {
    case .sequence, .row: return [row.reference.sequence]
    case .partIndex: return [UInt64(row.reference.part)]
    case .date, .position:
      guard let place = sort.firstIndex(where: { Segment($0.property, of: kind) == segment }) else {
        return nil
      }
      switch row.keys[place] {
      case .missing: return [0, 0]
      case .unsent: return [1, 0]
      case .integer(let number): return [segment == .position ? 0 : 1, KeyWords.word(number)]
      case .bytes: return nil
      }
    default: return nil
    }
  }
}
