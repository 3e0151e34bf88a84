import Satchel
import SatchelLive
import TestSupport
import Testing

/// Live queries of a store that was suspended while others wrote.
@Suite(.timeLimit(.minutes(10))) struct SuspendedListTests {
  /// Whoever writes meanwhile: another object of the process, or another process.
  enum Writer: CaseIterable { case handle, process }

  /// `SATCHEL_LIVE_COMMITS`: how many commits others make in the longest suspension; more than the log keeps in any case.
  @Test(arguments: Writer.allCases) func listsGoOnWhereTheyWere(_ writer: Writer) async throws {
    let lists = try SuspendedLists(seed: TestEnvironment.seed(for: "suspended lists"))
    for (round, count) in [3, max(1400, TestSettings.commits), 0, 40].enumerated() {
      let before = try lists.suspend()
      switch writer {
      case .handle: try lists.writeMeanwhile(count)
      case .process:
        await #expect(processExitsWith: .success) {
          [
            path = lists.scratch.store.path as String, seed = lists.seed as UInt64, count = count as Int,
            round = round as Int
          ] in
          let other = try MessageStore(existingAt: path, options: Scratch.options)
          var commits = CommitGenerator(seed: seed &+ UInt64(round))
          // Names that nobody else gives.
          commits.contents.created = (round + 1) * 1_000_000
          commits.keepsResponses = true
          try SuspendedLists.write(count, &commits, to: other)
          other.close()
        }
      }
      try lists.resume(after: before, isTrimmed: count >= 1400)
      try lists.write(5)
    }
    #expect(lists.tally.changeSets > 0)
  }
}

/// A store with random live queries, which are compared with what they have to show.
private final class SuspendedLists {
  let seed: UInt64
  let scratch: Scratch
  private(set) var tally = Tally()
  private let feed: LiveFeed
  private var commits: CommitGenerator
  private let probes: [LiveProbe]
  private let virtual: [VirtualProbe]

  private var store: MessageStore { scratch.store }

  init(seed: UInt64) throws {
    self.seed = seed
    scratch = try Scratch()
    let (store, feed) = (scratch.store, LiveFeed(scratch.store.base, followsCommits: false))
    self.feed = feed
    commits = CommitGenerator(seed: seed)
    try scratch.keepResponses()
    commits.keepsResponses = true
    for _ in 0..<60 { try commits.commit(to: store) }
    var questions = QuestionGenerator(seed: seed &+ 1)
    questions.keepsResponses = true
    let world = try store.read { try World($0) }
    for kind in ObjectKind.builtIn { questions.identifiers[kind] = world.identifiers(kind) }
    var probes: [LiveProbe] = []
    for number in 0..<30 {
      let (question, place) = try store.read { snapshot in
        let world = world.again(snapshot)
        let question = try questions.next().fitted(to: world)
        return (question, try LiveProbe.place(of: question, after: nil, in: world))
      }
      probes.append(try LiveProbe(question, watch: number, feed, at: place))
    }
    self.probes = probes
    virtual = try ObjectKind.builtIn.map {
      try VirtualProbe(QueryDescription(kind: $0), feed, in: world, store)
    }
    try check()
  }

  /// Compares all that is live with what is in the store.
  private func check() throws {
    try store.read { snapshot in
      let world = try World(snapshot)
      for probe in probes {
        let mismatch = try probe.check(in: world, isWaiting: false, &tally)
        #expect(mismatch == nil, "\(probe.question): \(mismatch ?? "")")
      }
      for probe in virtual {
        let mismatch = try probe.check(in: world, &tally)
        #expect(mismatch == nil, "\(probe.query): \(mismatch ?? "")")
      }
    }
  }

  func write(_ count: Int) throws {
    for _ in 0..<count { try commits.commit(to: store) }
    feed.catchUp()
    try check()
  }

  /// - Returns: The last commit.
  func suspend() throws -> UInt64 {
    let last = try store.read { $0.sequence }
    try store.suspend(waitingUpTo: .seconds(60))
    // Nothing is behind, and nothing has failed.
    feed.catchUp()
    #expect(store.liveQueryDelay == nil)
    return last
  }

  /// Makes random commits, and as many that are sure to change something: some of the others do not, and are no commits.
  static func write(_ count: Int, _ commits: inout CommitGenerator, to other: MessageStore) throws {
    for number in 0..<count {
      try commits.commit(to: other)
      try other.write { try $0.setFollowed(number.isMultiple(of: 2), "followed") }
    }
  }

  func writeMeanwhile(_ count: Int) throws {
    let other = try MessageStore(existingAt: store.path, options: Scratch.options)
    try Self.write(count, &commits, to: other)
    other.close()
  }

  /// Goes on, and compares.
  /// - Parameters:
  ///   - commit: The last commit before the suspension.
  ///   - isTrimmed: Whether the log does not go back to it.
  func resume(after commit: UInt64, isTrimmed: Bool) throws {
    try store.resume()
    feed.catchUp()
    try check()
    #expect(try store.read { try $0.base.changes(after: commit) == nil } == isTrimmed)
    // A program that reads the changes learns what one does that was away.
    do {
      let last = try store.read { $0.sequence }
      let changes = try store.changes(since: commit)
      #expect(!isTrimmed && changes.allSatisfy { $0.sequence > commit && $0.sequence <= last })
    } catch let error as SatchelError {
      #expect(isTrimmed && error.code == .logTrimmed)
    }
  }
}
