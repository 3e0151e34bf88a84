import ArgumentParser
import ProtocolSimulator

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `satchel-simulate`: the protocol of commits, played in memory.
@main
struct Program: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "satchel-simulate",
    abstract:
      "Plays histories of processes that share a store, with crashes and failing calls, on a simulated machine.",
    discussion: """
      Each history follows from its seed, which is one more than that of the history before. Exit status 0: no history has \
      broken a promise, and each negative control was found; 1: not so, and the seed that repeats it is told.
      """)

  @Option(help: "The seed of the first history; a random one without, which is told.")
  var seed: UInt64?

  @Option(help: "How many histories to play.")
  var histories = 1_000_000

  @Option(help: "How many histories to play at most until a control is found; 0 for no controls.")
  var controls = 10_000

  @Option(
    help:
      "One deliberate defect to look for, and no more: \(Control.allCases.map(\.rawValue).joined(separator: ", "))."
  )
  var control: String?

  @Option(help: "How many histories are played at a time.")
  var jobs = min(2, ProcessInfo.processInfo.activeProcessorCount)

  @Option(help: "After how many violations to stop.")
  var violations = 1

  @Flag(help: "Tell the steps of the first history, and play no other.")
  var log = false

  func run() throws {
    let seed = seed ?? UInt64.random(in: 1..<1_000_000_000)
    var chosen: Control?
    if let control {
      guard let found = Control(rawValue: control) else {
        throw ValidationError("no such control: \(control)")
      }
      chosen = found
    }
    if log {
      for line in Simulation.log(seed: seed, control: chosen) { print(line) }
      return
    }
    var isGood = true
    if chosen == nil {
      isGood = play(seed, histories, nil)
    }
    if chosen != nil || controls > 0 {
      for control in chosen.map({ [$0] }) ?? Control.allCases
      where !play(seed, chosen == nil ? controls : histories, control) {
        isGood = false
      }
    }
    if !isGood { throw ExitCode(1) }
  }

  /// Plays histories, says what came of it, and returns whether that is as it should be.
  private func play(_ seed: UInt64, _ histories: Int, _ control: Control?) -> Bool {
    var simulation = Simulation(seed: seed, histories: histories, control: control)
    simulation.jobs = jobs
    simulation.mostViolations = violations
    let begin = ContinuousClock.now
    let result = simulation.run()
    let seconds = Double((ContinuousClock.now - begin) / .milliseconds(1)) / 1000
    if let control {
      guard let first = result.violations.first else {
        print(
          "control \(control.rawValue): not found in \(result.histories) histories: THE SIMULATOR IS BLIND")
        return false
      }
      print(
        "control \(control.rawValue): found in \(result.histories) histories: seed \(first.seed): \(first.text)"
      )
      return true
    }
    let accidents = result.accidents.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    print(
      "\(result.histories) histories from seed \(seed) in \(seconds.formatted) s, \((Double(result.histories) / seconds).formatted) a second: "
        + "\(result.commits) commits, \(result.reads) reads, \(result.checkpoints) checkpoints, \(result.lives) processes, "
        + "\(result.steps) steps; \(accidents.joined(separator: ", ")); trace \(String(result.trace, radix: 16))"
    )
    for violation in result.violations { print("VIOLATION, seed \(violation.seed): \(violation.text)") }
    return result.violations.isEmpty
  }
}

extension Double {
  fileprivate var formatted: String { String(Int(self * 10) / 10) }
}
