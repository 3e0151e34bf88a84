/// The objects that a pattern's terms leave, one after the other: a join that leaps from one object that may match to the next, and reads
/// no more of any list than lies between them.
///
/// Rows ascend, as those of `TermRows` do. No object is made for a row.
package final class SearchStream {
  /// Behind all rows.
  package static let end = UInt64.max

  /// What is exclusive-ored with rows so that they ascend: no complement is `end`, because no row has its highest bit.
  package static func mask(descending: Bool) -> UInt64 { descending ? .max >> 1 : 0 }

  private enum Source {
    case term(TermRows)
    /// Rows that ascend, and the place of the current one.
    case rows([UInt64], Int)
    case union(TermUnion)
    case conversation(ConversationRows)
    case all([SearchStream])
    case any([SearchStream])
    /// Rows of the first stream that are not in the second one, or are in the third.
    case except(SearchStream, SearchStream, unless: SearchStream?)
  }

  // As in `TermRows`.
  @safe @exclusivity(unchecked) private var source: Source
  /// The current row; `end` behind the last one.
  @safe @exclusivity(unchecked) package private(set) var row: UInt64 = 0

  private init(_ source: Source) throws {
    self.source = source
    switch source {
    case .term(let rows): row = rows.row
    case .rows(let rows, _): row = rows.first ?? Self.end
    case .union(let terms):
      try terms.advance(to: 0)
      row = terms.row
    case .conversation(let rows): row = rows.row
    case .all, .except: try settle(0)
    case .any(let parts): row = parts.reduce(Self.end) { min($0, $1.row) }
    }
  }

  static func term(_ rows: TermRows) throws -> SearchStream { try SearchStream(.term(rows)) }

  /// - Parameter rows: They ascend.
  static func rows(_ rows: [UInt64]) throws -> SearchStream { try SearchStream(.rows(rows, 0)) }

  static func union(_ terms: TermUnion) throws -> SearchStream { try SearchStream(.union(terms)) }

  static func conversation(_ rows: ConversationRows) throws -> SearchStream {
    try SearchStream(.conversation(rows))
  }

  /// - Parameter parts: Those with the fewest rows come first.
  static func all(_ parts: [SearchStream]) throws -> SearchStream {
    parts.count == 1 ? parts[0] : try SearchStream(.all(parts))
  }

  package static func any(_ parts: [SearchStream]) throws -> SearchStream {
    parts.count == 1 ? parts[0] : try SearchStream(.any(parts))
  }

  static func except(
    _ rows: SearchStream, _ others: SearchStream, unless exempt: SearchStream?
  ) throws -> SearchStream { try SearchStream(.except(rows, others, unless: exempt)) }

  /// Moves to the first row that is not before a target.
  func advance(to target: UInt64) throws {
    if row >= target { return }
    switch source {
    case .term(let rows):
      try rows.advance(to: target)
      row = rows.row
    case .rows(let rows, var place):
      place = rows.firstPlace(notBefore: target, from: place)
      source = .rows(rows, place)
      row = place < rows.count ? rows[place] : Self.end
    case .union(let terms):
      try terms.advance(to: target)
      row = terms.row
      guard terms.isLong, row < Self.end else { return }
      let rows = try terms.allRows()
      source = .rows(rows, rows.firstPlace(notBefore: row, from: 0))
    case .conversation(let rows):
      try rows.advance(to: target)
      row = rows.row
    case .any(let parts):
      var least = Self.end
      for part in parts {
        try part.advance(to: target)
        least = min(least, part.row)
      }
      row = least
    case .all, .except: try settle(target)
    }
  }

  /// Moves over the current row.
  package func next() throws { if row < Self.end { try advance(to: row + 1) } }

  /// Returns whether a row is in the stream. Rows have to be asked for in their order.
  package func contains(_ other: UInt64) throws -> Bool {
    try advance(to: other)
    return row == other
  }

  private func settle(_ target: UInt64) throws {
    switch source {
    case .all(let parts):
      var target = target
      var agreed = 0
      var turn = 0
      while agreed < parts.count {
        let part = parts[turn]
        try part.advance(to: target)
        if part.row == target { agreed += 1 } else { agreed = 1 }
        target = part.row
        if target == Self.end { break }
        turn = turn + 1 == parts.count ? 0 : turn + 1
      }
      row = target
    case .except(let rows, let others, let exempt):
      try rows.advance(to: target)
      while rows.row < Self.end, try others.contains(rows.row), try !(exempt?.contains(rows.row) ?? false) {
        try rows.next()
      }
      row = rows.row
    case .term, .rows, .union, .conversation, .any: break
    }
  }
}

extension [UInt64] {
  /// Returns the first place from one on whose row is not before a target.
  fileprivate func firstPlace(notBefore target: UInt64, from start: Int) -> Int {
    var low = start
    var step = 1
    while low + step < count, self[low + step] < target {
      low += step
      step *= 2
    }
    var high = Swift.min(low + step, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < target { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
