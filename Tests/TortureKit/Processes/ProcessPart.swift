internal import Dispatch
internal import SatchelModel
internal import SatchelStorage
internal import StoreModel
internal import Synchronization
import TestSupport

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Eight processes with threads that write and read one store, some of which are killed.
package struct ProcessPart {
  package let programs: Programs
  package let seed: UInt64
  package let seconds: Double
  private let processes = 8

  package init(_ programs: Programs, seed: UInt64, seconds: Double) {
    self.programs = programs
    self.seed = seed
    self.seconds = seconds
  }

  package func run() throws -> PartResult {
    try PartResult.measuring("processes", seed: seed) { result in
      let scratch = try Scratch()
      let store = scratch("store")
      let first = try Crowd(store, seed: seed)
      try first.prepare()
      first.close()
      var digests: [Int: String] = [:]
      var readings: [(Int, String)] = []
      var torn = (tried: 0, found: 0)
      var generator = SeededGenerator(seed: seed)
      // Processes come and go: a slice of the time each, one of them killed in the midst.
      let slice = max(3, min(15, seconds / 4))
      var left = seconds
      while left > 0 {
        let killed = generator.draw(below: processes)
        let outputs = try runSlice(store, slice, killed, &generator, scratch, &result)
        for output in outputs {
          for line in output.split(separator: "\n") {
            note(line, &digests, &readings, &torn, &result)
          }
        }
        left -= slice
      }
      try finish(store, digests, readings, &result)
      try takeovers(scratch, &result)
      try Visits(programs, seed: seed, slices: max(2, Int(seconds / 4))).run(scratch, &result)
      result.controls.append(.init("reads of two snapshots", tried: torn.tried, found: torn.found))
    }
  }

  private func runSlice(
    _ store: String, _ seconds: Double, _ killed: Int, _ generator: inout SeededGenerator, _ scratch: Scratch,
    _ result: inout PartResult
  ) throws -> [String] {
    let ends = Mutex<[Int: Child.Result]>([:])
    let group = DispatchGroup()
    let delay = UInt32(Int(seconds * 300_000) + generator.draw(below: Int(seconds * 500_000)))
    for number in 0..<processes {
      let directory = scratch("process-\(number)")
      try Files.makeDirectory(directory)
      let isKilled = number == killed
      let (program, seed) = (programs.torture, seed)
      DispatchQueue(label: "process \(number)").async(group: group) {
        guard
          let child = try? Child(
            program,
            [
              "crowd", store, "--number", String(number), "--seconds", String(seconds), "--seed",
              String(seed),
            ],
            in: directory)
        else { return }
        if isKilled {
          usleep(delay)
          child.kill()
        }
        let end = child.wait(seconds: seconds + 120)
        ends.withLock { $0[number] = end }
      }
    }
    group.wait()
    let found = ends.withLock { $0 }
    for (number, end) in found.sorted(by: { $0.key < $1.key }) where end.end != .exited(0) {
      if number == killed, end.end == .signalled(SIGKILL) {
        result["processes killed"] += 1
      } else {
        result.fail("process \(number): \(end.brief)")
      }
    }
    result["processes"] += found.count
    return found.values.map { String(decoding: $0.output, as: UTF8.self) }
  }

  private func note(
    _ line: Substring, _ digests: inout [Int: String], _ readings: inout [(Int, String)],
    _ torn: inout (tried: Int, found: Int), _ result: inout PartResult
  ) {
    let words = line.split(separator: " ").map(String.init)
    // The last line of a killed process may be half a line.
    guard words.count >= 3 else { return }
    switch words[0] {
    case "W":
      guard let number = Int(words[1]) else { return }
      result["commits"] += 1
      if digests.updateValue(words[2], forKey: number) != nil {
        result.fail("commit \(number) was made twice")
      }
    case "R": if let number = Int(words[1]) { readings.append((number, words[2])) }
    case "C":
      result["reads checked for one snapshot"] += Int(words[1]) ?? 0
      torn.tried += Int(words[2]) ?? 0
      torn.found += words.count > 3 ? Int(words[3]) ?? 0 : 0
    default:
      result["anomalies"] += 1
      result.fail(line.dropFirst(2).description)
    }
  }

  /// What has returned is there, and what was read was written.
  private func finish(
    _ store: String, _ digests: [Int: String], _ readings: [(Int, String)], _ result: inout PartResult
  ) throws {
    let last = try Crowd(store, seed: seed)
    let (state, anomaly) = try last.read()
    last.close()
    if let anomaly { result.fail("in the end: \(anomaly)") }
    if let newest = digests.keys.max(), state.number < newest {
      result.fail("lost: commit \(newest) has returned, the store has \(state.number)")
    }
    for (number, digest) in readings {
      // A commit of a killed process may not have been told.
      if let written = digests[number], written != digest {
        result["anomalies"] += 1
        result.fail("commit \(number) was read as \(digest) and written as \(written)")
      }
    }
    result["readings compared with their writers"] += readings.count
    var options = Store.Options()
    options.create = false
    let opened = try Store.open(directory: store, user: nil, options: options)
    defer { opened.close() }
    if let faults = try opened.faults() { result.fail(faults) }
  }

  /// How soon a waiting writer goes on when the one in its turn is killed.
  private func takeovers(_ scratch: Scratch, _ result: inout PartResult) throws {
    let path = scratch("takeover")
    let store = try Workload(seed: seed, commits: 1).open(path, create: true)
    defer { store.close() }
    var microseconds: [Int] = []
    for _ in 0..<max(5, min(100, Int(seconds))) {
      let ready = scratch("ready")
      Files.remove(ready)
      let child = try Child(programs.torture, ["hold", path, "--ready", ready], in: scratch.path)
      for _ in 0..<20_000 where !Files.exists(ready) { usleep(500) }
      guard Files.exists(ready) else { throw TortureError("the holder never had its turn") }
      let taken = Mutex<ContinuousClock.Instant?>(nil)
      let done = DispatchGroup()
      DispatchQueue(label: "waiting writer").async(group: done) {
        _ = try? store.write { writer in
          taken.withLock { $0 = ContinuousClock().now }
          try writer.setFollowed(true, Identity.ID("next-\(writer.commit)"))
        }
      }
      usleep(3000)
      let start = ContinuousClock().now
      child.kill()
      guard done.wait(timeout: .now() + 30) == .success, let end = taken.withLock({ $0 }) else {
        result.fail("a writer waits for one that was killed")
        break
      }
      _ = child.wait()
      microseconds.append(Int((end - start).components.attoseconds / 1_000_000_000_000))
    }
    microseconds.sort()
    result["takeovers"] = microseconds.count
    if !microseconds.isEmpty {
      result["takeover, median µs"] = microseconds[microseconds.count / 2]
      result["takeover, 99th percentile µs"] = microseconds[microseconds.count * 99 / 100]
    }
    if let faults = try store.faults() { result.fail(faults) }
  }
}
