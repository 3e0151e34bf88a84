extension Goal {
  /// The goals of the commit path: of durable commits, what they leave to others and to the disk, and reads beside them.
  static func ofCommits(_ rows: GoalRows) -> [Goal] {
    inserts(rows) + [
      inserted(
        10_000, "-same-indexes", atLeast: 3,
        "durable commits of 10,000 messages 3× faster than SQLite with the same indexes", rows
      )
      .missed(because: GoalReason.inserts),
      one(
        "insert/1-8-writers", .sqlite, atLeast: 3, "durable commits of eight threads 3× faster than SQLite's",
        rows
      )
      .missed(because: GoalReason.smallCommits),
      one(
        "insert/1-live", .sqlite, atLeast: 1.2,
        "a durable commit while a list is followed 1.2× faster than SQLite, which follows nothing", rows
      )
      .missed(because: GoalReason.live),
      one(
        "insert/1-relaxed", .sqlite, atLeast: 1,
        "a relaxed commit of 1 message no slower than SQLite's with synchronous=NORMAL", rows),
      changed("write/mark-conversation-read", "marking a conversation as read", rows),
      changed("write/set-metadata", "setting a text of metadata", rows),
      one(
        "write/delete-conversation", .sqlite, atLeast: 1.2,
        "deleting a conversation 1.2× faster than SQLite", rows
      )
      .missed(because: GoalReason.changes),
      lived("edit/1", "the text of a message edited", rows),
      lived("tombstone/1", "a message deleted for everyone", rows),
      lived("confirm/1", "a draft confirmed by the server", rows),
      lived("merge/1", "an edit delivered for a message that is there", rows),
      lived("merge/1-nothing-new", "a message delivered a second time", rows),
      atMost(
        1, "insert/1-p99.9", .sqlite, "the 99.9th percentile of commits of 1 message no longer than SQLite's",
        rows
      )
      .missed(because: GoalReason.checkpoints),
      below(
        3, .milliseconds, "insert/1-p99-of-worst-1000",
        "the 99th percentile of commits while a checkpoint runs below 3 ms", rows
      )
      .missed(because: GoalReason.checkpoints),
      atMost(
        0.2, "insert/1-device-bytes", .sqlite,
        "a fifth of the bytes that SQLite gives the disk for a message, in commits of 1", rows),
      atMost(
        0.2, "insert/100-device-bytes", .sqlite,
        "a fifth of the bytes that SQLite gives the disk for a message, in commits of 100", rows),
      atMost(
        1.5, "growth/100000-commits", .sqlite,
        "over 100,000 commits the files grow by 1.5× what SQLite's grow",
        rows),
      readsBesideCommits(rows),
      below(
        20, .milliseconds, "open/full-journal", "opening a store with a full journal in less than 20 ms", rows
      )
      .missed(because: GoalReason.fullJournal),
      below(
        5, .milliseconds, "open/first-commit", "the first commit after that in less than 5 ms", rows
      )
      .missed(because: GoalReason.firstCommit),
      below(
        32, .megabytes, "memory/full-tail",
        "less than 32 MB of memory for commits that are only in the journal", rows),
      imported(.sqlite, atLeast: 1.2, rows).missed(because: GoalReason.corpusImport),
      imported(.grdb, atLeast: 1.8, rows).missed(because: GoalReason.corpusImport),
    ]
  }

  /// Commits of every size: as they come, and in the mean of many with the checkpoint that belongs to them.
  private static func inserts(_ rows: GoalRows) -> [Goal] {
    let goals: [(batch: Int, least: Double)] = [(1, 1.5), (10, 3), (100, 5), (1_000, 3), (10_000, 2)]
    return goals.flatMap { batch, least in
      let messages = batch == 1 ? "1 message" : "\(Quantity.count(batch)) messages"
      var wanted = "\(times(least)) faster than SQLite"
      // Large commits are bound by how LMDB writes its pages.
      if batch >= 1_000 { wanted += ", or as fast as raw LMDB" }
      let reason = batch < 1_000 ? GoalReason.smallCommits : GoalReason.inserts
      return [
        inserted(batch, "", atLeast: least, "durable commits of \(messages) \(wanted)", rows)
          .missed(because: reason),
        inserted(
          batch, "-mean", atLeast: least,
          "the mean of durable commits of \(messages), with a checkpoint at the end, \(wanted)", rows
        )
        .missed(because: GoalReason.checkpoints),
      ]
    }
  }

  /// Commits of so many messages at least so many times faster than SQLite's; those of 1,000 and more may instead be as fast
  /// as raw LMDB's in the same run.
  private static func inserted(
    _ batch: Int, _ suffix: String, atLeast least: Double, _ title: String, _ rows: GoalRows
  ) -> Goal {
    let workload = "insert/\(batch)\(suffix)"
    var goal = one(workload, .sqlite, atLeast: least, title, rows)
    guard batch >= 1_000, goal.isMet != nil, let own = rows.median(workload, .satchel, n: rows.n),
      let floor = rows.median(workload, .lmdb, n: rows.n), floor > 0
    else { return goal }
    goal.figure += "; \(Quantity.times(own / floor)) of raw LMDB's time"
    if own <= floor { goal.isMet = true }
    return goal
  }

  /// A change in a durable commit 1.2 times faster than SQLite's, or at most 40 µs above what the disk alone needs.
  private static func changed(_ workload: String, _ what: String, _ rows: GoalRows) -> Goal {
    var goal = one(
      workload, .sqlite, atLeast: 1.2, "\(what) 1.2× faster than SQLite, or 40 µs above the disk's floor",
      rows)
    goal.reason = GoalReason.changes
    guard goal.isMet != nil, let own = rows.median(workload, .satchel, n: rows.n),
      let floor = rows.median("insert/fsync-floor", .disk, n: rows.n)
    else { return goal }
    goal.figure += "; \(Quantity.text(own - floor, .microseconds)) above the floor"
    if own - floor <= 40 { goal.isMet = true }
    return goal
  }

  /// A step of a message's life in a commit of its own, in at most 1.2 times SQLite's time.
  private static func lived(_ workload: String, _ what: String, _ rows: GoalRows) -> Goal {
    atMost(1.2, workload, .sqlite, "\(what) in 1.2× SQLite's time", rows).missed(because: GoalReason.lives)
  }

  /// Reads while 1,000 commits are only in the journal, in times of the same reads without.
  private static func readsBesideCommits(_ rows: GoalRows) -> Goal {
    let title = "reads with 1,000 commits in the journal in 1.3× the time without"
    let beside = rows.rows.filter {
      $0.engine == .satchel && $0.n == rows.n && $0.group == "tail" && $0.workload.hasSuffix("-1000")
    }
    let growths = beside.compactMap { row -> (workload: String, times: Double)? in
      let alone = rows.median(String(row.workload.dropLast("-1000".count)), .satchel, n: rows.n)
      return alone.flatMap { $0 > 0 ? (row.workload, row.median / $0) : nil }
    }
    guard let worst = growths.max(by: { $0.times < $1.times }) else { return unmeasured(title) }
    var figure = "worst case \(Quantity.times(worst.times)) (`\(worst.workload)`)"
    if growths.count < 4 { figure += "; only \(growths.count) of 4 were measured" }
    var goal = Goal(title: title, figure: figure, isMet: worst.times <= 1.3 && growths.count >= 4)
    goal.reason = GoalReason.tail
    return goal
  }

  /// A figure of Satchel's below a bound.
  static func below(
    _ limit: Double, _ unit: Unit, _ workload: String, _ title: String, _ rows: GoalRows
  ) -> Goal {
    guard
      let row = rows.rows.first(where: {
        $0.workload == workload && $0.engine == .satchel && $0.n == rows.n
      })
    else { return unmeasured(title) }
    // Times may be told in another unit than the bound.
    let scale = (row.unit.inNanoseconds ?? 1) / (unit.inNanoseconds ?? 1)
    return Goal(title: title, figure: Quantity.text(row.median, row.unit), isMet: row.median * scale < limit)
  }

  private static func imported(_ engine: EngineName, atLeast least: Double, _ rows: GoalRows) -> Goal {
    one(
      "import/generated", engine, atLeast: least,
      "import of generated lines \(times(least)) faster than through \(engine.title)", rows)
  }

  /// A factor as a goal names it: `3×`, `1.5×`.
  static func times(_ factor: Double) -> String {
    factor == factor.rounded() ? "\(Int(factor))×" : "\(factor)×"
  }
}
