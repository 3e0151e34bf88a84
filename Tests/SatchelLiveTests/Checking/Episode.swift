import Satchel
import SatchelLive
import SatchelStorage

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
  private var probes: [LiveProbe] = []
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
      let group = min(random.pick(weighted: [(48, 1), (24, 2), (18, 4), (10, 12)]), plan.commits - made)
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
      commit = world.snapshot.sequence
      tally.commits += group
      feed.catchUp()
      world = try store.read { snapshot in
        let world = try World(snapshot)
        try check(probes, in: world, &tally)
        return world
      }
      if tally.mismatchCount > 0 { return }
      try replaceProbes(&tally)
    }
  }

  private mutating func check(_ probes: [LiveProbe], in world: World, _ tally: inout Tally) throws {
    for probe in probes {
      let isWaiting = random.percent(20)
      if let mismatch = try probe.check(in: world, isWaiting: isWaiting, &tally) {
        let entries = try world.snapshot.base.changes(after: commit) ?? []
        tally.note(
          mismatch: """
            commits \(commit + 1)...\(world.snapshot.sequence): \(probe.question)
              \(mismatch)
              \(entries.map { String(describing: $0).prefix(6000) })
            """)
      }
    }
  }

  /// Ends some of the live queries, changes others, and begins new ones in their place.
  private mutating func replaceProbes(_ tally: inout Tally) throws {
    let isFull = probes.count >= plan.queries
    if isFull, !random.percent(35) { return }
    for kind in ObjectKind.allCases { questions.identifiers[kind] = world.identifiers(kind) }
    var new: [LiveProbe] = []
    if isFull {
      let place = random.below(probes.count)
      if random.percent(40) {
        let question = try questions.changing(probes[place].question)
        try probes[place].load(question, watch: watch(question), in: world)
        new.append(probes[place])
      } else {
        probes.remove(at: place)
      }
    }
    while probes.count < plan.queries {
      let question = try questions.next()
      let probe = try LiveProbe(question, watch: watch(question), feed, in: world)
      probes.append(probe)
      new.append(probe)
    }
    try store.read { try check(new, in: world.again($0), &tally) }
  }

  private mutating func watch(_ question: LiveQuestion) -> Int {
    let name =
      "\(question.kind) \(question.watchedPaths) \(question.specification.updatableProperties == nil)"
    if let number = watches[name] { return number }
    watches[name] = watches.count
    return watches.count - 1
  }
}
