import SatchelModel
import SatchelStorage
import StoreModel
import TestSupport
import Testing

/// A write that has met a failure after which its transaction can only be discarded, and whose closure has ignored that: the error is
/// thrown, and nothing is stored.
@Suite struct GivenUpWriteTests {
  private func expectNothing(_ store: Store, _ name: String) throws {
    try #expect(store.read { try $0.users.number(of: name) } == nil)
  }

  @Test func nothingOfItIsInTheJournal() throws {
    var scene = try JournaledStore(seed: 1)
    try scene.write(3)
    let (sequence, inDatabase) = (try scene.store.sequence(), try scene.databaseCommits)
    #expect(throws: Failure.self) {
      try scene.store.write { writer in
        try writer.setFollowed(true, "lost")
        writer.transaction.giveUp(Failure(description: "a damaged page"))
      }
    }
    try #expect(scene.store.sequence() == sequence)
    try expectNothing(scene.store, "lost")
    try expectNothing(scene.left(name: "left"), "lost")
    try scene.write(3)
    try #expect(scene.databaseCommits == inDatabase, "a commit went past the journal")
    try scene.expectHolds()
    try scene.reopen()
    try scene.expectHolds()
  }

  /// Who has joined a group takes those before him along. Those behind him begin another one.
  @Test(arguments: 0..<4) func nothingOfItsGroupIsInTheJournal(failing: Int) async throws {
    let directory = try TemporaryDirectory()
    let scene = try WritersInLine.open(directory.path) { $0.journal.mostCommits = 1000 }
    let store = scene.store
    defer { store.close() }
    for number in 0..<3 { try store.writeHere { try $0.setFollowed(true, Identity.ID("before \(number)")) } }
    let sequence = try store.sequence()
    let bodies = (0..<4).map { index -> WritersInLine.Body in
      { writer in
        try writer.setFollowed(true, Identity.ID("of \(index)"))
        if index == failing { writer.transaction.giveUp(Failure(description: "a damaged page")) }
      }
    }
    let outcomes = try await scene.run(bodies)
    for (index, outcome) in outcomes.enumerated() {
      let isStored = index > failing
      #expect(((try? outcome.get()) != nil) == isStored)
      try #expect((store.read { try $0.users.number(of: "of \(index)") } != nil) == isStored)
    }
    try #expect(store.sequence() == sequence + UInt64(3 - failing))
    try store.writeHere { try $0.setFollowed(true, "last") }
    try expectSound(store)
  }
}
