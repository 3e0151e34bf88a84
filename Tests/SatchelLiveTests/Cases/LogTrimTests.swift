import Satchel
import SatchelLive
import TestSupport
import Testing

/// More changes than the log holds, between one look and the next.
@Suite struct LogTrimTests {
  @Test func listsAreSelectedAnewWhenTheLogHasBeenTrimmed() throws {
    let scratch = try Scratch()
    try fill(scratch.store, "first")
    let first = try scratch.store.read { $0.sequence }
    try checkLists("trimmed log", scratch.store) { commits in
      for text in ["second", "third", "fourth"] {
        for _ in 0..<20 { try commits.commit(to: scratch.store) }
        try fill(scratch.store, text)
      }
    }
    let isTrimmed = try scratch.store.read { try $0.base.changes(after: first) == nil }
    #expect(isTrimmed)
  }

  @Test func listsAreSelectedAnewWhenOneCommitChangesMoreThanTheLogLists() throws {
    let scratch = try Scratch()
    try checkLists("large commit", scratch.store) { commits in
      for _ in 0..<20 { try commits.commit(to: scratch.store) }
      try scratch.store.write { transaction in
        for number in 0..<20_100 { try transaction.setFollowed(true, Identity.ID("user \(number)")) }
        for _ in 0..<20 { try commits.step(transaction) }
      }
      let commit = try scratch.store.read { $0.sequence }
      let entry = try scratch.store.read { try $0.base.changes(after: commit - 1)?.first?.entry }
      #expect(entry?.ranges.isEmpty == false)
    }
  }

  /// Compares random live queries before and after changes.
  private func checkLists(
    _ purpose: String, _ store: MessageStore, _ change: (inout CommitGenerator) throws -> Void
  ) throws {
    let seed = TestEnvironment.seed(for: purpose)
    let feed = LiveFeed(store.base, followsCommits: false)
    var commits = CommitGenerator(seed: seed)
    var questions = QuestionGenerator(seed: seed &+ 1)
    try Scratch.keepResponses(in: store)
    (commits.keepsResponses, questions.keepsResponses) = (true, true)
    for _ in 0..<60 { try commits.commit(to: store) }
    let world = try store.read { try World($0) }
    for kind in ObjectKind.builtIn { questions.identifiers[kind] = world.identifiers(kind) }
    let probes = try (0..<30).map { number in
      let (question, place) = try store.read { snapshot in
        let world = world.again(snapshot)
        let question = try questions.next().fitted(to: world)
        return (question, try LiveProbe.place(of: question, after: nil, in: world))
      }
      return try LiveProbe(question, watch: number, feed, at: place)
    }
    var tally = Tally()
    func check(_ world: World) throws {
      for probe in probes {
        let mismatch = try probe.check(in: world, isWaiting: false, &tally)
        #expect(mismatch == nil, "\(probe.question): \(mismatch ?? "")")
      }
    }
    try store.read { try check(world.again($0)) }
    try change(&commits)
    feed.catchUp()
    try store.read { try check(World($0)) }
    #expect(tally.changeSets > 0)
  }

  /// Gives messages metadata of which the log keeps megabytes when it changes.
  private func fill(_ store: MessageStore, _ text: String) throws {
    let value = MetadataValue.text(String(repeating: text + " ", count: 30))
    let metadata = Metadata((0..<40).map { ("key\($0)", value) })
    try store.write { transaction in
      if text == "first" {
        try transaction.createConversation(with: ["bob"], id: "full", createdAt: Pools.date(1))
      }
      for number in 0..<800 {
        let id = Message.ID("full/\(number)")
        if text == "first" {
          try transaction.receive(
            [], in: "full", from: "bob", id: id, position: Int64(number), sentAt: Pools.date(2),
            receivedAt: Pools.date(2))
        }
        try transaction.replaceMetadata(with: metadata, of: .message(id))
      }
    }
  }
}
