/// The same random queries put to the model, to an engine and to SQLite.
struct DifferentialRun {
  struct Report {
    var queries = 0
    /// Non-empty answers and answers of fewer than all objects: how much the queries were worth.
    var nonEmpty = 0
    var selective = 0
    /// How many asked for reactions, replies or participations, or for what conversations are to the store's user.
    var responses = 0
    /// The first differences, told in full.
    var differences: [String] = []
    var differenceCount = 0
    let seed: UInt64
    /// How many queries SQLite has answered as well, and how many have a form that is not translated.
    var judged = 0
    var untranslated = 0
    /// The first form that is not translated.
    var untranslatedForm: String?

    var summary: String {
      let all =
        "\(queries) queries, \(differenceCount) differences, seed \(seed), \(responses) about reactions, replies or participants' states"
      guard judged + untranslated > 0 else { return all }
      return
        "\(all), \(judged) asked of SQLite as well, \(untranslated) not translated\(untranslatedForm.map { ": \($0)" } ?? "")"
    }
  }

  /// How many differences are told in full.
  private static let told = 5

  /// - Parameters:
  ///   - anchored: True to ask for stretches beside an object or a date.
  ///   - judge: SQLite with the same objects, nil to ask the model alone.
  static func run(
    _ queries: Int, seed: UInt64, on snapshot: Snapshot, against engine: any QueryEngine,
    anchored: Bool = false, judge: SQLiteJudge? = nil
  ) throws -> Report {
    var generator = QueryGenerator(snapshot, seed: seed)
    var report = Report(seed: seed)
    for number in 1...max(queries, 1) {
      let query = try anchored ? generator.nextAnchored() : generator.next()
      let expected = try snapshot.answer(query)
      report.queries += 1
      if try QueryGenerator.asksForResponses(query) { report.responses += 1 }
      report.count(expected, of: query, in: snapshot)
      let found = Result { try engine.run(query) }
      let judged = judge.flatMap { report.ask($0, query) }
      let differences = [
        Self.difference(expected, found),
        judged.flatMap { Self.difference(expected, $0) }.map { "the engine is SQLite: \($0)" },
      ].compactMap { $0 }
      guard !differences.isEmpty else { continue }
      report.differenceCount += 1
      if report.differences.count < told {
        report.differences.append(
          "query \(number) of seed \(seed):\n  \(query.batchLine)\n  \(differences.joined(separator: "\n  "))"
        )
      }
    }
    return report
  }

  /// In words, or nil if there is none. Identifiers are compared byte by byte, which `String`'s == is not.
  static func difference(_ expected: EngineAnswer, _ found: Result<EngineAnswer, any Error>) -> String? {
    switch (expected, found) {
    case (_, .failure(let error)): return "model: \(expected.brief)\n  engine threw: \(error)"
    case (.count(let left), .success(.count(let right))):
      return left == right ? nil : "model: \(left), engine: \(right)"
    case (.identifiers(let left), .success(.identifiers(let right))):
      let leftBytes = left.map { ByteString($0) }
      let rightBytes = right.map { ByteString($0) }
      if leftBytes == rightBytes { return nil }
      let index =
        zip(leftBytes, rightBytes).enumerated().first { $1.0 != $1.1 }?.offset ?? min(left.count, right.count)
      func at(_ identifiers: [String]) -> String {
        index < identifiers.count ? jsonQuoted(identifiers[index]) : "the end"
      }
      return """
        model: \(left.count), engine: \(right.count), first difference at \(index): model \(at(left)), engine \(at(right))
          missing: \(Set(leftBytes).subtracting(rightBytes).sorted().prefix(5).map { jsonQuoted($0.string) })
          extra: \(Set(rightBytes).subtracting(leftBytes).sorted().prefix(5).map { jsonQuoted($0.string) })
        """
    case (_, .success(let answer)): return "model: \(expected.brief), engine: \(answer.brief)"
    }
  }
}

extension EngineAnswer {
  fileprivate var brief: String {
    switch self {
    case .count(let count): "count \(count)"
    case .identifiers(let identifiers): "\(identifiers.count) identifiers"
    }
  }
}

extension DifferentialRun.Report {
  /// What SQLite answers; nil, and counted, for a form that is not translated.
  fileprivate mutating func ask(
    _ judge: SQLiteJudge, _ query: GeneratedQuery
  ) -> Result<EngineAnswer, any Error>? {
    let answer = Result { try judge.run(query) }
    if case .failure(let error as Untranslated) = answer {
      untranslated += 1
      untranslatedForm = untranslatedForm ?? error.form
      return nil
    }
    judged += 1
    return answer
  }

  fileprivate mutating func count(_ answer: EngineAnswer, of query: GeneratedQuery, in snapshot: Snapshot) {
    let size =
      switch answer {
      case .count(let count): count
      case .identifiers(let identifiers): identifiers.count
      }
    if size > 0 { nonEmpty += 1 }
    if size > 0, size < snapshot.count(of: ObjectKind(rawValue: query.kind)) { selective += 1 }
  }
}
