import Journal
import LMDB
import SatchelModel
import SatchelStorage
import StoreModel
import TestSupport
import Testing

/// Bytes of the journal and of its head change in a store whose last commits are there alone: what opens is what some commit
/// has left, or the store is refused.
@Suite struct DamagedJournalTests {
  /// A store of one follower a commit, so that what it holds says which commit it is at.
  private struct Scene {
    let directory: TemporaryDirectory
    let path: String
    /// The last commit that LMDB has, and the last one.
    let checkpointed: Int
    let last: Int
    let journal: [UInt8]

    init(commits: Int, checkpointedAt checkpoint: Int) throws {
      directory = try TemporaryDirectory()
      path = directory.path + "/store"
      var options = Store.Options()
      options.journal.commitsBefore = 0
      options.journal.limits.segmentSize = 4096
      let store = try Store.open(directory: directory.path + "/live", user: "me", options: options)
      for number in 0..<commits {
        if number == checkpoint { try store.checkpoint() }
        try store.write { try $0.setFollowed(true, Identity.ID("user \(number)")) }
      }
      checkpointed = checkpoint
      last = commits
      try JournaledStore.copy(
        ["data.mdb", "journal", "journal.head"], from: directory.path + "/live", to: path)
      journal = try JournaledStore.readFile(path + "/journal")
      store.close()
      try JournaledStore.copy(["data.mdb"], from: path, to: directory.path + "/sound")
    }

    /// The place in the journal of the name that one commit has brought.
    func place(ofUser number: Int) throws -> Int {
      let name = Array("user \(number)".utf8)
      return try #require(
        journal.indices.first { journal[$0...].starts(with: name) }, "no user \(number) in the journal")
    }

    /// Puts the store back with other bytes in its journal.
    func place(_ journal: [UInt8], head: [UInt8]) throws {
      try JournaledStore.copy(["data.mdb"], from: directory.path + "/sound", to: path)
      try JournaledStore.writeFile(journal, to: path + "/journal")
      try JournaledStore.writeFile(head, to: path + "/journal.head")
    }

    /// Opens the store, and returns how many commits it has; nil if it is refused.
    func open(readOnly: Bool, _ what: String) throws -> Int? {
      var options = Store.Options()
      options.create = false
      options.readOnly = readOnly
      options.journal.commitsBefore = 0
      do {
        let store = try Store.open(directory: path, user: nil, options: options)
        defer { store.close() }
        let found = try store.read { snapshot in
          try (0..<last + 1).filter { try snapshot.users.number(of: "user \($0)") != nil }
        }
        #expect(found == Array(0..<found.count), "\(what): a commit is missing before a later one: \(found)")
        #expect(found.count >= checkpointed, "\(what): \(found.count) of \(checkpointed) commits in data.mdb")
        try expectSound(store)
        guard !readOnly else { return found.count }
        let sequence = try store.sequence()
        try store.write { try $0.setFollowed(true, "after") }
        #expect(try store.sequence() == sequence + 1)
        try expectSound(store)
        return found.count
      } catch let error as SatchelError {
        #expect(
          [.foreignJournal, .journalMissing, .corrupted, .io, .newerFormat].contains(error.code),
          "\(what): \(error)")
        return nil
      }
    }
  }

  @Test func aDamagedJournalGivesAPrefixOrIsRefused() throws {
    var generator = SeededGenerator()
    let scene = try Scene(commits: 24, checkpointedAt: 9)
    #expect(try scene.open(readOnly: true, "sound") == 24)
    // In the last record, which looks like one that was never finished, and in one that is not the last: or the test is blind.
    for (number, expected) in [(23, 23), (20, nil)] {
      var bytes = scene.journal
      bytes[try scene.place(ofUser: number)] ^= 1
      try scene.place(bytes, head: [UInt8](repeating: 0, count: 4096))
      #expect(try scene.open(readOnly: true, "a bit of the commit of user \(number)") == expected)
    }
    for round in 0..<TestEnvironment.rounds(60) {
      var bytes = scene.journal
      let place = generator.draw(below: bytes.count)
      let what: String
      switch round % 5 {
      case 0:
        bytes[place] ^= 1 << UInt8(generator.draw(below: 8))
        what = "a bit of byte \(place)"
      case 1:
        let count = min(bytes.count - place, 1 + generator.draw(below: 2000))
        bytes.replaceSubrange(place..<place + count, with: repeatElement(0, count: count))
        what = "\(count) zeros at \(place)"
      case 2:
        bytes.removeSubrange(place...)
        what = "cut at \(place)"
      case 3:
        let from = generator.draw(below: bytes.count / 512) * 512
        let to = generator.draw(below: bytes.count / 512) * 512
        bytes.replaceSubrange(to..<to + 512, with: scene.journal[from..<from + 512])
        what = "the sector at \(from) also at \(to)"
      default:
        for index in place..<min(bytes.count, place + 64) {
          bytes[index] = UInt8(truncatingIfNeeded: generator.next())
        }
        what = "random bytes at \(place)"
      }
      try scene.place(bytes, head: [UInt8](repeating: 0, count: 4096))
      _ = try scene.open(readOnly: round % 2 == 0, what)
    }
  }

  /// Nobody has the store open, so that nobody believes the head.
  @Test func aDamagedHeadHidesNothing() throws {
    var generator = SeededGenerator()
    let scene = try Scene(commits: 12, checkpointedAt: 4)
    let head = try JournaledStore.readFile(scene.path + "/journal.head")
    for round in 0..<TestEnvironment.rounds(24) {
      var bytes = head
      switch round % 3 {
      case 0:
        for _ in 0..<8 {
          bytes[generator.draw(below: 256)] = UInt8(truncatingIfNeeded: generator.next())
        }
      case 1: bytes.removeSubrange(generator.draw(below: bytes.count)...)
      default:
        for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: generator.next()) }
      }
      try scene.place(scene.journal, head: bytes)
      #expect(try scene.open(readOnly: round % 2 == 0, "round \(round)") == scene.last)
    }
  }
}
