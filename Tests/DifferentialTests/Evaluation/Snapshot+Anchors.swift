extension Snapshot {
  /// The stretch of sorted rows that an anchor, a limit and an offset leave.
  ///
  /// The anchor need not be one of the rows: its place is the one that it has among all objects of the kind, sorted.
  func stretch(
    of rows: [Int], _ kind: ObjectKind, _ keys: [SortKey], at anchor: ExpectedAnchor, limit: Int?,
    offset: Int?
  ) throws -> ArraySlice<Int> {
    switch anchor {
    case .after(let identifier):
      let (_, later) = try split(rows, kind, keys, at: identifier)
      return try Self.page(Array(later), limit: limit, offset: offset)
    case .before(let identifier):
      // Counted backwards from the anchor, given in the order of the query.
      let (earlier, _) = try split(rows, kind, keys, at: identifier)
      let page = try Self.page(earlier.reversed(), limit: limit, offset: offset)
      return Array(page.reversed())[...]
    case .around(let identifier, let before, let after):
      let (earlier, later) = try split(rows, kind, keys, at: identifier)
      let own = rows[earlier.endIndex..<later.startIndex]
      guard !own.isEmpty else { throw QueryError("\(identifier) is no row of the list") }
      return try Self.page(
        Array(earlier.suffix(before)) + own + later.prefix(after), limit: limit, offset: offset)
    case .aroundDate(let date, let before, let after):
      guard let key = keys.first else { throw QueryError("around a date without a sort key") }
      let column = try column(of: kind, key.path)
      guard column.type == .date else { throw QueryError("around a date in an order by no date") }
      // Missing dates come before all others.
      let isEarlier = { (row: Int) -> Bool in
        guard let rank = column.rank(of: row), case .integer(let value) = column.values[rank] else {
          return !key.isDescending
        }
        return key.isDescending ? value > date : value < date
      }
      let earlier = rows.prefix(while: isEarlier)
      return try Self.page(
        Array(earlier.suffix(before) + rows[earlier.endIndex...].prefix(after)), limit: limit, offset: offset)
    }
  }

  /// The rows before the object of an identifier, and those after it.
  private func split(
    _ rows: [Int], _ kind: ObjectKind, _ keys: [SortKey], at identifier: String
  ) throws -> (earlier: ArraySlice<Int>, later: ArraySlice<Int>) {
    let wanted = ByteString(identifier)
    guard let anchor = (0..<count(of: kind)).first(where: { self.identifier(of: kind, at: $0) == wanted })
    else {
      throw QueryError("there is no \(identifier)")
    }
    var all = Array(0..<count(of: kind))
    try sort(&all, of: kind, by: keys)
    let earlierOfAll = Set(all.prefix { $0 != anchor })
    let earlier = rows.prefix { earlierOfAll.contains($0) }
    return (earlier, rows[earlier.endIndex...].drop { $0 == anchor })
  }
}

extension Column {
  /// The rank of an object's value among the values; nil when it has none.
  fileprivate func rank(of row: Int) -> Int? {
    let start = Int(starts[row])
    return start == Int(starts[row + 1]) ? nil : Int(ranks[start])
  }
}
