import Foundation
import Satchel
import SatchelCare
import SatchelImport
import SatchelModel
import SatchelScenes
import SatchelStorage
import Synchronization
import TestSupport
import Testing

/// A store of an older format gets the index of its messages' metadata in steps, which any program may go on with. Until it is complete,
/// what it has is right, and nothing is answered by it.
@Suite struct IndexBuildTests {
  private let scene: StoreToIndex

  init() throws { scene = try StoreToIndex() }

  @Test func everyStepIsSoundAndTheNextProgramGoesOn() throws {
    var random = SeededGenerator(for: #function)
    var store = try scene.open()
    var steps = 0
    #expect(try StoreToIndex.isBuilding(store))
    while try StoreToIndex.isBuilding(store) {
      steps += 1
      try #require(steps < 200)
      #expect(try !scene.usesIndex(store))
      try expectSound(store)
      try StoreToIndex.write(steps, &random, store)
      switch steps % 4 {
      case 0:
        // As after a kill: what is in the files is there, and no more is written.
        let copy = scene.directory.url.appendingPathComponent("copy \(steps)")
        try FileManager.default.copyItem(at: scene.path, to: copy)
        let killed = try StoreToIndex.open(copy)
        try expectSound(killed)
        try StoreToIndex.write(steps, &random, killed)
        try expectSound(killed)
        killed.close()
      case 2:
        store.close()
        store = try scene.open()
      default: break
      }
    }
    // Ten at least, where a conversation is deleted that has half of the messages that are seen.
    #expect(steps >= 10)
    #expect(try scene.usesIndex(store))
    try expectSound(store)
    try scene.expectEntriesOfARepair(store)
    let again = try scene.open()
    #expect(try scene.usesIndex(again))
    try expectSound(again)
    again.close()
  }

  /// Another process goes on, and is killed at any moment of a step.
  @Test func aKilledProcessLosesNothing() async throws {
    var random = SeededGenerator(for: #function)
    try scene.open().close()
    for round in 0..<4 {
      let (path, steps) = (scene.path.path, Int.random(in: 3...20, using: &random))
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, steps = steps as Int] in
        let done = Atomic(0)
        let store = try StoreToIndex.open(URL(fileURLWithPath: path))
        Thread.detachNewThread {
          while done.load(ordering: .relaxed) < steps { sched_yield() }
          kill(getpid(), SIGKILL)
        }
        for step in 0..<(steps + 5) {
          try StoreToIndex.step(store, 3)
          done.store(step, ordering: .relaxed)
        }
        while true { sleep(1) }
      }
      let store = try scene.open()
      #expect(try StoreToIndex.isBuilding(store), "round \(round)")
      #expect(try StoreToIndex.next(store) > 1)
      try expectSound(store)
      store.close()
    }
    let store = try scene.open()
    while try StoreToIndex.isBuilding(store) { try StoreToIndex.step(store, 50) }
    #expect(try scene.usesIndex(store))
    try expectSound(store)
    try scene.expectEntriesOfARepair(store)
  }

  /// Two programs write, and each builds beside that.
  @Test func itIsBuiltBesideOtherWrites() throws {
    var random = SeededGenerator(for: #function)
    let store = try scene.open(pause: 0.001)
    let other = try scene.open(pause: 0.002)
    for step in 0..<1000 where try StoreToIndex.isBuilding(store) {
      try StoreToIndex.write(step, &random, step % 2 == 0 ? store : other)
      usleep(5000)
    }
    #expect(try !StoreToIndex.isBuilding(store))
    for store in [store, other] { #expect(try scene.usesIndex(store)) }
    try expectSound(store)
    other.close()
    try scene.expectEntriesOfARepair(store)
  }

  /// Without a write of its own a program builds it as well.
  @Test func whoOnlyReadsBuildsItBeside() throws {
    let store = try scene.open(pause: 0.001)
    var rounds = 0
    while try StoreToIndex.isBuilding(store) {
      rounds += 1
      try #require(rounds < 10_000)
      usleep(2000)
    }
    #expect(try scene.usesIndex(store))
    try scene.expectEntriesOfARepair(store)
  }

  @Test func itCanBeLeftOut() throws {
    let store = try scene.open { $0.indexesMessageMetadata = false }
    #expect(try !StoreToIndex.isBuilding(store))
    #expect(try !scene.usesIndex(store))
    try expectSound(store)
    store.close()
    let again = try scene.open()
    #expect(try !StoreToIndex.isBuilding(again))
    #expect(try !scene.usesIndex(again))
    again.close()
  }

  /// A program that only reads changes nothing, before the build and in the middle of it.
  @Test func aReaderLeavesItAsItIs() throws {
    for isBegun in [false, true] {
      if isBegun {
        let store = try scene.open()
        try StoreToIndex.step(store, 100)
        store.close()
      }
      let before = try Data(contentsOf: scene.path.appendingPathComponent("data.mdb"))
      let reader = try scene.open(pause: 0.001) { $0.isReadOnly = true }
      #expect(try StoreToIndex.isBuilding(reader) == isBegun)
      #expect(try !scene.usesIndex(reader))
      try expectSound(reader)
      usleep(20_000)
      reader.close()
      #expect(try Data(contentsOf: scene.path.appendingPathComponent("data.mdb")) == before)
    }
  }

  /// A repair builds what is missing at once; so does one of a store whose build has not begun, when it is opened next.
  @Test func aRepairCompletesIt() throws {
    var random = SeededGenerator(for: #function)
    let store = try scene.open { $0.journal.use = .never }
    try StoreToIndex.write(1, &random, store)
    #expect(try StoreToIndex.isBuilding(store))
    store.close()
    try StoreToIndex.repair(scene.path)
    let repaired = try scene.open()
    #expect(try !StoreToIndex.isBuilding(repaired))
    #expect(try scene.usesIndex(repaired))
    try scene.expectEntriesOfARepair(repaired)
  }

  /// What an import has staged is passed over, and gets its entries when it comes into the store.
  @Test(arguments: [false, true]) func anImportGoesOnBesideIt(isPassed: Bool) throws {
    let store = try scene.open()
    var (next, gathered) = (0, 0)
    _ = try ImportSession.run(
      into: store.base,
      wait: { _, _ in
        if isPassed, next == 40 {
          while try StoreToIndex.isBuilding(store) { try StoreToIndex.step(store, 50) }
        }
        gathered = 20
        return next < 80
      },
      next: { session in
        guard gathered > 0, next < 80 else { return false }
        gathered -= 1
        next += 1
        let draft = MessageDraft(
          identifier: Message.ID("i\(next)"), sender: "bob", position: Int64(5000 + next),
          parts: [.text("x")], metadata: StoreToIndex.metadata(next))
        try session.addMessage(draft, in: next % 2 == 0 ? "a" : "b", line: UInt64(next))
        return true
      }, apply: { _, _, _ in })
    try expectSound(store)
    while try StoreToIndex.isBuilding(store) { try StoreToIndex.step(store, 50) }
    #expect(try scene.usesIndex(store))
    #expect(try store.count(Message.filter { $0.position > 5000 && $0.metadata.serverID != nil }) == 60)
    try expectSound(store)
    try scene.expectEntriesOfARepair(store)
  }

  /// Of messages with much metadata a step takes few.
  @Test func aStepIsBoundedByBytesToo() throws {
    let path = scene.directory.url.appendingPathComponent("large")
    try StoreToIndex.makeOlderStore(at: path) { tx in
      try tx.createConversation(with: ["bob"], id: "a")
      for number in 0..<40 {
        let texts = (0..<30).map { "\(number) \($0) " + String(repeating: "x", count: 1500) }
        try tx.receive(
          [.text("x")], in: "a", from: "bob", id: Message.ID("m\(number)"), position: Int64(number),
          metadata: ["texts": .list(texts)])
      }
    }
    let store = try StoreToIndex.open(path)
    var steps = 0
    while try StoreToIndex.isBuilding(store) {
      let before = try StoreToIndex.entries(store)[0].count
      // The list, and each of its texts.
      try StoreToIndex.step(store, 32)
      #expect(try StoreToIndex.entries(store)[0].count - before <= 31)
      steps += 1
      try #require(steps <= 41)
    }
    #expect(steps >= 40)
    #expect(try store.count(Message.filter { $0.metadata.texts.list.contains(anyOf: ["x"]) }) == 0)
    try expectSound(store)
    store.close()
  }

  /// A record that cannot be read stops the build. Other writes go on, and no commit is made in vain.
  @Test func damageStopsItAndNothingElse() throws {
    let store = try scene.open { $0.journal.use = .never }
    let key = try store.base.read {
      try #require($0.indexBuildStep(from: 300, atMost: 9, bytes: 1 << 20).objects.first).key
    }
    try StoreToIndex.flipByte(ofRecord: key, store)
    for number in 0..<60 {
      try store.write {
        try $0.receive([.text("new")], in: "a", from: "bob", position: Int64(9000 + number))
      }
    }
    #expect(try StoreToIndex.isBuilding(store))
    #expect(try StoreToIndex.next(store) <= key.sequence)
    store.close()
    let beside = try scene.open(pause: 0.001) { $0.journal.use = .never }
    try beside.write { try $0.receive([.text("new")], in: "a", from: "bob", position: 9999) }
    usleep(20_000)
    let sequence = try beside.read { $0.sequence }
    usleep(50_000)
    #expect(try beside.read { $0.sequence } == sequence)
    #expect(try StoreToIndex.next(beside) <= key.sequence)
    let report = try beside.base.read { try Verifier.verify($0) }
    #expect(report.recordFaultCount == 1, "\(report.faults)")
    beside.close()
  }
}
