extension Goal {
  /// The goals of records of an application's own types.
  static func ofRecords(_ rows: GoalRows) -> [Goal] {
    [
      found("records/page", 3, "a page of records by a declared order", rows),
      found("records/page-middle", 3, "a page of records in the middle of a declared order", rows),
      found("records/count", 100, "a count of records", rows),
      found("records/count-through-reference", 100, "a count of records through a reference", rows),
      atMost(
        1.2, "records/page-through-reference", .sqlite,
        "a page of records through a reference in 1.2× the time of SQLite's better side", rows),
      below(
        20, .milliseconds, "records/commit-beside-p99",
        "while a list goes with 100,000 tasks, and after it, the 99th percentile of commits below 20 ms", rows
      ),
      found("records/save-1", 1.2, "a durable commit of a record", rows),
    ]
  }
}
