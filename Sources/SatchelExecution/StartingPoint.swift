import RankedKeys
import SatchelCoding
import SatchelIndexing
import SatchelJoins
import SatchelModel
import SatchelPlanning
import SatchelQuery

/// The point in a query's order from which its rows are wanted: at an object or a date, or just after it.
struct StartingPoint {
  enum Anchor {
    /// An object, with the values that it is sorted by, and whether it is one of the query's results.
    case object(SortRow, isResult: Bool)
    /// A date, in an order whose first key is a date.
    case date(Int64)
  }

  var anchor: Anchor
  /// True if rows at the point itself are wanted too.
  var isInclusive: Bool
  var sort: [ResolvedSort]
  let kind: ObjectKind

  /// The same point in the reverse order.
  var reversed: StartingPoint {
    var point = self
    point.sort = sort.map(\.reversed)
    return point
  }

  /// Returns whether a row comes after this point in the query's order, or at it if the point is inclusive.
  func admits(_ row: SortRow, _ order: RowOrder) -> Bool {
    switch anchor {
    case .object(let object, _):
      return isInclusive ? !order.precedes(row, object) : order.precedes(object, row)
    case .date(let date):
      guard let first = row.keys.first else { return false }
      let wanted = SortValue.integer(date)
      if first == wanted { return isInclusive }
      return (wanted < first) != (sort.first?.descending ?? false)
    }
  }

  /// Returns the point as a cut in the index of a path that has the query's order; nil if the rows after it can only be
  /// found by sorting.
  func cut(of path: AccessPath) -> ScanCut? {
    guard case .index(let descending) = path.ordering else { return nil }
    switch path.source {
    case .scan(let scan): return cut(of: scan, descending: descending).map { .words($0) }
    case .textScan(let scan): return cut(of: scan, descending: descending).map { .texts($0) }
    case .byValue(let values, let others):
      guard case .object(var row, _) = anchor, row.keys == [.missing] else { return cut(of: values) }
      // Those without a value are in the order of creation.
      row = SortRow(keys: [], reference: row.reference)
      let anchor = Anchor.object(row, isResult: true)
      return StartingPoint(anchor: anchor, isInclusive: isInclusive, sort: [], kind: kind).cut(of: others)
    case .search:
      // In the order of creation.
      guard case .object(let row, _) = anchor else { return nil }
      return .rows(RowCut(sequence: row.reference.sequence, isAfter: descending == isInclusive))
    case .rows, .intersection, .union, .parts: return nil
    }
  }

  private func cut(of scan: IndexScan, descending: Bool) -> KeyCut? {
    guard let prefix = scan.spans.first.map({ Array($0.lower.prefix(scan.fixedColumns)) }) else { return nil }
    let segments = scan.index.key.dropFirst(scan.fixedSegments)
    switch anchor {
    case .date(let date):
      guard let first = sort.first, segments.first == .optional(first.property) else { return nil }
      return KeyCut(words: prefix + [1, KeyWords.word(date)], isAfter: descending == isInclusive)
    case .object(let row, let isResult):
      // A sort key that the run fixes to one value need not be compared within the run. But an object that is not a
      // result may have another value for the key, and then the whole run is on one side of the object.
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

  /// In runs of a declared index, an entry's text is made of the columns: of the values that the question fixes some of them to, and of the
  /// object's values for the others, by which the question sorts.
  private func cut(of scan: TextScan, descending: Bool) -> TextCut? {
    guard let index = scan.declaredIndex else { return cut(ofValues: scan, descending: descending) }
    if let term = scan.term {
      guard case .object(let row, _) = anchor else { return nil }
      let key = TextKey(
        group: WordEntries.terms.group(of: index.id), text: term, row: row.reference.sequence)
      return TextCut(key, isAfter: descending == isInclusive)
    }
    var entry = DeclaredKey()
    for (number, column) in index.columns.enumerated() {
      let key = sort.firstIndex { $0.property == column.property }
      if let value = scan.value(ofColumn: number) {
        // As in an index over words.
        if key != nil, case .object(_, isResult: false) = anchor { return nil }
        entry = DeclaredKey(entry.bytes + value)
        continue
      }
      guard let key, column.form.isOrdered else { return nil }
      switch anchor {
      case .date(let date):
        guard key == 0, column.property.type == .date else { return nil }
        entry.append(integer: date, isInverted: column.isInverted)
        return TextCut(
          entry, of: index, isAfter: descending == isInclusive)
      case .object(let row, _): row.keys[key].append(to: &entry, column)
      }
    }
    guard case .object(let row, _) = anchor else { return nil }
    return TextCut(entry, row.reference, of: index, isAfter: descending == isInclusive)
  }

  /// In runs of one property's values, an entry is a value and its object. The runs have the question's order, which is that of the values,
  /// or that of creation if all are of one value.
  private func cut(ofValues scan: TextScan, descending: Bool) -> TextCut? {
    guard case .object(let row, let isResult) = anchor, let property = scan.property,
      let first = scan.positions.first?.lower.entry
    else { return nil }
    var key = TextKey(group: first.group, text: first.text, row: row.reference.sequence)
    if scan.isOfOneValue {
      // As in an index over words.
      guard scan.positions.count == 1, isResult || !sort.contains(where: { $0.property == property }) else {
        return nil
      }
    } else {
      // A missing value and a list have no place in the runs.
      switch row.keys.first {
      case .bytes(let text): key.text = text
      case .scalar(let value): key.text = value.bytes
      case .reference(let bytes): key.text = [ValueKey.Tag.reference] + bytes
      case nil, .missing, .integer, .list, .unsent: return nil
      }
      if property.type == .custom {
        let isText = if case .bytes = row.keys.first { true } else { false }
        key.group = IndexedValue.group(besides: first.group, texts: isText)
      }
    }
    return TextCut(key, isAfter: descending == isInclusive)
  }

  private func words(of segment: Segment, _ row: SortRow) -> [UInt64]? {
    switch segment {
    case .sequence, .row: return [row.reference.sequence]
    case .partIndex: return [UInt64(row.reference.part)]
    case .optional, .position:
      guard let index = sort.firstIndex(where: { Segment($0.property, of: kind) == segment }) else {
        return nil
      }
      switch row.keys[index] {
      case .missing: return [0, 0]
      case .unsent: return [1, 0]
      case .integer(let number): return [segment == .position ? 0 : 1, KeyWords.word(number)]
      case .bytes, .scalar, .list, .reference: return nil
      }
    default: return nil
    }
  }
}
