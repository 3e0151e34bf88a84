extension Goal {
  /// The goals of indexes that the application has declared.
  static func ofDeclaredIndexes(_ rows: GoalRows) -> [Goal] {
    [
      found("declared/page", 3, "a page of a declared order", rows),
      found("declared/page-middle", 3, "a page in the middle of a declared order", rows),
      found("declared/unread-page", 3, "a page of a declared order of unread messages", rows),
      found("declared/count", 100, "a count of a declared order", rows),
      found("declared/rank", 100, "the row of a message in a declared order", rows),
      found(
        "declared/unread-count", 100, "a count of unread messages above a number of their metadata", rows),
      recordsOfBoth(rows),
      atMost(2, "declared/declare", .sqlite, "an index is made in 2× SQLite's time", rows),
      below(
        20, .milliseconds, "declared/commit-beside-p99",
        "while an index is made, the 99th percentile of commits below 20 ms", rows),
      below(
        1, .milliseconds, "groups/days-of-month", "the days of a month that have messages in less than 1 ms",
        rows),
    ]
  }

  /// Two conditions read a quarter of the records that one of them alone would read.
  private static func recordsOfBoth(_ rows: GoalRows) -> Goal {
    let title = "two conditions that a tenth meets each read a quarter of one's records"
    guard let read = rows.median("declared/and-records", .satchel, n: rows.n),
      let ofOne = rows.median("declared/and-records-of-one", .satchel, n: rows.n), ofOne > 0
    else { return unmeasured(title) }
    let figure = "\(Quantity.text(read, .records)) of \(Quantity.count(Int(ofOne)))"
    return Goal(title: title, figure: figure, isMet: read / ofOne < 0.25)
  }
}
