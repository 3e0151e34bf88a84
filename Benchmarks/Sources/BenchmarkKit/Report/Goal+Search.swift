extension Goal {
  /// The goals of full-text search, beside FTS5 over the same terms.
  static func ofSearch(_ rows: GoalRows) -> [Goal] {
    [
      searches(rows),
      one(
        "search/part", .sqlite, atLeast: 5, "a part of a word found 5× faster than by FTS5's trigrams", rows),
      counts(rows),
      atMost(
        1.5, "search/bytes", .sqlite, "an index of words in 1.5× the bytes of FTS5's with detail=column", rows
      ),
      indexedInsert(rows),
      one(
        "search/import", .sqlite, atLeast: 1, "an import with an index of words no slower than with FTS5's",
        rows),
      below(20, .microseconds, "search/live", "a live search costs other commits less than 20 µs", rows),
    ]
  }

  /// Pages of what is found: each twice as fast as FTS5, four times in the mean.
  private static func searches(_ rows: GoalRows) -> Goal {
    let title = "searches 2× faster than FTS5, 4× in the mean"
    let names = ["frequent", "middle", "rare", "two", "prefix", "in-conversation"].flatMap {
      [$0, "\($0)-column"]
    }
    let workloads = (names + ["phrase", "relevance-frequent", "relevance-middle"]).map { "search/\($0)" }
    let speedups = workloads.compactMap { name in rows.speedup(name, over: .sqlite).map { (name, $0) } }
    guard let worst = speedups.min(by: { $0.1 < $1.1 }), let mean = geometricMean(speedups.map(\.1)) else {
      return unmeasured(title)
    }
    var figure =
      "geometric mean \(Quantity.times(mean)), worst case \(Quantity.times(worst.1)) (`\(worst.0)`)"
    if speedups.count < workloads.count {
      figure += "; only \(speedups.count) of \(workloads.count) were measured"
    }
    return Goal(
      title: title, figure: figure, isMet: worst.1 >= 2 && mean >= 4 && speedups.count == workloads.count)
  }

  private static func counts(_ rows: GoalRows) -> Goal {
    let title = "counts of a word 100× faster than FTS5's"
    let workloads = [
      "search/count", "search/count-column", "search/count-frequent", "search/count-frequent-column",
    ]
    let speedups = workloads.compactMap { rows.speedup($0, over: .sqlite) }
    guard let worst = speedups.min(), speedups.count == workloads.count else { return unmeasured(title) }
    return Goal(title: title, figure: "worst case \(Quantity.times(worst))", isMet: worst >= 100)
  }

  /// What an index of words costs a commit of a message, in times of the same commit without.
  private static func indexedInsert(_ rows: GoalRows) -> Goal {
    let title = "a durable commit of a message with an index of words in 1.5× the time without"
    func times(_ engine: EngineName) -> Double? {
      guard let with = rows.median("search/insert-1", engine, n: rows.n),
        let without = rows.median("search/insert-1-without", engine, n: rows.n), without > 0
      else { return nil }
      return with / without
    }
    guard let own = times(.satchel) else { return unmeasured(title) }
    var figure = Quantity.times(own)
    if let other = times(.sqlite) { figure += "; FTS5's \(Quantity.times(other)) of its own" }
    return Goal(title: title, figure: figure, isMet: own <= 1.5)
  }
}
