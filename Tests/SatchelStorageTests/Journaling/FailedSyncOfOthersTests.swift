import Journal
import SatchelStorage
import Testing

/// A process whose sync of the journal has failed says so in the head: nothing is appended behind what may be lost.
@Suite struct FailedSyncOfOthersTests {
  /// A reader of another process sees the head first. Its writers must see it all the same.
  @Test func aReaderDoesNotHideItFromTheWriter() throws {
    let scene = try JournalScene()
    let journal = scene.journal()
    try scene.begin(journal)
    try scene.append(journal)
    let head = try JournalHead(scene.place.path(of: .head), .writing)
    var state = try #require(head.read()).state
    state.isPoisoned = true
    try head.publish(state)
    #expect(try journal.tail(after: scene.base)?.seal.commit == 3)
    let error = #expect(throws: JournalError.self) { try journal.beginTransaction(scene.base) }
    #expect(error?.code == .poisoned)
  }
}
