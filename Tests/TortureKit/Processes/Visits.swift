internal import Dispatch
internal import SatchelModel
internal import SatchelStorage
internal import Synchronization
import TestSupport

/// A process that opens a store, writes a little and closes it, again and again: what is done by the first one that comes to
/// a store and the last one that leaves it is done all the time.
package enum VisitCommand {
  package static func run(store path: String, number: Int, rounds: Int, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed &+ UInt64(number) &* 977)
    var workload = Workload(seed: seed, commits: 0)
    for round in 0..<rounds {
      workload.durability = generator.chance(30) ? .relaxed : .full
      let store = try workload.open(path, create: false)
      for count in 0..<generator.draw(below: 5) {
        let name = "visit-\(seed)-\(number)-\(round)-\(count)"
        try store.write { try $0.setFollowed(true, Identity.ID(name)) }
        Lines.put("V \(name)")
        // While others write, and while one of them is being killed.
        if generator.chance(20) { try store.checkpointBeside() }
        if generator.chance(10) { try store.checkpoint() }
      }
      if generator.chance(30), try store.read({ try $0.users.number(of: "nobody") }) != nil {
        Lines.put("X somebody whom nobody follows")
      }
      store.close()
    }
  }
}

/// Several such processes at one store, of which one is killed after the other.
struct Visits {
  let programs: Programs
  let seed: UInt64
  let slices: Int
  private let processes = 4

  init(_ programs: Programs, seed: UInt64, slices: Int) {
    self.programs = programs
    self.seed = seed
    self.slices = slices
  }

  func run(_ scratch: Scratch, _ result: inout PartResult) throws {
    let store = scratch("visited")
    try Workload(seed: seed, commits: 0).open(store, create: true).close()
    var generator = SeededGenerator(seed: seed)
    var names: [String] = []
    for slice in 0..<slices {
      let delay = UInt32(generator.draw(below: 150_000))
      let ends = try visit(store, seed &+ UInt64(slice), delay, scratch)
      for (number, end) in ends.sorted(by: { $0.key < $1.key }) {
        // The last line of a killed process may be half a line.
        let lines = String(decoding: end.output, as: UTF8.self)
          .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        for line in lines {
          if line.hasPrefix("V ") { names.append(String(line.dropFirst(2))) } else { result.fail("\(line)") }
        }
        if number == 0, end.end == .signalled(9) {
          result["visitors killed"] += 1
        } else if end.end != .exited(0) {
          result.fail("visitor \(number), seed \(seed), slice \(slice): \(end.brief)")
        }
      }
      result["visitors"] += ends.count
      // Who hangs here hangs in every slice.
      guard !ends.values.contains(where: { $0.end == .hung }) else { return }
      let opened = try Workload(seed: seed, commits: 0).open(store, create: false)
      defer { opened.close() }
      for name in names where try opened.read({ try $0.users.number(of: name) }) == nil {
        result.fail("lost: \(name) was followed, seed \(seed), slice \(slice)")
      }
      if let faults = try opened.faults() { result.fail("seed \(seed), slice \(slice): \(faults)") }
    }
    result["commits of visitors"] += names.count
  }

  /// Starts them together, kills the first one after some microseconds, and waits.
  private func visit(
    _ store: String, _ seed: UInt64, _ delay: UInt32, _ scratch: Scratch
  ) throws -> [Int: Child.Result] {
    let ends = Mutex<[Int: Child.Result]>([:])
    let group = DispatchGroup()
    for number in 0..<processes {
      let directory = scratch("visitor-\(number)")
      try Files.makeDirectory(directory)
      let program = programs.torture
      DispatchQueue(label: "visitor \(number)").async(group: group) {
        guard
          let child = try? Child(
            program, ["visit", store, "--number", String(number), "--rounds", "40", "--seed", String(seed)],
            in: directory)
        else { return }
        if number == 0 {
          usleep(delay)
          child.kill()
        }
        let end = child.wait(seconds: 60)
        ends.withLock { $0[number] = end }
      }
    }
    group.wait()
    return ends.withLock { $0 }
  }
}

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif
