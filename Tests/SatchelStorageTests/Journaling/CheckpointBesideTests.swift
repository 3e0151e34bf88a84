import Journal
import SatchelModel
import SatchelReading
import SatchelStorage
import StoreModel
import Synchronization
import TestSupport
import Testing

/// Checkpoints that are made while commits go on.
@Suite struct CheckpointBesideTests {
  /// Commits of all sizes, with a checkpoint every few of them: at once, or whenever its thread gets to it.
  @Test(arguments: [true, false]) func changeNothing(isWaitedFor: Bool) throws {
    let seed = TestEnvironment.seed(for: "changeNothing") &+ (isWaitedFor ? 1 : 0)
    var scene = try JournaledStore(seed: seed) {
      $0.journal.checkpointCommits = 3
      $0.journal.maximumRecordBytes = 4000
      $0.journal.waitsForCheckpoint = isWaitedFor
    }
    for round in 0..<TestEnvironment.rounds(20) {
      try scene.write(20, steps: 1...(round % 4 == 3 ? 60 : 5))
      try scene.expectHolds()
      if round % 5 == 1 { try scene.store.checkpoint() }
      if round % 5 == 2 { try scene.reopen() }
      if isWaitedFor { try scene.expectHolds(scene.left(name: "left \(round)")) }
    }
  }

  /// What a write does after a checkpoint has gone by since it began.
  enum Size: CaseIterable {
    case small
    /// Too large for the journal, which shows at its end.
    case large
    /// So large that changes are passed to LMDB before its end.
    case huge

    var steps: Int {
      switch self {
      case .small: 5
      case .large: 400
      case .huge: 3000
      }
    }
  }

  @Test(arguments: Size.allCases) func aWriteGoesOnUponALaterState(_ size: Size) throws {
    let seed = TestEnvironment.seed(for: "aWriteGoesOnUponALaterState")
    var scene = try JournaledStore(seed: seed) { $0.journal.maximumRecordBytes = 20_000 }
    for round in 0..<3 {
      try scene.write(10)
      // The last one stays in the journal.
      let isInJournal = try (0..<100).contains { _ in
        let (last, commit) = try (scene.databaseCommits, scene.store.sequence())
        try scene.write(1, steps: 1...1)
        // One that has changed nothing is nowhere.
        return try scene.databaseCommits == last && scene.store.sequence() > commit
      }
      try #require(isInJournal)
      let checkpoint = OtherThread()
      let store = scene.store
      try scene.operations.withLock { operations in
        try store.write { writer in
          for _ in 0..<3 { try operations.step(writer) }
          try checkpoint.passBy(in: store)
          #expect(writer.transaction.isDeferred)
          for _ in 0..<size.steps { try operations.step(writer) }
          #expect(writer.transaction.isDeferred == (size != .huge))
          for _ in 0..<3 { try operations.step(writer) }
        }
      }
      try checkpoint.finish()
      try scene.expectHolds()
      try scene.write(5)
      try scene.expectHolds(scene.left(name: "left \(round)"))
      try scene.reopen()
      try scene.expectHolds()
    }
  }

  /// In a group the first writer has LMDB's transaction, whoever needs it first. Who fails after that leaves nothing.
  @Test(arguments: 0..<8) func aMemberGoesOnUponALaterState(_ kind: Int) async throws {
    let directory = try TemporaryDirectory()
    let scene = try WritersInLine.open(directory.path) { $0.journal.mostCommits = 1000 }
    let store = scene.store
    defer { store.close() }
    for number in 0..<5 { try store.writeHere { try $0.setFollowed(true, Identity.ID("before \(number)")) } }
    let start = try store.sequence()
    // One writer of the four: its thread is the leader's, another one, or that of asynchronous writes.
    let large = kind % 4
    let fails = kind >= 4
    let checkpoint = OtherThread()
    let bodies = (0..<4).map { index -> WritersInLine.Body in
      { writer in
        try writer.setFollowed(true, Identity.ID("first \(index)"))
        guard index == large else { return }
        try checkpoint.passBy(in: store)
        for number in 0..<15_000 { try writer.setFollowed(true, Identity.ID("large \(number)")) }
        #expect(!writer.transaction.isDeferred)
        if fails { throw Failure(description: "after all") }
      }
    }
    let outcomes = try await scene.run(bodies)
    try checkpoint.finish()
    for (index, outcome) in outcomes.enumerated() {
      #expect((try? outcome.get()) != nil || (fails && index == large))
    }
    try #expect(store.sequence() == start + (fails ? 3 : 4))
    let check = { (snapshot: Snapshot) in
      for number in 0..<5 { try #expect(snapshot.users.number(of: "before \(number)") != nil) }
      for index in 0..<4 {
        try #expect((snapshot.users.number(of: "first \(index)") != nil) == (!fails || index != large))
      }
      for number in [0, 3000, 14_999] {
        try #expect((snapshot.users.number(of: "large \(number)") != nil) == !fails)
      }
    }
    try store.read(check)
    try expectSound(store)
    try store.writeHere { try $0.setFollowed(true, "last") }
    try store.checkpoint()
    try store.read(check)
    try expectSound(store)
  }

  /// A member that cannot go on after LMDB's transaction has begun on a later state takes the group with it: what the others have
  /// left is for the state before. All of them then try again.
  @Test func aGroupEndsWithAMemberThatCannotGoOn() async throws {
    let directory = try TemporaryDirectory()
    let scene = try WritersInLine.open(directory.path) { $0.journal.mostCommits = 1000 }
    let store = scene.store
    defer { store.close() }
    for number in 0..<5 { try store.writeHere { try $0.setFollowed(true, Identity.ID("before \(number)")) } }
    let checkpoint = OtherThread()
    let isPassed = Mutex(false)
    let bodies = (0..<4).map { index -> WritersInLine.Body in
      { writer in
        try writer.setFollowed(true, Identity.ID("first \(index)"))
        guard index == 1, !isPassed.withLock({ $0 }) else { return }
        try checkpoint.passBy(in: store)
        isPassed.withLock { $0 = true }
        let head = try JournalHead(directory.path + "/journal.head", .writing)
        var state = try #require(head.read()).state
        state.isPoisoned = true
        try head.publish(state)
        for number in 0..<15_000 { try writer.setFollowed(true, Identity.ID("large \(number)")) }
      }
    }
    for outcome in try await scene.run(bodies) { try outcome.get() }
    try? checkpoint.finish()
    try store.read { snapshot in
      for name in (0..<5).map({ "before \($0)" }) + (0..<4).map({ "first \($0)" }) {
        try #expect(snapshot.users.number(of: name) != nil)
      }
    }
    try expectSound(store)
  }

  /// Readers in two handles see every commit while checkpoints go by, and none twice.
  @Test func readersSeeEachCommit() throws {
    let seed = TestEnvironment.seed(for: "readersSeeEachCommit")
    let scene = try JournaledStore(seed: seed) { $0.journal.checkpointCommits = 2 }
    let store = scene.store
    let end = TestEnvironment.rounds(400)
    try store.write { try $0.setFollowed(true, "user 0") }
    let first = try store.sequence()
    let isOver = Atomic(false)
    try onThreads(3) { thread in
      if thread == 0 {
        // Also if a write fails: nobody waits for what will not come.
        defer { isOver.store(true, ordering: .releasing) }
        for number in 1...end { try store.write { try $0.setFollowed(true, Identity.ID("user \(number)")) } }
      } else {
        var last = 0
        while last < end {
          let wasOver = isOver.load(ordering: .acquiring)
          try store.read { snapshot in
            // A commit follows one other user.
            let number = Int(snapshot.seal.commit - first)
            try #expect(snapshot.follows("user \(number)"))
            try #expect(!snapshot.follows("user \(number + 1)"))
            #expect(number >= last)
            last = number
          }
          guard last == end || !wasOver else { throw Failure(description: "ends after \(last) commits") }
        }
      }
    }
    try expectSound(store)
  }

  /// A store may be closed, or given up, while a checkpoint is made.
  @Test func aStoreClosesInTheMidst() throws {
    let seed = TestEnvironment.seed(for: "aStoreClosesInTheMidst")
    var scene = try JournaledStore(seed: seed) { $0.journal.checkpointCommits = 5 }
    for _ in 0..<TestEnvironment.rounds(30) {
      try scene.write(5)
      try scene.reopen()
      try scene.expectHolds()
    }
    let directory = try TemporaryDirectory()
    var options = Store.Options()
    options.journal.commitsBefore = 0
    options.journal.checkpointCommits = 5
    for round in 0..<TestEnvironment.rounds(30) {
      // The last reference may be that of the checkpoint's thread.
      let store = try Store.open(directory: directory.path + "/store", user: "me", options: options)
      for number in 0..<5 {
        try store.write { try $0.setFollowed(round % 2 == 0, Identity.ID("user \(number)")) }
      }
    }
    let store = try Store.open(directory: directory.path + "/store", user: "me", options: options)
    try expectSound(store)
    store.close()
  }
}

extension OtherThread {
  /// Makes a checkpoint beside the write that calls this, and returns when LMDB has it. Its last step waits for the write.
  fileprivate func passBy(in store: Store) throws {
    let last = try store.environment.info.lastTransaction
    let hasEnded = Mutex(false)
    start {
      defer { hasEnded.withLock { $0 = true } }
      try store.checkpointBeside()
    }
    while true {
      // Asked first: it may end as soon as it is made.
      let hasEnded = hasEnded.withLock { $0 }
      if try store.environment.info.lastTransaction != last { return }
      if hasEnded { throw Failure(description: "no checkpoint was made") }
    }
  }
}

extension Snapshot {
  fileprivate func follows(_ name: String) throws -> Bool {
    try users.number(of: name).map { try locateIdentity(user: $0) != nil } ?? false
  }
}
