/// The same random queries put to the model and to an engine.
struct DifferentialRun {
  struct Report {
    var queries = 0
    /// Non-empty answers and answers of fewer than all objects: how much the queries were worth.
    var nonEmpty = 0
    var selective = 0
    /// The first differences, told in full.
    var differences: [String] = []
    var differenceCount = 0
    let seed: UInt64

    var summary: String { "\(queries) queries, \(differenceCount) differences, seed \(seed)" }
  }

  /// How many differences are told in full.
  private static let told = 5

  /// - Parameter anchored: True to ask for stretches beside an object or a date.
  static func run(
    _ queries: Int, seed: UInt64, on snapshot: Snapshot, against engine: any QueryEngine,
    anchored: Bool = false
  ) throws -> Report {
    var generator = QueryGenerator(snapshot, seed: seed)
    var report = Report(seed: seed)
    for number in 1...max(queries, 1) {
      let query = try anchored ? generator.nextAnchored() : generator.next()
      let expected = try snapshot.answer(query)
      report.queries += 1
      report.count(expected, of: query, in: snapshot)
      let found = Result { try engine.run(query) }
      guard let difference = Self.difference(expected, found) else { continue }
      report.differenceCount += 1
      if report.differences.count < told {
        report.differences.append(
          "query \(number + 1) of seed \(seed):\n  \(query.batchLine)\n  \(difference)")
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
  fileprivate mutating func count(_ answer: EngineAnswer, of query: GeneratedQuery, in snapshot: Snapshot) {
    let size =
      switch answer {
      case .count(let count): count
      case .identifiers(let identifiers): identifiers.count
      }
    if size > 0 { nonEmpty += 1 }
    if size > 0, let kind = ObjectKind(rawValue: query.kind), size < snapshot.count(of: kind) {
      selective += 1
    }
  }
}
