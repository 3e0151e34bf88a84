extension Runner {
  /// The fewest rounds that a median is taken of: of reads, and of writes.
  static let fewestRounds = (calibrated: 5, once: 3)
  /// How long a calibrated round lasts at least, in nanoseconds.
  static let roundTime = 20e6

  /// Nanoseconds of one run, by contender and round.
  func measure(_ workload: Workload) throws -> [[Double]] {
    var ready = 0
    defer {
      for contender in workload.contenders.prefix(ready) { try? contender.tearDown?() }
    }
    for contender in workload.contenders {
      ready += 1
      try contender.setUp?()
    }
    let allowance = pace?.allowance() ?? .infinity
    defer { pace?.finish() }
    return switch workload.repetition {
    case .calibrated: try calibrated(workload, allowance)
    case .once(let rounds): try once(workload, rounds: rounds, allowance)
    }
  }

  /// Reads: a few runs whose answers are compared, which warm up as well; then rounds of as many runs as last
  /// `roundTime`. All engines start a round with the same run; the faster ones get further.
  private func calibrated(_ workload: Workload, _ allowance: Double) throws -> [[Double]] {
    let clock = Stopwatch()
    for run in 0..<5 {
      try compare(workload.contenders.map { try $0.body(run) }, of: workload, run: run)
      if clock.seconds > 0.5 { break }
    }
    let runs = try workload.contenders.map { try calibrate($0) }
    let stride = runs.max() ?? 1
    let slots = workload.contenders.indices
    var times: [[Double]] = slots.map { _ in [] }
    for round in 0..<max(rounds, Self.fewestRounds.calibrated) {
      if round >= Self.fewestRounds.calibrated, clock.seconds > allowance { break }
      for slot in order(of: slots, in: round) {
        let body = workload.contenders[slot].body
        let first = round * stride
        let clock = Stopwatch()
        for run in first..<first + runs[slot] { keep(try body(run)) }
        times[slot].append(clock.nanoseconds / Double(runs[slot]))
      }
      progress.touch("round \(round + 1)")
    }
    return times
  }

  /// Writes: each round is one run, and its answers, or what is read back of it, are compared before its times count.
  private func once(_ workload: Workload, rounds: Int, _ allowance: Double) throws -> [[Double]] {
    let clock = Stopwatch()
    let slots = workload.contenders.indices
    var times: [[Double]] = slots.map { _ in [] }
    for round in 0..<rounds {
      if round >= Self.fewestRounds.once, clock.seconds > allowance { break }
      var answers = [Answer](repeating: Answer(), count: slots.count)
      var taken = [Double](repeating: 0, count: slots.count)
      for slot in order(of: slots, in: round) {
        let clock = Stopwatch()
        answers[slot] = try workload.contenders[slot].body(round)
        taken[slot] = clock.nanoseconds
        if let readBack = workload.contenders[slot].readBack { answers[slot] = try readBack(round) }
      }
      try compare(answers, of: workload, run: round)
      for slot in slots { times[slot].append(taken[slot]) }
      progress.touch("round \(round + 1)")
    }
    return times
  }

  /// How many runs of a contender last a round.
  private func calibrate(_ contender: Contender) throws -> Int {
    var runs = 1
    while true {
      let clock = Stopwatch()
      for run in 0..<runs { keep(try contender.body(run)) }
      let taken = clock.nanoseconds
      if taken >= Self.roundTime / 4 || runs >= 1 << 20 {
        return max(1, Int(Double(runs) * Self.roundTime / max(taken, 1)))
      }
      runs *= 2
    }
  }

  /// The engines' turns in a round: another one begins each time, forwards and backwards.
  func order(of slots: Range<Int>, in round: Int) -> [Int] {
    let start = slots.isEmpty ? 0 : round / 2 % slots.count
    let turned = Array(slots[start...]) + slots[..<start]
    return round % 2 == 0 ? turned : turned.reversed()
  }

  private func compare(_ answers: [Answer], of workload: Workload, run: Int) throws {
    guard workload.comparesAnswers, Set(answers).count > 1 else { return }
    throw AnswersDiffer(
      workload: workload.name, n: workload.n, run: run,
      answers: zip(workload.contenders, answers).map { ($0.engine, $1) })
  }
}

/// Keeps an answer from being optimised away.
@inline(never)
private func keep(_ answer: Answer) {}
