import CommitEngine
import SatchelCoding
import SatchelModel
import SatchelStorage
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Somebody takes the files of a journal away while a commit of LMDB is on its way, or while a process opens them.
@Suite struct CommitOnItsWayTests {
  private struct Failure: Error {}

  /// A reader meets the state of LMDB that has begun the journal before its writer has said so, and finds the files gone. They are the
  /// ones that it goes with, though their head has no commit yet: nobody else has them.
  @Test func whoHasBegunAJournalKeepsIt() throws {
    let scene = try JournalScene()
    let journal = scene.journal()
    try scene.begin(journal) {
      try scene.remove(["journal", "journal.head"])
      let tail = try #require(try journal.tail(after: scene.base))
      #expect(tail.isEmpty)
    }
    #expect(try journal.tail(after: scene.base)?.seal == scene.base)
    let other = scene.journal()
    #expect(try other.isHeldByAnother(scene.base))
    // The next writer takes everything to LMDB.
    let tail = try journal.beginTransaction(scene.base)
    let turn = WriteTurn(journal: journal, tail: tail, way: .any, base: scene.base)
    var seal = tail.seal
    seal.commit += 1
    try turn.place(&seal)
    #expect(!seal.isJournalInUse)
  }

  /// A commit that has failed leaves nothing behind: its files are dropped for those of another process, whose commit has its number.
  @Test func whoHasFailedFollowsOthers() throws {
    let scene = try JournalScene()
    let journal = scene.journal()
    #expect(throws: Failure.self) { try scene.begin(journal) { throw Failure() } }
    try scene.remove(["journal", "journal.head"])
    let other = scene.journal()
    try scene.begin(other)
    try scene.append(other)
    #expect(try journal.tail(after: scene.base)?.seal.commit == scene.base.commit + 1)
  }

  /// The names go away between the opening of one file and that of the next: the files are opened once more, or are not there.
  @Test(arguments: ["journal", "journal.head"]) func namesThatGoAwayMeanwhile(name: String) throws {
    let scene = try JournalScene()
    let journal = scene.journal()
    try scene.begin(journal)
    try scene.append(journal)
    let accident = Accident()
    var place = InterposedPlace(place: scene.place)
    place.lock = { lockName, lock in
      if lockName == .presence, accident.happens() { unlink(scene.directory.path + "/" + name) }
      return lock
    }
    place.head = { head in
      if name == "journal.head", accident.happens() { unlink(scene.directory.path + "/" + name) }
      return head
    }
    let other = scene.journal(place)
    // Its files are not those of the state, which another process has.
    #expect(try other.isHeldByAnother(scene.base))
  }

  private final class Accident: @unchecked Sendable {
    private var hasHappened = false

    func happens() -> Bool {
      defer { hasHappened = true }
      return !hasHappened
    }
  }
}

extension CommitJournal {
  /// Whether the state of LMDB is refused because another process has its journal.
  fileprivate func isHeldByAnother(_ seal: Seal) throws -> Bool {
    do {
      _ = try tail(after: seal)
      return false
    } catch {
      let error = SatchelError.translating(error, store: "") as? SatchelError
      #expect(error?.message.contains("a program has the last commits") == true, "\(error as Any)")
      return true
    }
  }
}
