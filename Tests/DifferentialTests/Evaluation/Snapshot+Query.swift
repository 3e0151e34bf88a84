/// What a query gives: identifiers in order, or how many there are.
enum EngineAnswer: Equatable, Sendable {
  case identifiers([String])
  case count(Int)
}

extension Snapshot {
  /// Answers a query by looking at every object and sorting those that qualify.
  func answer(_ query: GeneratedQuery) throws -> EngineAnswer {
    let kind = ObjectKind(rawValue: query.kind)
    if case .records(let type) = kind, records[type] == nil { throw QueryError("unknown kind \(query.kind)") }
    if let conversation = query.membersOf {
      var asked = query
      asked.membersOf = nil
      return try showingMembers(of: ByteString(conversation)).answer(asked)
    }
    let predicate = try query.predicate.map { try PredicateParser.parse($0) }
    var rows = try rows(of: kind, where: predicate)
    let keys = try query.sort.map { try SortKey($0) }
    try sort(&rows, of: kind, by: keys)
    let page =
      if let anchor = query.anchor {
        try stretch(of: rows, kind, keys, at: anchor, limit: query.limit, offset: query.offset)
      } else {
        try Self.page(rows, limit: query.limit, offset: query.offset)
      }
    switch query.select {
    case .count: return .count(page.count)
    case .groups: return .identifiers(try groups(of: page, kind, query))
    case .identifiers: return .identifiers(page.map { identifier(of: kind, at: $0).string })
    }
  }

  /// How many of some rows each group has: those without a value first, the others in ascending order.
  private func groups(
    of rows: ArraySlice<Int>, _ kind: ObjectKind, _ query: GeneratedQuery
  ) throws -> [String] {
    let column = try column(of: kind, SortKey(query.countedBy ?? "").path)
    guard column.isSortable else { throw QueryError("cannot count by \(query.countedBy ?? "")") }
    func value(_ row: Int) -> Value? {
      let start = Int(column.starts[row])
      guard start < Int(column.starts[row + 1]) else { return nil }
      let value = column.values[Int(column.ranks[start])]
      if let clocks = query.clocks {
        switch (value, column.type) {
        case (.integer(let date), .date), (.date(let date), _):
          let shown = date + clocks * 1_000_000
          return .date(
            shown - (shown % 86_400_000_000 + 86_400_000_000) % 86_400_000_000 - clocks * 1_000_000)
        default: return nil
        }
      }
      // A list belongs to no one group.
      if case .list = value { return nil }
      return value
    }
    let counts = Dictionary(grouping: rows, by: value).mapValues(\.count)
    let ordered = counts.compactMap { value, count in value.map { ($0, count) } }.sorted {
      $0.0.precedes($1.0)
    }
    return (counts[nil].map { [GroupText.missing($0)] } ?? [])
      + ordered.map { value, count in
        switch (value, column.type) {
        case (.integer(let place), .transfer): GroupText.text(transferStatuses[Int(place)].string, count)
        case (.integer(let date), .date): GroupText.date(date, count)
        case (.integer(let number), _): GroupText.number(number, count)
        case (.double(let number), _): GroupText.number(number, count)
        case (.date(let date), _): GroupText.date(date, count)
        case (.boolean(let flag), _): GroupText.boolean(flag, count)
        case (.reference(let reference), _): GroupText.reference(reference, count)
        case (.string(let text), _): GroupText.text(text.string, count)
        default: "\(value)"
        }
      }
  }

  /// The rows a predicate holds for, in creation order.
  func rows(of kind: ObjectKind, where predicate: Predicate?) throws -> [Int] {
    let all = 0..<count(of: kind)
    guard let predicate else { return Array(all) }
    let test = try RowTest.make(predicate, kind, self)
    return all.filter(test.holds)
  }

  static func page(_ rows: [Int], limit: Int?, offset: Int?) throws -> ArraySlice<Int> {
    guard limit ?? 0 >= 0, offset ?? 0 >= 0 else { throw QueryError("a negative limit or offset") }
    let rest = rows.dropFirst(offset ?? 0)
    return limit.map { rest.prefix($0) } ?? rest
  }
}

/// A key to sort by, and its direction.
struct SortKey {
  let path: PropertyPath
  let isDescending: Bool

  /// - Parameter text: a path, after a `-` if descending.
  init(_ text: String) throws {
    isDescending = text.hasPrefix("-")
    path = try PredicateParser.parsePath(isDescending ? String(text.dropFirst()) : text)
  }
}

extension Snapshot {
  /// Sorts rows given in creation order. Missing values go first ascending and last descending, `position` the other
  /// way round; what ties in every key is in creation order, in the direction of the last key.
  func sort(_ rows: inout [Int], of kind: ObjectKind, by keys: [SortKey]) throws {
    guard let last = keys.last else { return }
    let columns = try keys.map { key in
      let column = try column(of: kind, key.path)
      guard column.isSortable else { throw QueryError("cannot sort by \(key.path.components)") }
      return column
    }
    // Per row its rank under each key, negated where the key descends, then its creation: ascending arrays of numbers.
    let width = keys.count + 1
    var numbers: [Int32] = []
    numbers.reserveCapacity(rows.count * width)
    for row in rows {
      for (key, column) in zip(keys, columns) {
        let start = Int(column.starts[row])
        let isMissing = start == Int(column.starts[row + 1])
        let rank = isMissing ? (column.sortsMissingLast ? Int32.max : -1) : column.ranks[start]
        numbers.append(key.isDescending ? -rank : rank)
      }
      numbers.append(last.isDescending ? -Int32(row) : Int32(row))
    }
    let order = numbers.withUnsafeBufferPointer { numbers in
      (0..<rows.count).sorted { left, right in
        for key in 0..<width {
          let a = numbers[left * width + key]
          let b = numbers[right * width + key]
          if a != b { return a < b }
        }
        return false
      }
    }
    rows = order.map { rows[$0] }
  }
}
