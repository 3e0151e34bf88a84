internal import Dispatch
internal import SatchelStorage
internal import Synchronization
import TestSupport

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Processes that write and read one store, whose files somebody removes, renames or replaces meanwhile.
///
/// Without the journal or its head they go on, and with another `data.mdb`, `lock.mdb` or directory they end with an error. What was
/// acknowledged is there afterwards, once what can be put back is put back.
package struct RemovalPart {
  package let programs: Programs
  package let seed: UInt64
  package let rounds: Int
  private let processes = 3

  package init(_ programs: Programs, seed: UInt64, rounds: Int) {
    self.programs = programs
    self.seed = seed
    self.rounds = rounds
  }

  package func run() throws -> PartResult {
    try PartResult.measuring("removals", seed: seed) { result in
      var generator = SeededGenerator(seed: seed)
      let scratch = try Scratch()
      for round in 0..<rounds {
        let removal = Removal(round, &generator)
        let (ends, before) = try crowd(removal, round, scratch, &generator, &result)
        try removal.undo()
        check(ends, before, removal, "seed \(seed), round \(round), \(removal.text)", &result)
        Files.remove(removal.store)
      }
      try control(scratch, &result)
    }
  }

  /// Starts processes that open the store before it happens, and one that does after that.
  /// - Returns: Their ends, and how many commits each had told of when it had just happened for the first time.
  private func crowd(
    _ removal: Removal, _ round: Int, _ scratch: Scratch, _ generator: inout SeededGenerator,
    _ result: inout PartResult
  ) throws -> (ends: [Int: Child.Result], before: [Int: Int]) {
    removal.move(to: scratch("store-\(round)"))
    let first = try Crowd(removal.store, seed: seed &+ UInt64(round))
    try first.prepare()
    first.close()
    let ends = Mutex<[Int: Child.Result]>([:])
    var before: [Int: Int] = [:]
    let group = DispatchGroup()
    for number in 0..<processes {
      try start(number, seconds: 2, removal.store, round, scratch, group) { end in
        ends.withLock { $0[number] = end }
      }
    }
    // They have opened it when they have told of something.
    for number in 0..<processes { try awaitOutput(of: scratch("removal-\(number)")) }
    for count in 0..<(removal.isFatal ? 1 : 4) {
      usleep(UInt32(10_000 + generator.draw(below: 200_000)))
      if try removal.happen(&generator) { result["files removed, renamed or replaced"] += 1 }
      guard count == 0 else { continue }
      for number in 0..<processes {
        before[number] = Self.commits(try Files.read(scratch("removal-\(number)") + "/output")).count
      }
      guard removal.leavesStore else { continue }
      let number = processes
      try start(number, seconds: 0.5, removal.store, round, scratch, group) { end in
        ends.withLock { $0[number] = end }
      }
    }
    group.wait()
    let found = ends.withLock { $0 }
    result["processes"] += found.count
    return (found, before)
  }

  /// Waits until a process has told of something that it has done, and of so many commits.
  private func awaitOutput(of directory: String, commits: Int = 0) throws {
    for _ in 0..<20_000 {
      if let output = try? Files.read(directory + "/output"), !output.isEmpty,
        Self.commits(output).count >= commits
      {
        return
      }
      usleep(500)
    }
    throw TortureError("the process of \(directory) does nothing")
  }

  /// The commits that a process has told of.
  private static func commits(_ output: [UInt8]) -> [Int] {
    String(decoding: output, as: UTF8.self).split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      return words.first == "W" && words.count > 2 ? Int(words[1]) : nil
    }
  }

  private func start(
    _ number: Int, seconds: Double, _ store: String, _ round: Int, _ scratch: Scratch, _ group: DispatchGroup,
    _ end: @escaping @Sendable (Child.Result) -> Void
  ) throws {
    let directory = scratch("removal-\(number)")
    Files.remove(directory)
    try Files.makeDirectory(directory)
    let arguments = [
      "crowd", store, "--number", String(number), "--seconds", String(seconds), "--seed",
      String(seed &+ UInt64(round)),
    ]
    let program = programs.torture
    DispatchQueue(label: "process \(number)").async(group: group) {
      guard let child = try? Child(program, arguments, in: directory) else { return }
      end(child.wait(seconds: 60))
    }
  }

  private func check(
    _ ends: [Int: Child.Result], _ before: [Int: Int], _ removal: Removal, _ place: String,
    _ result: inout PartResult
  ) {
    var newest = 0
    var commits: Set<Int> = []
    for (number, end) in ends.sorted(by: { $0.key < $1.key }) {
      let after = before[number].map { Self.commits(end.output).count - $0 }
      if let flaw = removal.flaw(of: end, writers: Crowd.writers(of: number), commitsAfter: after, &result) {
        result.fail("\(place), process \(number): \(flaw)")
      }
      // The last line may be half a line.
      for line in String(decoding: end.output, as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      {
        let words = line.split(separator: " ")
        if words.first == "X" { result.fail("\(place): \(line)") }
        guard words.first == "W", words.count > 1, let commit = Int(words[1]) else { continue }
        if !commits.insert(commit).inserted { result.fail("\(place): commit \(commit) was made twice") }
        newest = max(newest, commit)
      }
    }
    result["acknowledged commits"] += commits.count
    var loss = Self.loss(in: removal.store, seed: seed, newest)
    if removal.hasCopied, loss?.contains(Removal.foreign) == true {
      // It is refused until somebody takes it away. All commits are in data.mdb.
      result["copies refused by name"] += 1
      Files.remove(removal.store + "/journal")
      loss = Self.loss(in: removal.store, seed: seed, newest)
    }
    if let loss { result.fail("\(place): \(loss)") }
  }

  /// What is wrong with a store to which so many commits have returned; nil when nothing is.
  private static func loss(in store: String, seed: UInt64, _ newest: Int) -> String? {
    do {
      let last = try Crowd(store, seed: seed)
      defer { last.close() }
      let (state, anomaly) = try last.read()
      if let anomaly { return anomaly }
      guard state.number >= newest else {
        return "lost: commit \(newest) has returned, the store has \(state.number)"
      }
      _ = try last.write(as: 0)
      var options = Store.Options()
      options.create = false
      let opened = try Store.open(directory: store, user: nil, options: options)
      defer { opened.close() }
      return try opened.faults()
    } catch {
      return "refused: \(error)"
    }
  }

  /// Nothing can save a journal that is removed from a process that is killed before it writes again: that has to be found.
  private func control(_ scratch: Scratch, _ result: inout PartResult) throws {
    var (tried, found) = (0, 0)
    for round in 0..<4 {
      let store = scratch("control-\(round)")
      let first = try Crowd(store, seed: seed)
      try first.prepare()
      first.close()
      let directory = scratch("removal-control")
      Files.remove(directory)
      try Files.makeDirectory(directory)
      let child = try Child(
        programs.torture, ["crowd", store, "--number", "0", "--seconds", "30", "--seed", String(seed)],
        in: directory)
      // The first commit begins the journal and is not in it itself.
      try awaitOutput(of: directory, commits: 3)
      child.stop()
      usleep(2000)
      let acknowledged = Self.commits(try Files.read(directory + "/output"))
      Files.remove(store + "/journal")
      child.kill()
      _ = child.wait()
      tried += 1
      if Self.loss(in: store, seed: seed, acknowledged.max() ?? 0) != nil { found += 1 }
    }
    result.controls.append(
      .init("a journal removed, and its last process killed", tried: tried, found: found))
  }
}
