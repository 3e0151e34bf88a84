import SatchelModel
import SatchelStorage
import SatchelWriting
import StoreModel
import TestSupport
import Testing

/// A point of the journal names one state of `data.mdb`, whichever checkpoint has led there.
@Suite struct OneStateAtAPointTests {
  /// A store with a deleted conversation whose records wait for their removal, in the journal alone.
  private func scene() throws -> JournaledStore {
    let scene = try JournaledStore(seed: 1)
    try scene.store.write { writer in
      _ = try writer.createConversation(ConversationDraft(identifier: "c", participants: ["bob"]))
      for number in 0..<20 {
        _ = try writer.send([.text("hello")], to: "c", identifier: Message.ID("m\(number)"))
      }
    }
    let inDatabase = try scene.databaseCommits
    try scene.store.write { try $0.deleteConversation("c") }
    try #require(scene.databaseCommits == inDatabase)
    return scene
  }

  @Test(arguments: [false, true]) func aCheckpointRemovesNothing(isClosing: Bool) throws {
    var scene = try scene()
    let before = try scene.store.read { $0.seal }
    #expect(before[.purge].count == 1 && before[.messages].count == 20)
    if isClosing { try scene.reopen() } else { try scene.store.checkpoint() }
    let after = try scene.store.read { $0.seal }
    #expect(after.commit == before.commit)
    #expect(after[.purge] == before[.purge] && after[.messages] == before[.messages])
    try scene.store.write { try $0.setFollowed(true, "ann") }
    let last = try scene.store.read { $0.seal }
    #expect(last[.purge].count == 0 && last[.messages].count == 0)
    try expectSound(scene.store)
  }

  /// A copy has `data.mdb` as it was before a checkpoint, and the journal as it was after a commit upon that.
  @Test func aCommitAfterACheckpointFollowsTheStateBeforeIt() throws {
    let scene = try scene()
    let copy = scene.directory.path + "/copy"
    try JournaledStore.copy(["data.mdb"], from: scene.path, to: copy)
    try scene.store.checkpoint()
    try scene.store.write { try $0.setFollowed(true, "ann") }
    try JournaledStore.copy(["journal"], from: scene.path, to: copy)
    let copied = try Store.open(directory: copy, user: nil)
    defer { copied.close() }
    try #expect(copied.read { try $0.users.number(of: "ann") } != nil)
    try expectSound(copied)
  }
}
