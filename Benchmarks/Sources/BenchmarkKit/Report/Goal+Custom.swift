extension Goal {
  /// The goals of messages that are found by the application's own data.
  static func ofCustomData(_ rows: GoalRows) -> [Goal] {
    [
      found("custom/server-id", 3, "a message found by a text of its metadata", rows),
      found("custom/page-priority", 3, "a page of messages by a number of their metadata", rows),
      found("custom/tag", 3, "a page of the newest messages with a tag", rows),
      found("custom/count", 100, "a count of messages above a number of their metadata", rows),
      found("custom/tag-count", 100, "a count of messages with a tag", rows),
      insertedWithMetadata(rows),
      numberEntry(rows),
    ]
  }

  /// So many times faster than both SQLite and GRDB.
  static func found(_ workload: String, _ least: Double, _ what: String, _ rows: GoalRows) -> Goal {
    let title = "\(what) \(times(least)) faster than SQLite and GRDB"
    guard let sqlite = rows.speedup(workload, over: .sqlite), let grdb = rows.speedup(workload, over: .grdb)
    else { return unmeasured(title) }
    return Goal(
      title: title, figure: "\(Quantity.times(sqlite)), \(Quantity.times(grdb))",
      isMet: min(sqlite, grdb) >= least)
  }

  /// What three values cost a commit of a message, in times of the same commit without.
  private static func insertedWithMetadata(_ rows: GoalRows) -> Goal {
    let title = "a durable commit of a message with three values of metadata in 1.2× the time without"
    func times(_ engine: EngineName) -> Double? {
      guard let with = rows.median("custom/insert-1", engine, n: rows.n),
        let without = rows.median("custom/insert-1-without", engine, n: rows.n), without > 0
      else { return nil }
      return with / without
    }
    guard let own = times(.satchel) else { return unmeasured(title) }
    var figure = Quantity.times(own)
    if let other = times(.sqlite) { figure += "; SQLite's \(Quantity.times(other)) of its own" }
    return Goal(title: title, figure: figure, isMet: own <= 1.2)
  }

  private static func numberEntry(_ rows: GoalRows) -> Goal {
    let title = "at most 12 bytes an entry of an index of numbers"
    guard let bytes = rows.median("custom/number-entry", .satchel, n: rows.n) else {
      return unmeasured(title)
    }
    return Goal(title: title, figure: Quantity.text(bytes, .bytes), isMet: bytes <= 12)
  }
}
