internal import StoreModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Processes that are stopped at one of their calls, or with a lock in hand, as an app is that the system suspends. Whoever comes
/// then has an answer, or an error that names the process; and when it goes on, all is well.
package struct StopPart {
  package let programs: Programs
  package let seed: UInt64
  /// One of so many calls is stopped at; 1 for each.
  package let stride: Int

  package init(_ programs: Programs, seed: UInt64, stride: Int = 1) {
    self.programs = programs
    self.seed = seed
    self.stride = stride
  }

  package func run() throws -> PartResult {
    try PartResult.measuring("stops", seed: seed) { result in
      let template = try Template(programs, seed: seed, commits: 10)
      let scenarios = Scenario.all.filter {
        ["writes of a new store", "writes", "writes after a kill", "relaxed writes"].contains($0.name)
      }
      for scenario in scenarios { try everyCall(of: scenario, template, &result) }
      try control(template, &result)
    }
  }

  private func everyCall(of scenario: Scenario, _ template: Template, _ result: inout PartResult) throws {
    let calls = try Accident(scenario, template).countCalls(countsLocks: true)
    result["calls of all scenarios"] += calls
    for call in Swift.stride(from: 1 + Int(seed % UInt64(stride)), through: calls, by: stride) {
      let accident = try Accident(scenario, template)
      let what = "\(scenario.name), stopped at call \(call)"
      // Every second time somebody has had the store open before.
      let hasCompany = (call / stride) % 2 == 1 && scenario.hasCompany
      let company = try hasCompany ? self.company(accident, template) : nil
      let child = try accident.begin(stoppedAt: call)
      let isStopped = child.waitForStop()
      if isStopped {
        result["stops at a call"] += 1
        note(try look(accident, template), child.process, what, &result)
      }
      if let company { note(try company.end(), child.process, what + ", beside others", &result) }
      child.goOn()
      let end = child.wait()
      guard end.end == .exited(0) else {
        result.fail("\(what), afterwards: \(end.brief)")
        continue
      }
      if let complaint = try accident.check(isDone: true) { result.fail("\(what), afterwards: \(complaint)") }
    }
  }

  /// Takes note of what somebody has said who came while the process stood still.
  private func note(_ end: Child.Result, _ process: Int32, _ what: String, _ result: inout PartResult) {
    if end.end != .exited(0) { result.fail("\(what): somebody else: \(end.brief)") }
    for line in String(decoding: end.output, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      switch words.first {
      case "A": result["answers"] += 1
      case "B" where words[1] == String(process): result["refusals that name the process"] += 1
      case "B": result.fail("\(what): \(words[2]) waits for process \(process), and is told of \(words[1])")
      case "E": break
      default: result.fail("\(what): \(line)")
      }
    }
  }

  private func look(
    _ accident: Accident, _ template: Template, isPatient: Bool = false, seconds: Double = 60
  ) throws -> Child.Result {
    try Child.run(
      programs.torture, arguments(accident, template) + (isPatient ? ["--is-patient"] : []),
      in: directory("look", accident), seconds: seconds)
  }

  private func arguments(_ accident: Accident, _ template: Template) throws -> [String] {
    let text = String(decoding: try JSONEncoder().encode(template.workload), as: UTF8.self)
    return ["look", "--workload", text, "--store", accident.world.store, "--marks", accident.world.marks]
  }

  private func directory(_ name: String, _ accident: Accident) throws -> String {
    let path = accident.world.scratch(name)
    try Files.makeDirectory(path)
    return path
  }

  /// Somebody who has the store open before the other process comes.
  private struct Company: ~Copyable {
    let child: Child
    let go: String

    /// Tells him that the other has been stopped, and returns what he has to say.
    consuming func end() throws -> Child.Result {
      try Files.write("", to: go)
      return child.wait()
    }
  }

  private func company(_ accident: Accident, _ template: Template) throws -> Company {
    let directory = try directory("company", accident)
    let (ready, go) = (directory + "/ready", directory + "/go")
    let child = try Child(
      programs.torture, arguments(accident, template) + ["--ready", ready, "--go", go], in: directory)
    for _ in 0..<20_000 where !Files.exists(ready) { usleep(500) }
    guard Files.exists(ready) else {
      throw TortureError("the company never came: \(child.wait(seconds: 0).brief)")
    }
    return Company(child: child, go: go)
  }

  /// Somebody who waits for ever, beside a writer who was stopped in his turn: it has to be seen that he hangs.
  private func control(_ template: Template, _ result: inout PartResult) throws {
    let scenario = Scenario.all[1]
    let calls = try Accident(scenario, template).countCalls(countsLocks: true)
    var (tried, found) = (0, 0)
    for call in Swift.stride(from: calls / 3, to: calls, by: max(1, calls / 6)) where found == 0 {
      let accident = try Accident(scenario, template)
      let child = try accident.begin(stoppedAt: call)
      guard child.waitForStop() else {
        _ = child.wait()
        continue
      }
      tried += 1
      if try look(accident, template, isPatient: true, seconds: 6).end == .hung { found += 1 }
      child.goOn()
      _ = child.wait()
    }
    result.controls.append(.init("writers who wait without a bound", tried: tried, found: found))
  }
}
