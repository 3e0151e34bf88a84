internal import SatchelExecution
internal import SatchelInterchange
internal import SatchelStorage

/// Something that a program does to a store and that may be cut short at any call, and what has to be so afterwards.
package struct Scenario: Sendable {
  package let name: String
  /// What the program is: a command of the tool, or a script of the harness's own.
  let prepare: @Sendable (World) throws -> Void
  let command: @Sendable (World) throws -> (program: String, arguments: [String])
  /// What is wrong afterwards; nil when nothing is.
  let check: @Sendable (World, _ isDone: Bool) throws -> String?
  /// Whether others may read and write the store at the same time.
  let hasCompany: Bool
  /// Whether threads of the program's own make other calls in each run.
  let hasThreads: Bool
  /// The subcommand of the tool without which there is no such scenario.
  let needs: String?

  init(
    _ name: String, needs: String? = nil, hasCompany: Bool = false, hasThreads: Bool = false,
    prepare: @escaping @Sendable (World) throws -> Void,
    command: @escaping @Sendable (World) throws -> (program: String, arguments: [String]),
    check: @escaping @Sendable (World, Bool) throws -> String?
  ) {
    self.name = name
    self.prepare = prepare
    self.command = command
    self.check = check
    self.hasCompany = hasCompany
    self.hasThreads = hasThreads
    self.needs = needs
  }

  /// All that there are; a command of the tool joins by a line.
  package static let all: [Scenario] = [
    script("writes of a new store", isNew: true, .full),
    script("writes", isNew: false, .full),
    script("writes after a kill", isNew: false, .full, from: "left"),
    script("relaxed writes", isNew: false, .relaxed, from: "left"),
    script("shared writes", isNew: false, .full, threads: 3),
    indexes, indexesBeside, importNew, importStaged, conversion,
    onSoundStore("backup", needs: "backup") { ["backup", $0.store, $0.other] },
    compaction,
    onSoundStore("compact backup", needs: "backup --compact") {
      ["backup", "--compact", $0.store, $0.other]
    },
    onSoundStore("repair", needs: "verify --repair") { ["verify", "--repair", $0.store] },
    onSoundStore("salvage", needs: "salvage") { ["salvage", $0.store, $0.other] },
  ]

  /// Those that the tool of this build can do.
  package static func available(_ programs: Programs) throws -> (here: [Scenario], missing: [String]) {
    let scratch = try Scratch()
    var (here, missing): ([Scenario], [String]) = ([], [])
    for scenario in all {
      guard let needs = scenario.needs else {
        here.append(scenario)
        continue
      }
      let words = needs.split(separator: " ").map(String.init)
      let help = try Child.run(programs.satchel, [words[0], "--help"], in: scratch.path)
      let text = String(decoding: help.output, as: UTF8.self)
      let isThere =
        help.end == .exited(0) && text.contains("satchel \(words[0])")
        && words.dropFirst().allSatisfy(text.contains)
      if isThere { here.append(scenario) } else { missing.append(scenario.name) }
    }
    return (here, missing)
  }

  // MARK: Kinds

  private static func script(
    _ name: String, isNew: Bool, _ durability: Workload.Durability, threads: Int = 0,
    from template: String = "half"
  ) -> Scenario {
    @Sendable func workload(_ world: World) -> Workload {
      var workload = world.template.workload
      workload.durability = durability
      workload.threads = threads
      if isNew { workload.commits = min(workload.commits, 6) }
      return workload
    }
    return Scenario(name, hasCompany: !isNew, hasThreads: threads > 0) { world in
      if !isNew { try world.copyStore(template) }
    } command: { world in
      try work(workload(world), world)
    } check: { world, isDone in
      let acknowledged = try Acknowledged(file: world.marks)
      if isNew, !acknowledged.isOpen {
        // Nobody has been told that there is one: it can be made now.
        try workload(world).open(world.store, create: true).close()
      }
      let store = try world.open()
      defer { store.close() }
      if let difference = try store.read({ try acknowledged.difference($0, world.template.history) }) {
        return difference
      }
      return try store.faults() ?? store.goesOn()
    }
  }

  private static func work(_ workload: Workload, _ world: World) throws -> (String, [String]) {
    let arguments = try world.programs.work(
      workload, store: world.store, marks: world.marks, retries: workload.threads == 0)
    return (world.programs.torture, arguments)
  }

  /// Indexes are declared, replaced and dropped, and each is built, or its entries removed, in steps beside other commits.
  package static let indexes = indexes("declared indexes", .along)
  package static let indexesBeside = indexes("declared indexes beside commits", .beside)

  private static func indexes(_ name: String, _ indexing: Workload.Indexing) -> Scenario {
    Scenario(name, hasCompany: true, hasThreads: indexing == .beside) { world in
      try world.copyStore("indexed")
    } command: { world in
      var workload = world.template.indexing
      workload.indexing = indexing
      return try work(workload, world)
    } check: { world, _ in
      let acknowledged = try Acknowledged(file: world.marks)
      let left = world.scratch("left")
      try Files.copyStore(world.store, to: left)
      let store = try world.open()
      defer { store.close() }
      if let difference = try store.read({ try acknowledged.difference($0, world.template.indexingHistory) })
      {
        return difference
      }
      let check = IndexCheck(left, seed: world.template.indexing.seed)
      return try store.faults() ?? store.goesOn() ?? check.complaint()
    }
  }

  private static let importNew = Scenario("import into a new store") { _ in
  } command: { world in
    (world.programs.satchel, ["import", world.store, world.template.file, "--as", "me"])
  } check: { world, isDone in
    if isDone, !Files.exists(world.store + "/data.mdb") {
      return "lost: the import ended well, and left no store"
    }
    // All or nothing; and with nothing, the same import works now.
    if !Files.exists(world.store + "/data.mdb") {
      try ImageCheck.importFile(world.template.file, into: world.store)
    }
    guard try ImageCheck.export(world.store) == world.template.imported else {
      return "wrong: half of an import"
    }
    return try soundness(world)
  }

  private static let importStaged = Scenario("import into a store", hasCompany: true) { world in
    try world.copyStore("left")
  } command: { world in
    (world.programs.satchel, ["import", world.store, world.template.file, "--skip-invalid"])
  } check: { world, isDone in
    let before = try world.open()
    let found = try before.read { try Workload.progress($0) }
    before.close()
    // The file's script brings the identity of its own progress, which the store has already: what comes is the rest.
    let expected = world.template.progressOfHalf
    guard found == expected else { return "lost: the store had commit \(expected), and has \(found) now" }
    let again = try Child.run(
      world.programs.satchel, ["import", world.store, world.template.file, "--skip-invalid"],
      in: world.scratch.path)
    guard again.end == .exited(0) || again.end == .exited(3) else { return "the next import: \(again.brief)" }
    return try soundness(world)
  }

  private static let conversion = Scenario("conversion of an earlier format") { world in
    try world.copyStore("older")
  } command: { world in
    (world.programs.torture, ["open", world.store])
  } check: { world, _ in
    guard try ImageCheck.export(world.store) == world.template.half else { return "wrong: not what it held" }
    return try soundness(world)
  }

  /// In steps, each of which joins pages of a store that deletions have left half empty, or gives free ones back.
  package static let compaction = Scenario("compaction in place", needs: "compact", hasCompany: true) {
    try $0.copyStore("sparse")
  } command: { world in
    (world.programs.satchel, ["compact", world.store])
  } check: { world, _ in
    // But for what others have written beside it.
    guard try contents(ImageCheck.export(world.store)) == contents(world.template.sparse) else {
      return "wrong: not what it held"
    }
    let again = try Child.run(
      world.programs.satchel, ["compact", world.store], in: world.scratch.path)
    guard again.end == .exited(0) else { return "once more: \(again.brief)" }
    return try soundness(world)
  }

  /// The lines of an export without those of other writers, and without the last one, which counts all.
  private static func contents(_ export: [UInt8]) -> [String] {
    String(decoding: export, as: UTF8.self).split(separator: "\n").dropLast()
      .filter { !$0.contains("\"company-") }.map(String.init)
  }

  /// A command that leaves a sound store as it was, as far as anybody can see.
  private static func onSoundStore(
    _ name: String, needs: String, _ arguments: @escaping @Sendable (World) -> [String]
  ) -> Scenario {
    Scenario(name, needs: needs) { world in
      try world.copyStore("left")
    } command: { world in
      (world.programs.satchel, arguments(world))
    } check: { world, isDone in
      guard try ImageCheck.export(world.store) == world.template.half else {
        return "wrong: not what it held"
      }
      if isDone, Files.exists(world.other + "/data.mdb") {
        guard try ImageCheck.export(world.other) == world.template.half else {
          return "wrong: the copy differs"
        }
      }
      let again = try Child.run(world.programs.satchel, arguments(world), in: world.scratch.path)
      // A copy that is there already is a reason to refuse, and the only one.
      guard again.end == .exited(0) || Files.exists(world.other) else { return "once more: \(again.brief)" }
      return try soundness(world)
    }
  }

  private static func soundness(_ world: World) throws -> String? {
    let store = try world.open()
    defer { store.close() }
    return try store.faults() ?? store.goesOn()
  }
}
