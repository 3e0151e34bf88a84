import IndexChurn
import Satchel
import SatchelLive
import SatchelStorage
import TestSupport

/// One store's life under random commits, with random queries live all the time.
struct Episode {
  /// What happens beside the ordinary.
  struct Plan {
    /// Commits to make.
    var commits: Int
    /// Queries that are live at any time.
    var queries: Int
    /// Whether a conversation gets more messages than the log lists.
    var hasManyMessages = false
    /// Whether lines are imported.
    var imports = false
  }

  private let plan: Plan
  private let scratch: Scratch
  private let feed: LiveFeed
  private var random: SeededGenerator
  private var commits: CommitGenerator
  private var questions: QuestionGenerator
  private var indexes: DeclaredIndexes
  private var probes: [LiveProbe] = []
  private var virtual: [VirtualProbe] = []
  /// Numbers for what is watched, by kind.
  private var watches: [String: Int] = [:]
  private var world: World
  /// The commit that the lists showed before the last step.
  private var commit: UInt64 = 0

  private var store: MessageStore { scratch.store }

  init(_ plan: Plan, seed: UInt64) throws {
    self.plan = plan
    random = SeededGenerator(seed: seed)
    scratch = try Scratch()
    feed = LiveFeed(scratch.store.base, followsCommits: false)
    commits = CommitGenerator(seed: random.next())
    questions = QuestionGenerator(seed: random.next())
    indexes = DeclaredIndexes(seed: random.next())
    try scratch.keepResponses()
    (commits.keepsResponses, questions.keepsResponses) = (true, true)
    let start = random.below(30)
    for _ in 0..<start { try commits.commit(to: scratch.store) }
    world = try scratch.store.read { try World($0) }
  }

  /// Runs the episode to its end or to the first mismatch.
  mutating func run(_ tally: inout Tally) throws {
    var made = 0
    var special = 0
    let specials = random.below(5) + 4
    try replaceProbes(&tally)
    while made < plan.commits {
      let group = min(random.pick(weighted: [(40, 1), (20, 2), (20, 5), (20, 14)]), plan.commits - made)
      for _ in 0..<group {
        if plan.hasManyMessages, special < specials, made >= (special + 1) * plan.commits / (2 * specials + 2)
        {
          try commits.manyMessages(special, of: specials, in: store)
          special += 1
        } else if plan.imports, random.below(plan.commits) < 2 {
          try commits.importLines(into: scratch)
        } else {
          try commits.commit(to: store)
        }
        made += 1
      }
      commit = world.sequence
      tally.commits += group
      feed.catchUp()
      world = try store.read { snapshot in
        let world = try World(snapshot)
        try check(probes, in: world, &tally)
        for probe in virtual {
          if let mismatch = try probe.check(in: world, &tally) { note(mismatch, probe.query, world, &tally) }
        }
        return world
      }
      for probe in virtual {
        let mismatch = try probe.checkObjects(from: random.below(30))
        if let mismatch { note(mismatch, probe.query, world, &tally) }
      }
      if tally.mismatchCount > 0 { return }
      try replaceProbes(&tally)
    }
  }

  private mutating func check(_ probes: [LiveProbe], in world: World, _ tally: inout Tally) throws {
    for probe in probes {
      let isWaiting = random.percent(20)
      if let mismatch = try probe.check(in: world, isWaiting: isWaiting, &tally) {
        note(mismatch, probe.question, world, &tally)
      }
    }
  }

  private func note(
    _ mismatch: String, _ question: any CustomStringConvertible, _ world: World, _ tally: inout Tally
  ) {
    let isOver = !world.snapshot.base.transaction.isOpen
    let entries =
      (try? isOver
        ? store.base.read { try $0.changes(after: commit) } : world.snapshot.base.changes(after: commit))
      ?? nil
    tally.note(
      mismatch: """
        commits \(commit + 1)...\(world.sequence): \(question)
          \(mismatch)
          \((entries ?? []).map { String(describing: $0).prefix(6000) })
        """)
  }

  /// Ends some of the live queries, changes others, and begins new ones in their place.
  private mutating func replaceProbes(_ tally: inout Tally) throws {
    let isFull = probes.count >= plan.queries
    if isFull, !random.percent(35) { return }
    for kind in ObjectKind.builtIn { questions.identifiers[kind] = world.identifiers(kind) }
    var new: [LiveProbe] = []
    if isFull {
      let place = random.below(probes.count)
      if random.percent(40) {
        let probe = probes[place]
        try ask(questions.changing(probe.question), probe, &tally)
        new.append(probes[place])
      } else {
        probes.remove(at: place)
      }
    }
    while probes.count < plan.queries {
      let question = try questions.next()
      try indexes.come(after: question.query, to: store, onceIn: 3)
      let probe = try ask(question, nil, &tally)
      probes.append(probe)
      new.append(probe)
    }
    if virtual.count >= plan.queries / 8 { virtual.remove(at: random.below(virtual.count)) }
    let queries = try (virtual.count..<max(plan.queries / 8, 1)).map { _ in try questions.nextVirtual() }
    try store.read { snapshot in
      let world = world.again(snapshot)
      try check(new, in: world, &tally)
    }
    for query in queries { virtual.append(try VirtualProbe(query, feed, in: world, store)) }
  }

  /// Asks a question, of a live query or a new one. A window around an object that is no result is refused; another
  /// window is asked for then.
  @discardableResult
  private mutating func ask(
    _ wanted: LiveQuestion, _ old: LiveProbe?, _ tally: inout Tally
  ) throws -> LiveProbe {
    let (question, place) = try store.read { snapshot in
      let world = world.again(snapshot)
      let question = try wanted.fitted(to: world, after: old?.question)
      return (question, try LiveProbe.place(of: question, after: old, in: world))
    }
    let isRefused = question.specification.window != wanted.specification.window
    if isRefused, let old, !old.refuses(wanted) {
      tally.note(mismatch: "it was not refused: \(wanted)")
    }
    let number = watch(question)
    if let old {
      try old.load(question, watch: number, at: place)
      return old
    }
    let probe = try LiveProbe(question, watch: number, feed, at: place)
    if isRefused {
      if !probe.refuses(wanted) { tally.note(mismatch: "it was not refused: \(wanted)") }
    }
    return probe
  }

  private mutating func watch(_ question: LiveQuestion) -> Int {
    let name =
      "\(question.kind) \(question.watchedPaths) \(question.specification.updatableProperties == nil)"
    if let number = watches[name] { return number }
    watches[name] = watches.count
    return watches.count - 1
  }
}
