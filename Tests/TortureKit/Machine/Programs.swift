internal import SatchelExecution
internal import SatchelInterchange
internal import SatchelModel
internal import SatchelStorage
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

/// The programs that the harness starts.
package struct Programs: Sendable {
  /// The command line tool.
  package let satchel: String
  /// The harness's own program, for what has to happen in a process of its own.
  package let torture: String
  package let shim: Shim

  package init(satchel: String, torture: String) throws {
    for path in [satchel, torture] where !Files.exists(path) {
      throw TortureError("\(path) is missing: build it")
    }
    self.satchel = satchel
    self.torture = torture
    shim = try Shim()
  }

  /// The arguments that have the harness's program do a script.
  package func work(
    _ workload: Workload, store: String, marks: String, retries: Bool = false
  ) throws -> [String] {
    let text = String(decoding: try JSONEncoder().encode(workload), as: UTF8.self)
    return ["work", "--workload", text, "--store", store, "--marks", marks] + (retries ? ["--retries"] : [])
  }

  /// An interchange file of what a script leaves, for imports.
  package func makeImportFile(seed: UInt64, commits: Int, in scratch: Scratch, name: String = "import") throws
    -> String
  {
    let path = scratch(name + "-source")
    let workload = Workload(seed: seed, commits: commits, durability: .unsafe)
    let store = try workload.open(path, create: true)
    try workload.perform(upTo: commits, store)
    store.close()
    let file = scratch(name + ".jsonl")
    try Files.write(try ImageCheck.export(path), to: file)
    Files.remove(path)
    return file
  }

  // MARK: Replay

  /// Records a run.
  func record(
    _ recorded: ImageCheck.Recorded, _ recording: Recording, _ judgement: ReplayJob.Judgement, seed: UInt64,
    in scratch: Scratch
  ) throws -> ReplayJob {
    let root = scratch("root")
    try Files.makeDirectory(root)
    var recorded = recorded
    let (program, arguments): (String, [String])
    switch recorded {
    case .script(let workload):
      (program, arguments) = (
        torture,
        try work(
          workload, store: root + "/store", marks: scratch("marks"),
          retries: recording.accident == .failedSyncs)
      )
    case .newImport:
      let file = try makeImportFile(seed: seed, commits: 20, in: scratch)
      recorded = .newImport(file: file)
      (program, arguments) = (satchel, ["import", root + "/store", file, "--as", "me"])
    }
    let quiet = shim.recording(root, log: scratch("log"), marks: scratch("marks"), cheat: recording.cheat)
    for accident in try recording.accidents(self, root, state: scratch("state"), seed: seed) {
      let result = try Child.run(
        program, arguments, environment: quiet.merging(accident) { $1 }, in: scratch.path)
      // Killed, the script goes on in the next process, and in the same log.
      if recording.accident == .kills, result.end == .signalled(SIGKILL) { continue }
      guard result.end == .exited(0) else { throw TortureError("the recorded run failed: \(result.brief)") }
      return ReplayJob(
        recorded: recorded, judgement: judgement, seed: seed, log: scratch("log"), root: root,
        accident: recording.accident, sync: recording.sync)
    }
    throw TortureError("the recorded run has not come to an end")
  }

  /// Has a process check images of a job, from a number on.
  func check(_ job: ReplayJob, from first: Int, limit: Int, in scratch: Scratch) throws -> ReplayJob.Tally {
    let file = scratch("job.json")
    try Files.write(Array(try JSONEncoder().encode(job)), to: file)
    let result = try Child.run(
      torture,
      ["images", file, "--from", String(first), "--limit", String(limit), "--directory", scratch("image")],
      in: scratch.path, seconds: 3600)
    var tally = ReplayJob.Tally()
    var last = first
    var isOver = false
    for line in String(decoding: result.output, as: UTF8.self).split(separator: "\n") {
      let text = String(line.dropFirst(2))
      switch line.first {
      case "B": last = Int(text) ?? last
      case "K": tally.counts[text, default: 0] += 1
      case "F": tally.complaints.append(text)
      default: isOver = line == "E"
      }
    }
    if !isOver {
      guard case .signalled = result.end else { throw TortureError("checking images: \(result.brief)") }
      tally.death = (last, result.end)
    }
    return tally
  }

  /// Checks images as the file of a job says; run by the process above.
  package static func checkImages(job: String, from first: Int, limit: Int, directory: String) throws {
    let job = try JSONDecoder().decode(ReplayJob.self, from: Data(try Files.read(job)))
    try job.check(from: first, limit: limit, in: directory) { line in
      let bytes = Array((line + "\n").utf8)
      _ = write(1, bytes, bytes.count)
    }
  }
}
