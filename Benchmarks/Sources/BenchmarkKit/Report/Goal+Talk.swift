extension Goal {
  /// The goals of what is said to messages and of conversations: reactions and replies, participants' states, relations.
  static func ofTalk(_ rows: GoalRows) -> [Goal] {
    [
      pageWithResponses(rows).missed(because: GoalReason.responses),
      one(
        "talk/react-1", .sqlite, atLeast: 1.2, "a durable commit of a reaction 1.2× faster than SQLite", rows
      )
      .missed(because: GoalReason.reactions),
      one(
        "talk/conversations-mine", .sqlite, atLeast: 3,
        "20 conversations by the user's own states 3× faster than SQLite", rows
      )
      .missed(because: GoalReason.ownStates),
      below(
        1, .milliseconds, "talk/following-count",
        "a count of 10,000 users who are followed in less than 1 ms",
        rows),
      below(
        1, .milliseconds, "talk/mutual-count",
        "a count of those of 10,000 who follow the user too in less than 1 ms", rows
      )
      .missed(because: GoalReason.mutualRelations),
    ]
  }

  /// What reactions and replies add to a page of messages.
  private static func pageWithResponses(_ rows: GoalRows) -> Goal {
    let title = "20 messages with their reactions and replies, counted, at most 0.1 ms slower than without"
    func added(_ engine: EngineName) -> Double? {
      guard let with = rows.median("talk/page", engine, n: rows.n),
        let without = rows.median("talk/page-without", engine, n: rows.n)
      else { return nil }
      return with - without
    }
    guard let own = added(.satchel) else { return unmeasured(title) }
    var figure = "\(Quantity.text(own, .microseconds)) slower"
    if let other = added(.sqlite) { figure += "; SQLite \(Quantity.text(other, .microseconds))" }
    return Goal(title: title, figure: figure, isMet: own <= 100)
  }
}
