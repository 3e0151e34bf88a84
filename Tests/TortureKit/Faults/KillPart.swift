internal import StoreModel
import TestSupport

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Processes that are killed: at each of their calls, and at random times.
package struct KillPart {
  package let programs: Programs
  package let seed: UInt64
  /// How many processes to kill at random times.
  package let rounds: Int
  /// What to do; nil for all that there is.
  package let scenario: Scenario?
  /// One of so many calls is killed at; 1 for each.
  package let stride: Int

  package init(_ programs: Programs, seed: UInt64, rounds: Int, stride: Int = 1, of scenario: Scenario? = nil)
  {
    self.programs = programs
    self.seed = seed
    self.rounds = rounds
    self.stride = stride
    self.scenario = scenario
  }

  package func run() throws -> PartResult {
    try PartResult.measuring("kills", seed: seed) { result in
      let template = try Template(programs, seed: seed)
      let (scenarios, missing) = try scenario.map { ([$0], []) } ?? Scenario.available(programs)
      result.skipped += missing.map { "\($0): the tool has no such command" }
      try control(template, &result)
      try controlOfIndexes(template, &result)
      for scenario in scenarios { try everyCall(of: scenario, template, &result) }
      var generator = SeededGenerator(seed: seed)
      for round in 0..<rounds {
        try atRandom(scenarios[round % scenarios.count], template, &generator, &result)
      }
    }
  }

  /// Kills at each change of a file or directory: before it, after half of it, after it.
  private func everyCall(of scenario: Scenario, _ template: Template, _ result: inout PartResult) throws {
    let calls = try Accident(scenario, template).countCalls()
    result["calls of all scenarios"] += calls
    var call = 1 + Int(seed % UInt64(stride))
    while call <= calls {
      for event in [Shim.Event.kill, .torn, .after]
      where stride == 1 || (call / stride + Int(seed)) % 3 == event.order {
        let accident = try Accident(scenario, template)
        let end = try accident.meet(event, at: call)
        switch end.end {
        case .signalled(SIGKILL): result["kills at a call"] += 1
        // Threads do not make the same calls in each run.
        case .exited(0): continue
        // The check of a store runs in a process of its own: this was killed, and the command says so.
        case .exited(1) where end.errors.contains("the check was ended from outside (signal 9)"):
          result["kills of a command's own child"] += 1
        default:
          result.fail("\(scenario.name), call \(call): \(end.brief)")
          continue
        }
        note(
          try accident.check(isDone: false), "\(scenario.name), \(event) at call \(call)", accident, &result)
      }
      call += stride
    }
  }

  /// Kills after a random time, beside a reader and a writer where there can be some.
  private func atRandom(
    _ scenario: Scenario, _ template: Template, _ generator: inout SeededGenerator, _ result: inout PartResult
  ) throws {
    let accident = try Accident(scenario, template)
    let company = scenario.hasCompany ? try Company(accident.world) : nil
    let delay = UInt32(generator.draw(below: generator.chance(50) ? 12_000 : 60_000))
    let end = try accident.kill(after: delay)
    let complaint = company?.leave()
    switch end.end {
    case .signalled(SIGKILL): result["kills at a time"] += 1
    case .exited(0): result["ended before the kill"] += 1
    case .exited(3) where scenario.name.hasPrefix("import"): result["ended before the kill"] += 1
    default: result.fail("\(scenario.name), killed after \(delay) µs: \(end.brief)")
    }
    if company != nil { result["kills beside a reader and a writer"] += 1 }
    if let complaint { result.fail("\(scenario.name), killed after \(delay) µs: \(complaint)") }
    note(try accident.check(isDone: false), "\(scenario.name), killed after \(delay) µs", accident, &result)
  }

  private func note(_ complaint: String?, _ what: String, _ accident: Accident, _ result: inout PartResult) {
    result["acknowledged commits"] += (try? Acknowledged(file: accident.world.marks).numbers.count) ?? 0
    result["checked stores"] += 1
    if let complaint { result.fail("\(what): \(complaint)") }
  }

  /// A program that says that a commit has returned before it has: its lie has to be found.
  private func control(_ template: Template, _ result: inout PartResult) throws {
    let scenario = Scenario.all[1]
    let calls = try Accident(scenario, template).countCalls()
    var (tried, found) = (0, 0)
    for call in stride(from: 2, to: calls, by: max(1, calls / 12)) {
      let accident = try Accident(scenario, template)
      guard case .signalled = try accident.meet(.kill, at: call).end else { continue }
      let reached = try accident.world.open().read { try Workload.progress($0) }
      guard reached < template.workload.commits else { continue }
      tried += 1
      let said = (try? Files.read(accident.world.marks)) ?? []
      try Files.write(said + Array("\(template.workload.commits)\n".utf8), to: accident.world.marks)
      if try accident.check(isDone: false) != nil { found += 1 }
    }
    result.controls.append(.init("commits acknowledged before they are made", tried: tried, found: found))
  }

  /// Indexes that are said to be complete before they are: their answers have to be found wrong, also without a verification.
  private func controlOfIndexes(_ template: Template, _ result: inout PartResult) throws {
    let scenario = Scenario.indexes
    let calls = try Accident(scenario, template).countCalls()
    var (tried, found) = (0, 0)
    for call in stride(from: 2, to: calls, by: max(1, calls / 40)) where tried < 6 {
      let accident = try Accident(scenario, template)
      guard case .signalled = try accident.meet(.kill, at: call).end else { continue }
      let store = try accident.world.open(buildsIndexes: false)
      let isPretending = try store.pretendThatIndexesAreComplete()
      store.close()
      guard isPretending else { continue }
      tried += 1
      let check = IndexCheck(accident.world.store, seed: seed, verifies: false)
      if try check.complaint() != nil { found += 1 }
    }
    result.controls.append(
      .init("indexes that are said to be complete before they are", tried: tried, found: found))
  }

  private func stride(from first: Int, to end: Int, by step: Int) -> StrideTo<Int> {
    Swift.stride(from: first, to: end, by: step)
  }
}

extension Shim.Event {
  /// Its place among the ways to be killed.
  fileprivate var order: Int {
    switch self {
    case .kill: 0
    case .torn: 1
    default: 2
    }
  }
}
