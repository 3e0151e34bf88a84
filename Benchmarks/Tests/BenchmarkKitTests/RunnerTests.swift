import BenchmarkKit
import Testing

@Suite struct RunnerTests {
  private func answer(_ numbers: UInt64...) -> Answer {
    var answer = Answer()
    for number in numbers { answer.add(number) }
    return answer
  }

  private func runner(rounds: Int = 4) -> Runner {
    Runner(rounds: rounds, progress: ProgressBar(style: .quiet))
  }

  @Test func answersKnowTheirOrder() {
    #expect(answer(1, 2) == answer(1, 2))
    #expect(answer(1, 2) != answer(2, 1))
    #expect(answer(0) != answer(0, 0))
    var (first, second) = (Answer(), Answer())
    first.add("eight by")
    second.add("eight b")
    #expect(first != second)
    #expect(first.count == 1)
  }

  @Test func differentAnswersAreNamedBeforeAnyTime() {
    let runner = runner()
    let workload = Workload(
      "page/latest-20", about: "", n: 10,
      [
        Contender(.satchel) { _ in self.answer(1, 2) },
        Contender(.sqlite) { run in run == 1 ? self.answer(1) : self.answer(1, 2) },
      ])
    let error = #expect(throws: AnswersDiffer.self) { try runner.run(workload) }
    #expect(error?.run == 1)
    #expect(error?.description.contains("page/latest-20 with 10 messages") == true)
    #expect(error?.description.contains("Satchel 2 items") == true)
    #expect(error?.description.contains("SQLite 1 items") == true)
    #expect(runner.results.isEmpty)
  }

  @Test func aWriteRunsOnceARoundInTurns() throws {
    var turns: [String] = []
    func contender(_ engine: EngineName) -> Contender {
      Contender(
        engine, setUp: { turns.append("\(engine) up") }, tearDown: { turns.append("\(engine) down") }
      ) { run in
        turns.append("\(engine) \(run)")
        return self.answer(UInt64(run))
      }
    }
    let runner = runner()
    try runner.run(
      Workload(
        "insert/1", about: "", n: 10, repetition: .once(rounds: 3), [contender(.satchel), contender(.sqlite)])
    )
    #expect(
      turns == [
        "satchel up", "sqlite up", "satchel 0", "sqlite 0", "sqlite 1", "satchel 1", "sqlite 2", "satchel 2",
        "satchel down", "sqlite down",
      ])
    #expect(runner.results.map(\.rounds) == [3, 3])
    #expect(runner.results.last?.ratio == 1)
  }

  @Test func whatAWriteHasWrittenIsReadBackAndCompared() throws {
    func workload(_ written: @escaping (Int) -> UInt64) -> Workload {
      Workload(
        "edit/1", about: "", n: 10, repetition: .once(rounds: 3),
        [
          Contender(.satchel, readBack: { self.answer(UInt64($0)) }) { _ in self.answer(7) },
          Contender(.sqlite, readBack: { self.answer(written($0)) }) { _ in self.answer(8) },
        ])
    }
    let runner = runner()
    // The bodies' own answers differ, and do not count.
    try runner.run(workload { UInt64($0) })
    #expect(runner.results.map(\.rounds) == [3, 3])
    let error = #expect(throws: AnswersDiffer.self) { try runner.run(workload { $0 == 2 ? 0 : UInt64($0) }) }
    #expect(error?.run == 2)
    #expect(runner.results.count == 2)
  }

  @Test func whatWasSetUpIsTornDownAfterAFailure() {
    struct Failure: Error {}
    var turns: [String] = []
    let workload = Workload(
      "insert/1", about: "", n: 10,
      [
        Contender(.satchel, tearDown: { turns.append("first") }) { _ in Answer() },
        Contender(.sqlite, setUp: { throw Failure() }, tearDown: { turns.append("second") }) { _ in Answer()
        },
        Contender(.grdb, tearDown: { turns.append("third") }) { _ in Answer() },
      ])
    #expect(throws: Failure.self) { try runner().run(workload) }
    #expect(turns == ["first", "second"])
  }

  @Test func timesAreOfOneItem() throws {
    let runner = runner()
    func spin(_ item: Int) -> Answer {
      var answer = Answer()
      let clock = SuspendingClock.now
      while SuspendingClock.now - clock < .milliseconds(2) { answer.add(1) }
      return Answer()
    }
    let whole = Workload(
      "a/1", about: "", n: 1, repetition: .once(rounds: 3), [Contender(.satchel, body: spin)])
    let part = Workload(
      "a/2", about: "", n: 1, items: 1000, repetition: .once(rounds: 3), [Contender(.satchel, body: spin)])
    try runner.run(whole)
    try runner.run(part)
    #expect(runner.results[0].minimum >= 2000)
    #expect(runner.results[1].minimum >= 2)
    #expect(runner.results[1].minimum < runner.results[0].minimum)
  }

  @Test func aPaceLeavesTheFewestRounds() throws {
    let runner = runner(rounds: 1000)
    runner.pace = Pace(minutes: 0)
    try runner.run(Workload("a/1", about: "", n: 1, [Contender(.satchel) { _ in Answer() }]))
    try runner.run(
      Workload(
        "a/2", about: "", n: 1, repetition: .once(rounds: 1000), [Contender(.satchel) { _ in Answer() }]))
    #expect(runner.results.map(\.rounds) == [5, 3])
  }

  @Test func rowsOfACorpusCarryItsName() throws {
    let runner = runner()
    runner.corpus = "zulip"
    runner.add(Figure("import/corpus", about: "", n: nil, engine: .satchel, value: 2, unit: .seconds))
    runner.add(Figure("size/file", about: "", n: 5, engine: .satchel, value: .nan, unit: .bytes))
    #expect(runner.results.map(\.workload) == ["import/corpus@zulip"])
    #expect(runner.results[0].corpus == "zulip")
    #expect(runner.results[0].name == "import/corpus")
    #expect(runner.results[0].source.hasPrefix("Tests/") == false)
  }

  @Test func progressIsALineAStepWithoutATerminal() {
    var lines: [String] = []
    let progress = ProgressBar(style: .lines) { lines.append($0) }
    progress.expect(4)
    progress.show("one")
    progress.advance(by: 1)
    progress.show("two")
    progress.finish()
    #expect(lines == ["0:00   0% one\n", "0:00  25% two\n"])
  }
}
