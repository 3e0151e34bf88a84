import ArgumentParser
import Dispatch
import Foundation
import Synchronization
import TortureKit

/// Runs parts of the harness, and writes what they have found.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "run", abstract: "Runs parts of the harness.")

  @Option(help: "Which parts, with commas between: \(Part.allCases.map(\.rawValue).joined(separator: ", ")).")
  var parts: String?

  @Option(help: "About how many minutes all parts together take; 50 is the whole.")
  var minutes = 50.0

  @Option(help: "The seed; a random one without, which is told.")
  var seed: UInt64?

  @Option(help: "The satchel command; the one beside this program without.")
  var satchel: String?

  @Option(help: "Where results are kept, a file for each part.")
  var results = ".build/torture"

  @Option(help: "The report to write.")
  var report: String?

  @Option(help: "How many parts are run at a time.")
  var jobs = min(2, ProcessInfo.processInfo.activeProcessorCount)

  func run() throws {
    let seed = seed ?? UInt64.random(in: 1..<1_000_000_000)
    let beside = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let programs = try Programs(
      satchel: satchel ?? beside.deletingLastPathComponent().appendingPathComponent("satchel").path,
      torture: beside.path)
    let chosen =
      try parts.map { try $0.split(separator: ",").map { try Part(named: String($0)) } } ?? Part.allCases
    try FileManager.default.createDirectory(atPath: results, withIntermediateDirectories: true)
    let left = Mutex(chosen)
    let ends = Mutex((isGood: true, error: (any Error)?.none))
    DispatchQueue.concurrentPerform(iterations: max(1, min(jobs, chosen.count))) { _ in
      while let part = left.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        do {
          let isGood = try run(part, programs, seed)
          ends.withLock { $0.isGood = $0.isGood && isGood }
        } catch {
          ends.withLock { $0.error = $0.error ?? error }
        }
      }
    }
    let (isGood, error) = ends.withLock { $0 }
    if let error { throw error }
    if let report { try Reliability.update(report, with: results) }
    if !isGood { throw ExitCode.failure }
  }

  /// Runs one part, tells and keeps its result; says whether it is good.
  private func run(_ part: Part, _ programs: Programs, _ seed: UInt64) throws -> Bool {
    print("\(part.rawValue), seed \(seed) …")
    fflush(nil)
    var result = try part.run(programs, seed: seed, share: minutes / 50)
    let length = minutes == minutes.rounded() ? String(Int(minutes)) : String(minutes)
    result.command = "make torture PARTS=\(part.rawValue) MINUTES=\(length) SEED=\(seed)"
    result.date = ISO8601DateFormatter().string(from: Date()).prefix(10).description
    print(result.text)
    fflush(nil)
    try result.save(in: results)
    return result.isGood
  }
}

/// Does a script's commits; a process of the harness's own, which may be killed.
struct WorkSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "work", shouldDisplay: false)

  @Option var workload: String
  @Option var store: String
  @Option var marks: String
  @Flag var retries = false

  func run() throws {
    let workload = try JSONDecoder().decode(Workload.self, from: Data(workload.utf8))
    try WorkCommand(workload, store: store, marks: marks, retries: retries).run()
  }
}

/// Checks images of a recorded run.
struct ImagesSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "images", shouldDisplay: false)

  @Argument var job: String
  @Option var from: Int
  @Option var limit: Int
  @Option var directory: String

  func run() throws {
    try Programs.checkImages(job: job, from: from, limit: limit, directory: directory)
  }
}

/// Opens a store for writing, which brings one of an earlier format up to this one.
struct OpenSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "open", shouldDisplay: false)

  @Argument var store: String

  func run() throws { try WorkCommand.open(store) }
}

/// Writes on in a store.
struct MoreSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "more", shouldDisplay: false)

  @Argument var store: String
  @Option var commits: Int

  func run() throws { try MoreCommand.run(store: store, commits: commits) }
}

/// One process of a crowd that writes and reads.
struct CrowdSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "crowd", shouldDisplay: false)

  @Argument var store: String
  @Option var number: Int
  @Option var seconds: Double
  @Option var seed: UInt64

  func run() throws {
    let crowd = try Crowd(store, seed: seed)
    defer { crowd.close() }
    try crowd.run(as: number, seconds: seconds, readers: 2)
  }
}

/// One process that comes to a store and leaves it again and again.
struct VisitSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "visit", shouldDisplay: false)

  @Argument var store: String
  @Option var number: Int
  @Option var rounds: Int
  @Option var seed: UInt64

  func run() throws { try VisitCommand.run(store: store, number: number, rounds: rounds, seed: seed) }
}

/// Holds the writers' turn.
struct HoldSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "hold", shouldDisplay: false)

  @Argument var store: String
  @Option var ready: String

  func run() throws { try HoldCommand.run(store: store, ready: ready) }
}

/// Comes to a store in which another process has been stopped.
struct LookSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "look", shouldDisplay: false)

  @Option var workload: String
  @Option var store: String
  @Option var marks: String
  @Option var ready: String?
  @Option var go: String?
  @Flag var isPatient = false

  func run() throws {
    let workload = try JSONDecoder().decode(Workload.self, from: Data(workload.utf8))
    var look = try LookCommand(workload, store: store, marks: marks)
    look.isPatient = isPatient
    try look.run(ready: ready, go: go)
  }
}
