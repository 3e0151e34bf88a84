extension Goal {
  /// All goals, with what the rows say of each.
  public static func all(in rows: [Result]) -> [Goal] {
    let rows = GoalRows(rows)
    return [
      group(
        "seed", of: 13, .grdb, atLeast: 10, mean: 20,
        "every example query 10× faster than GRDB, 20× in the mean", rows),
      group("seed", of: 13, .sqlite, atLeast: 3, "every example query 3× faster than prepared SQLite", rows)
        .missed(because: GoalReason.seeds),
      group("count", of: 8, .sqlite, atLeast: 500, "counts, ranks and offsets 500× faster than SQLite", rows)
        .missed(because: GoalReason.counts),
      flat(rows).missed(because: GoalReason.flat),
      one("page/latest-20", .sqlite, atLeast: 5, "the latest 20 messages 5× faster than SQLite", rows)
        .missed(because: GoalReason.page),
      one("page/latest-20", .grdb, atLeast: 20, "the latest 20 messages 20× faster than GRDB", rows),
      one(
        "page/including-sender", .sqlite, atLeast: 2,
        "the latest 20 messages with their senders 2× faster than SQLite's join", rows),
      group("identifiers", of: 3, .sqlite, atLeast: 5, "identifiers 5× faster than SQLite", rows)
        .missed(because: GoalReason.identifiers),
      atMost(1.5, "scan/records", .lmdb, "a scan of records in 1.5× raw LMDB's time", rows)
        .missed(because: GoalReason.scan),
      corpusImport(rows).missed(because: GoalReason.corpusImport),
      indexEntry(rows),
      atMost(
        1.2, "size/file-same-indexes", .sqlite, "a file of 1.2× SQLite's, with the same data and indexes",
        rows),
      atMost(
        1, "open/first-page-cold", .sqlite, "the first page after a cold open no slower than SQLite's", rows
      )
      .missed(because: GoalReason.coldPage),
    ] + ofCustomData(rows) + ofDeclaredIndexes(rows) + ofRecords(rows) + ofTalk(rows) + ofSearch(rows)
      + ofCommits(rows) + ofAge(rows)
  }

  /// A goal of which nothing is known.
  static func unmeasured(_ title: String) -> Goal {
    Goal(title: title, figure: "not measured", isMet: nil)
  }

  /// Every workload of a group at least so many times faster, and the geometric mean too where one is asked for. A group
  /// some of whose workloads failed has not reached its goal, whatever the others did.
  private static func group(
    _ group: String, of count: Int, _ engine: EngineName, atLeast least: Double, mean wanted: Double? = nil,
    _ title: String,
    _ rows: GoalRows
  ) -> Goal {
    let speedups = rows.speedups(over: engine, group: group)
    guard let worst = speedups.min(by: { $0.times < $1.times }),
      let mean = geometricMean(speedups.map(\.times))
    else { return unmeasured(title) }
    let below = speedups.count { $0.times < least }
    var figure =
      "geometric mean \(Quantity.times(mean)), worst case \(Quantity.times(worst.times)) (`\(worst.workload)`)"
    if below > 0 { figure += "; \(below) of \(speedups.count) miss it" }
    if speedups.count < count { figure += "; only \(speedups.count) of \(count) were measured" }
    let isMet = worst.times >= least && (wanted.map { mean >= $0 } ?? true) && speedups.count >= count
    return Goal(title: title, figure: figure, isMet: isMet)
  }

  /// One workload at least so many times faster.
  static func one(
    _ workload: String, _ engine: EngineName, atLeast least: Double, _ title: String, _ rows: GoalRows
  ) -> Goal {
    guard let times = rows.speedup(workload, over: engine) else { return unmeasured(title) }
    return Goal(title: title, figure: Quantity.times(times), isMet: times >= least)
  }

  /// One workload in at most so many times what another engine takes.
  static func atMost(
    _ limit: Double, _ workload: String, _ engine: EngineName, _ title: String, _ rows: GoalRows
  ) -> Goal {
    guard let own = rows.median(workload, .satchel, n: rows.n),
      let other = rows.median(workload, engine, n: rows.n), other > 0
    else { return unmeasured(title) }
    return Goal(
      title: title, figure: "\(Quantity.times(own / other)) of \(engine.title)'s", isMet: own / other <= limit
    )
  }

  /// The cost of counts, ranks and offsets does not grow with the store.
  private static func flat(_ rows: GoalRows) -> Goal {
    let title = "counts, ranks and offsets flat in n: within 3× from 10^4 messages on"
    var growths: [(workload: String, times: Double)] = []
    let counts = rows.rows.filter {
      $0.engine == .satchel && $0.workload.hasPrefix("count/") && ($0.n ?? 0) >= 10_000
    }
    for (workload, sizes) in Dictionary(grouping: counts, by: \.workload) where sizes.count > 1 {
      let medians = sizes.map(\.median)
      if let least = medians.min(), let most = medians.max(), least > 0 {
        growths.append((workload, most / least))
      }
    }
    guard let worst = growths.max(by: { ($0.times, $1.workload) < ($1.times, $0.workload) }),
      let mean = geometricMean(growths.map(\.times)),
      let least = counts.compactMap(\.n).min(), let most = counts.compactMap(\.n).max()
    else { return unmeasured(title) }
    let figure =
      "from \(Quantity.count(least)) to \(Quantity.count(most)): geometric mean \(Quantity.times(mean)), "
      + "worst case \(Quantity.times(worst.times)) (`\(worst.workload)`)"
    return Goal(title: title, figure: figure, isMet: worst.times <= 3)
  }

  private static func corpusImport(_ rows: GoalRows) -> Goal {
    let title = "import of zulip-full faster than the same lines through GRDB"
    let imports = rows.rows.filter { $0.workload.hasPrefix("import/") && $0.workload.contains("zulip-full") }
    guard let own = imports.first(where: { $0.engine == .satchel }),
      let other = imports.first(where: { $0.engine == .grdb && $0.key == own.key }), own.median > 0
    else { return unmeasured(title) }
    let times = other.median / own.median
    return Goal(title: title, figure: Quantity.times(times), isMet: times > 1)
  }

  private static func indexEntry(_ rows: GoalRows) -> Goal {
    let title = "at most 12 bytes an index entry"
    guard let bytes = rows.median("size/index-entry", .satchel, n: rows.n) else { return unmeasured(title) }
    return Goal(title: title, figure: Quantity.text(bytes, .bytes), isMet: bytes <= 12)
  }
}
