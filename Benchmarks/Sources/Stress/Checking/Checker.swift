import Satchel

/// Compares what the store answers with what the model has.
struct Checker {
  let store: MessageStore

  /// One question: how many, and a stretch of the results.
  func ask(_ question: Questions.Drawn, _ answers: Answers, _ random: inout Randomness) throws {
    switch question {
    case .messages(let question): try ask(question, answers, &random)
    case .conversations(let question): try ask(question, answers, &random)
    case .records: try askForRecords(answers, &random)
    }
  }

  private func ask<Object: StoredObject>(
    _ question: Question<Object>, _ answers: Answers, _ random: inout Randomness
  ) throws {
    let expected = question.expected(answers)
    let offset = random.oneIn(2) ? 0 : random.below(expected.count + 3)
    let limit = 1 + random.below(40)
    let page = question.query.limit(limit).offset(offset)
    try store.read { snapshot in
      try Difference.check(
        "number of \(question.name)", String(try snapshot.count(question.query)), String(expected.count))
      let objects = try snapshot.fetch(page)
      try Difference.check(
        "\(question.name), \(limit) from \(offset) on", objects.map(question.describe),
        Array(expected.dropFirst(offset).prefix(limit)))
      let identifiers = try snapshot.identifiers(page)
      try Difference.check(
        "identifiers of \(question.name), \(limit) from \(offset) on", identifiers.map(\.identifier),
        expected.dropFirst(offset).prefix(limit).map { String($0.prefix { $0 != " " }) })
    }
  }

  /// Everything, in the order of creation, and the contents of some parts.
  func all(_ answers: Answers) throws {
    let model = answers.model
    try store.read { snapshot in
      try Difference.check(
        "all messages", try snapshot.fetch(Message.all).map { Description.of($0) },
        answers.messages().map { Description.of($0) })
      try Difference.check(
        "all conversations", try snapshot.fetch(Conversation.all).map { Description.of($0) },
        answers.conversations().map { Description.of($0.0, $0.1) })
      try Difference.check(
        "all announcements", try snapshot.fetch(Announcement.all).map { Description.of($0) },
        model.announcements.map { Description.of($0, isAnnouncement: true) })
      let identities = try snapshot.fetch(Identity.all).filter { $0.userID != Names.progress }
      try Difference.check(
        "all identities", identities.map { Description.of($0) }, model.identities.map { Description.of($0) })
      try allRecords(model, snapshot)
      try allResponses(answers, snapshot)
      try contents(answers, snapshot)
    }
  }

  /// The contents of the newest messages' parts, byte by byte.
  private func contents(_ answers: Answers, _ snapshot: StoreSnapshot) throws {
    for message in answers.messages().suffix(50) {
      for (index, part) in message.parts.enumerated() {
        let id = MessagePart.ID("\(Names.message(message.number).rawValue)/parts/\(index)")
        let expected =
          part.text.map { Array($0.utf8) }
          ?? [UInt8](repeating: UInt8(truncatingIfNeeded: message.number), count: part.bytes)
        let found = try snapshot.content(of: id)
        guard found != expected else { continue }
        throw Difference(
          question: "content of \(id)", store: "\(found.count) bytes", model: "\(expected.count) other bytes")
      }
    }
  }
}
