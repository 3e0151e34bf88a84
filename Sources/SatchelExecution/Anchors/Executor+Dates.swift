package import SatchelModel
package import SatchelPlanning
import SatchelQuery
import SatchelReading

extension Question {
  /// True if the order is by the position of messages first: a date is then looked for among the positions, because
  /// positions grow with the dates.
  package var isByPosition: Bool {
    (kind == .messages || kind == .announcements)
      && sort.first?.property == ObjectProperty([], .position)
  }

  /// The error for a date that is looked for in another order.
  package var noDateError: SatchelError {
    SatchelError(
      .invalidValue,
      kind == .records
        ? "A list around a date has createdAt or updatedAt as its first sort key: fields of records may have other values than dates"
        : "A list around a date has a date or the position as its first sort key",
      ["sort": sort.first?.property.path.spelledPath ?? "none"])
  }
}

extension Executor {
  /// Returns the rank of the first of a question's results at or after a date; see `rank(ofDate:in:count:row:)`.
  func rank(of date: Timestamp, in question: Question, _ results: ResultsByRank) throws -> Int {
    try rank(ofDate: date.microseconds, in: question, count: results.count) {
      try results.rows(in: $0..<($0 + 1)).first
    }
  }

  /// Returns the rank of the first row at or after a date, in an order by position; in a descending one, of the first
  /// row at or before it. It is the number of rows if there is none.
  ///
  /// The date of a message is when it was sent or, if that is missing, when it was received; a message without a date
  /// goes with the row after it. If dates do not grow with positions, the row before the one that is found still has an
  /// earlier date, but there may be other such rows.
  /// - Parameters:
  ///   - date: Microseconds since 1970.
  ///   - count: The number of rows.
  ///   - row: Returns the row with a rank.
  /// - Complexity: O(log n) calls of `row`, and one for each row without a date that is met.
  package func rank(
    ofDate date: Int64, in question: Question, count: Int, row: (Int) throws -> RowReference?
  ) throws -> Int {
    let isDescending = question.sort.first?.descending ?? false
    let keys = [ObjectField.sentAt, .receivedAt].map {
      ResolvedSort(ObjectProperty([], $0), descending: false)
    }
    let reader = SortKeyReader(keys, of: question.kind, on: nil, in: snapshot)
    func dateOfRow(_ rank: Int) throws -> Int64? {
      guard let reference = try row(rank) else { return nil }
      var context = RowContext()
      context.begin(reference)
      for case .integer(let date) in try reader.row(&context).keys { return date }
      return nil
    }
    var low = 0
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      var rank = middle
      var found: Int64?
      while rank < high, found == nil {
        found = try dateOfRow(rank)
        if found == nil { rank += 1 }
      }
      guard let found else {
        high = middle
        continue
      }
      if isDescending ? found > date : found < date { low = rank + 1 } else { high = middle }
    }
    return low
  }
}
