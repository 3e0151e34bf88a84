extension Goal {
  /// The goals of a store that many commits have been made to, in times of a fresh one of the same content.
  static func ofAge(_ rows: GoalRows) -> [Goal] {
    [
      aged("file", 1.5, "after a chat's commits a file of 1.5× a fresh one's", rows),
      aged("page-latest-20", 1.2, "after them the latest 20 messages in 1.2× a fresh store's time", rows),
      aged("unread-conversation", 1.2, "after them a count in 1.2× a fresh store's time", rows),
      aged("open", 1.2, "after them an opening in 1.2× a fresh store's time", rows),
      aged("commit", 1.2, "after them a durable commit in 1.2× a fresh store's time", rows),
    ]
  }

  private static func aged(_ name: String, _ limit: Double, _ title: String, _ rows: GoalRows) -> Goal {
    func times(_ engine: EngineName) -> Double? {
      guard let aged = rows.median("age/\(name)", engine, n: rows.n),
        let fresh = rows.median("age/\(name)-fresh", engine, n: rows.n), fresh > 0
      else { return nil }
      return aged / fresh
    }
    guard let own = times(.satchel) else { return unmeasured(title) }
    var figure = Quantity.times(own)
    if let other = times(.sqlite) { figure += "; SQLite's \(Quantity.times(other)) of its own" }
    return Goal(title: title, figure: figure, isMet: own <= limit)
  }
}
