#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Calls to the operating system that fail: each one, once and from there on, in several ways.
package struct ErrorPart {
  package let programs: Programs
  package let seed: UInt64
  /// What to do; nil for all that there is.
  package let scenario: Scenario?
  /// One of so many calls is made to fail; 1 for each.
  package let stride: Int

  package init(_ programs: Programs, seed: UInt64, stride: Int = 1, of scenario: Scenario? = nil) {
    self.programs = programs
    self.seed = seed
    self.stride = stride
    self.scenario = scenario
  }

  package func run() throws -> PartResult {
    try PartResult.measuring("errors", seed: seed) { result in
      let template = try Template(programs, seed: seed, commits: 12)
      let (scenarios, missing) = try scenario.map { ([$0], []) } ?? Scenario.available(programs)
      result.skipped += missing.map { "\($0): the tool has no such command" }
      // Threads make other calls in each run: what fails there is drawn by the kills.
      for scenario in scenarios where !scenario.hasThreads {
        try everyCall(of: scenario, template, &result)
        try limits(scenario, template, &result)
      }
      try control(template, &result)
    }
  }

  private func everyCall(of scenario: Scenario, _ template: Template, _ result: inout PartResult) throws {
    let calls = try Accident(scenario, template).countCalls(countsReads: true)
    result["calls of all scenarios"] += calls
    var run = Int(seed % UInt64(stride))
    for call in 1...max(calls, 1) {
      for event in [Shim.Event.eio, .enospc, .short] {
        for goesOn in [false, true] {
          run += 1
          guard run % stride == 0 else { continue }
          let accident = try Accident(scenario, template)
          let end = try accident.meet(event, at: call, goesOn: goesOn, countsReads: true)
          guard try accident.hits() > 0 else { continue }
          result["failed calls"] += 1
          let what = "\(scenario.name), \(event) \(goesOn ? "from" : "at") call \(call)"
          // The bytes are whole: a call that fails once is no damage.
          if event == .eio, !goesOn, end.errors.contains(Self.damage) {
            result.fail("\(what): takes a failed call for damage: \(end.errors.prefix(300).debugDescription)")
          }
          try judge(end, accident, what, &result)
        }
      }
    }
  }

  /// What the error of a damaged store says.
  private static let damage = "The store is damaged"

  /// The program has to say in one line what was wrong, or to have done its work all the same.
  private func judge(
    _ end: Child.Result, _ accident: Accident, _ what: String, _ result: inout PartResult
  ) throws {
    var isDone = false
    switch end.end {
    case .exited(0):
      isDone = true
      result["work done all the same"] += 1
    // Lines that were rejected, or records on a page that could not be read: the command has listed them.
    case .exited(3): result["work done in part"] += 1
    // A page that cannot be read is a fault like others: verify lists it.
    case .exited(4) where Self.listsFaults(end.output): result["ended with a list of faults"] += 1
    case .exited(let status) where status == 1 || status == 4:
      result["ended with an error"] += 1
      if !Self.isTyped(end.errors) { result.fail("\(what): says \(end.errors.prefix(300).debugDescription)") }
    case .exited, .signalled, .hung: result.fail("\(what): \(end.brief)")
    }
    if let complaint = try accident.check(isDone: isDone) {
      result.fail("\(what): \(complaint); it had said: \(end.errors.suffix(200))")
    }
    result["checked stores"] += 1
  }

  /// One line of the tool's, or a store's error that the harness's own program prints.
  private static func isTyped(_ errors: String) -> Bool {
    let lines = errors.split(separator: "\n").filter { line in
      // What was met and overcome, and lines of a file that an import passes over.
      !line.hasPrefix("met") && !line.hasPrefix("line ")
    }
    return lines.count == 1 && (lines[0].hasPrefix("satchel: ") || lines[0].hasPrefix("Error: "))
  }

  /// Whether this is what verify prints of a store with faults: a line for each of the first, and how many there are.
  private static func listsFaults(_ output: [UInt8]) -> Bool {
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
    guard lines.count > 1, let last = lines.last else { return false }
    return last.hasPrefix("checked: ") && last.hasSuffix(" faults") && !last.hasSuffix("; 0 faults")
  }

  // MARK: Limits

  /// What the system may refuse a process, by the shell's words for it.
  private static let refusals: [String] = {
    let descriptors = ["ulimit -n 6", "ulimit -n 9", "ulimit -n 12"]
    let sizes = ["ulimit -f 8", "ulimit -f 64", "ulimit -f 400"]
    let spaces = ["ulimit -v 400000", "ulimit -v 1000000", "ulimit -v 8000000"]
    // The sanitizers reserve more address space than any of these before a program begins, and that of threads ends
    // where files may not have any length.
    switch getenv("SATCHEL_SANITIZER").map({ String(cString: $0) }) {
    case nil: return sizes + descriptors + spaces
    case "thread": return descriptors
    default: return sizes + descriptors
    }
  }()

  private func limits(_ scenario: Scenario, _ template: Template, _ result: inout PartResult) throws {
    for limit in Self.refusals {
      let accident = try Accident(scenario, template)
      let end = try accident.run(limited: limit)
      result["limits"] += 1
      let what = "\(scenario.name), \(limit)"
      // A program that is refused memory before it begins is no matter of ours: its own start may fail.
      if limit.contains("-v") || limit.contains("-n"), !accident.wasStarted(end) {
        result["not started under a limit"] += 1
        continue
      }
      // Swift ends a program that gets no memory: then the store has to be as it was.
      if limit.contains("-v"), case .signalled = end.end {
        result["ended for want of memory"] += 1
        if let complaint = try accident.check(isDone: false) { result.fail("\(what): \(complaint)") }
        continue
      }
      if limit.contains("-f"), end.end == .signalled(SIGXFSZ) {
        result["ended by SIGXFSZ"] += 1
        if accident.isOfTool { result.fail("\(what): ended by SIGXFSZ") }
        if let complaint = try accident.check(isDone: false) { result.fail("\(what): \(complaint)") }
        continue
      }
      try judge(end, accident, what, &result)
    }
    try place(scenario, template, &result)
  }

  /// A full disk, a directory that may not be written to, and one that is gone.
  private func place(_ scenario: Scenario, _ template: Template, _ result: inout PartResult) throws {
    for room in [20, 100, 300] {
      let accident = try Accident(scenario, template)
      guard getuid() == 0, try accident.mount(room) else {
        if !result.skipped.contains(Self.noMount) { result.skipped.append(Self.noMount) }
        break
      }
      result["full file systems"] += 1
      let end = try accident.run()
      accident.empty()
      try judge(end, accident, "\(scenario.name), a disk with room for \(room) KiB", &result)
      accident.unmount()
    }
    let accident = try Accident(scenario, template)
    Files.remove(accident.world.root)
    let end = try accident.run()
    result["directories that are gone"] += 1
    if case .exited(let status) = end.end, status == 1, Self.isTyped(end.errors) { return }
    result.fail("\(scenario.name), its directory is gone: \(end.brief)")
  }

  private static let noMount = "full file systems: only root can mount one"

  /// Judged by a rule that is known to be broken: an accident that leaves a damaged store has to be seen.
  private func control(_ template: Template, _ result: inout PartResult) throws {
    let scenario = Scenario.all[1]
    var found = 0
    let places = 0..<12
    for place in places {
      let accident = try Accident(scenario, template)
      _ = try accident.run()
      let file = accident.world.store + "/" + StoreFile.durable[0]
      var bytes = try Files.read(file)
      // All over the file, of which some pages are free.
      let page = 2 + place * (bytes.count / 4096 - 2) / places.count
      for place in page * 4096..<min((page + 1) * 4096, bytes.count) { bytes[place] ^= 0x55 }
      try Files.write(bytes, to: file)
      let end = try Child.run(
        programs.satchel, ["verify", accident.world.store], in: accident.world.scratch.path)
      if end.end != .exited(0) { found += 1 }
    }
    result.controls.append(
      .init("pages overwritten behind the program's back", tried: places.count, found: found))
  }
}

extension Accident {
  fileprivate var isOfTool: Bool { (try? scenario.command(world).program) == world.programs.satchel }

  /// Whether the program got as far as its own work.
  fileprivate func wasStarted(_ end: Child.Result) -> Bool {
    if case .exited(let status) = end.end, status <= 4, !end.errors.contains("error while loading shared") {
      return true
    }
    return Files.exists(world.marks)
  }

  /// Puts a small file system in the place of the directory, with what was in it and so many KiB more.
  fileprivate func mount(_ room: Int) throws -> Bool {
    let kept = world.scratch("kept")
    guard rename(world.root, kept) == 0 else { return false }
    try Files.makeDirectory(world.root)
    let taken = try StoreFile.durable.reduce(0) { sum, name in
      let path = kept + "/store/" + name
      return sum + (Files.exists(path) ? try Files.read(path).count : 0)
    }
    let result = try Child.run(
      "/bin/mount", ["-t", "tmpfs", "-o", "size=\(taken / 1024 + room)k", "tmpfs", world.root],
      in: world.scratch.path)
    guard result.end == .exited(0) else { return false }
    if Files.exists(kept + "/store") { try Files.copyStore(kept + "/store", to: world.store) }
    return true
  }

  /// Gives the file system room again.
  fileprivate func empty() {
    _ = try? Child.run(
      "/bin/mount", ["-o", "remount,size=64m", world.root], in: world.scratch.path)
  }

  fileprivate func unmount() {
    _ = try? Child.run("/bin/umount", ["-l", world.root], in: world.scratch.path)
  }
}
