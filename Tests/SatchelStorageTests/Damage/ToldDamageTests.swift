import LMDB
import SatchelCare
import SatchelModel
import SatchelStorage
import StoreModel
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Commits that were synced, and that cannot be read any more: the store is refused by name, nothing is written over what is left, and
/// whoever wants to gets that.
@Suite struct ToldDamageTests {
  private func refusal(_ body: () throws -> Int) -> SatchelError? {
    do {
      _ = try body()
      return nil
    } catch {
      return error as? SatchelError
    }
  }

  /// One bit of the first record, with 499 commits behind it.
  @Test func aFlippedBitIsTold() throws {
    let scene = try StoreAtRest(commits: 500)
    #expect(try scene.open(readOnly: true) == 500)
    var journal = scene.journal
    journal[4672] ^= 1
    for head in [scene.head, [UInt8](repeating: 0, count: 4096)] {
      for readOnly in [true, false] {
        try scene.place(journal: journal, head: head)
        let error = try #require(refusal { try scene.open(readOnly: readOnly) })
        #expect(error.code == .corrupted)
        #expect(error.context["missing"]?.contains(" to ") == true, "\(error)")
        #expect(error.description.contains("journal"), "\(error)")
      }
    }
  }

  /// Whatever happens to a sector of the journal: with the head that the process has left, no commit is lost in silence.
  @Test func noCommitIsLostInSilence() throws {
    var generator = SeededGenerator()
    let scene = try StoreAtRest(
      commits: 40,
      before: { store, number in
        if number == 13 { try store.checkpoint() }
      })
    var refused = 0
    for round in 0..<TestEnvironment.rounds(80) {
      var bytes = scene.journal
      let place = generator.draw(below: bytes.count)
      let sector = place / 512 * 512
      let what: String
      switch round % 5 {
      case 0:
        bytes[place] ^= 1 << UInt8(generator.draw(below: 8))
        what = "a bit of byte \(place)"
      case 1:
        bytes.replaceSubrange(sector..<sector + 512, with: repeatElement(0, count: 512))
        what = "zeros at \(sector)"
      case 2:
        bytes.removeSubrange(place...)
        what = "cut at \(place)"
      case 3:
        let other = generator.draw(below: bytes.count / 512) * 512
        bytes.replaceSubrange(sector..<sector + 512, with: scene.journal[other..<other + 512])
        bytes.replaceSubrange(other..<other + 512, with: scene.journal[sector..<sector + 512])
        what = "\(sector) and \(other) exchanged"
      default:
        let slots = (bytes.count - 4096) / 8192
        let (from, to) = (generator.draw(below: slots), generator.draw(below: slots))
        let (source, target) = (4096 + from * 8192, 4096 + to * 8192)
        bytes.replaceSubrange(target..<target + 8192, with: scene.journal[source..<source + 8192])
        what = "segment \(from) over \(to)"
      }
      try scene.place(journal: bytes)
      do {
        #expect(try scene.open(readOnly: round % 2 == 0) == 40, "\(what)")
      } catch let error as SatchelError {
        #expect([.corrupted, .foreignJournal, .journalMissing].contains(error.code), "\(what): \(error)")
        refused += 1
      }
    }
    #expect(refused > 0)
  }

  /// Without its head, as a copy of the store, only what nothing later tells of can be missing.
  @Test func aCopyLosesTheLastCommitAtMost() throws {
    var generator = SeededGenerator()
    let scene = try StoreAtRest(commits: 40)
    var refused = 0
    for round in 0..<TestEnvironment.rounds(60) {
      var bytes = scene.journal
      let place = generator.draw(below: bytes.count)
      if round % 2 == 0 {
        bytes[place] ^= 1 << UInt8(generator.draw(below: 8))
      } else {
        bytes.replaceSubrange(place / 512 * 512..<(place / 512 + 1) * 512, with: repeatElement(0, count: 512))
      }
      try scene.place(journal: bytes, head: [])
      unlink(scene.path + "/journal.head")
      do {
        let found = try scene.open(readOnly: round % 4 < 2)
        #expect(found >= 39, "byte \(place)")
      } catch let error as SatchelError {
        #expect([.corrupted, .foreignJournal].contains(error.code), "byte \(place): \(error)")
        refused += 1
      }
    }
    #expect(refused > 0)
  }

  /// Of an original the loss of everything behind some commit is told, of a copy it is not: nothing that is left knows of more. So the
  /// copy is the store as it was at that commit.
  @Test func aCopyWhoseJournalEndsInZerosDoesNotTell() throws {
    var generator = SeededGenerator()
    let scene = try StoreAtRest(commits: 40)
    let end = try #require(scene.journal.lastIndex { $0 != 0 })
    var lost = 0
    for round in 0..<TestEnvironment.rounds(20) {
      let place = (8192 + generator.draw(below: end - 8192)) / 512 * 512
      var bytes = scene.journal
      bytes.replaceSubrange(place..., with: repeatElement(0, count: bytes.count - place))
      try scene.place(journal: bytes)
      let error = #expect(throws: SatchelError.self) { try scene.open(readOnly: round % 2 == 0) }
      #expect(error?.code == .corrupted, "zeros from \(place)")
      // The head that a copy has speaks of another file.
      let copy = scene.directory.path + "/copy \(round)"
      try JournaledStore.copy(StoreAtRest.files, from: scene.path, to: copy)
      lost += 40 - (try scene.open(readOnly: round % 2 == 0, at: copy))
    }
    #expect(lost > TestEnvironment.rounds(20), "\(lost)")
  }

  @Test func aRepairKeepsACopyAndWhatIsReadable() throws {
    let scene = try StoreAtRest(commits: 60)
    let place = try #require(position(of: 30, in: scene))
    var journal = scene.journal
    journal[place + 45] ^= 4
    try scene.place(journal: journal)
    let report = try Store.repair(directory: scene.path)
    #expect(
      report.actions.contains { $0.contains("damaged") && $0.contains("journal.damaged") },
      "\(report.actions)")
    #expect(try JournaledStore.readFile(scene.path + "/journal.damaged") == journal)
    let left = try scene.open(readOnly: false)
    #expect((1..<60).contains(left))
    #expect(try scene.open(readOnly: true) == left)
  }

  @Test func anOptionGivesUpWhatIsLost() throws {
    let scene = try StoreAtRest(commits: 60)
    let place = try #require(position(of: 30, in: scene))
    var journal = scene.journal
    journal.replaceSubrange(place..<place + 512, with: repeatElement(0, count: 512))
    for copy in ["journal.damaged", "journal.damaged-2"] {
      try scene.place(journal: journal)
      #expect(refusal { try scene.open(readOnly: false) }?.code == .corrupted)
      #expect(refusal { try scene.open(readOnly: true) { $0.givesUpLostCommits = true } }?.code == .corrupted)
      let left = try scene.open(readOnly: false) { $0.givesUpLostCommits = true }
      #expect((1..<60).contains(left))
      #expect(try JournaledStore.readFile(scene.path + "/" + copy) == journal)
      // It is a store as any other then.
      #expect(try scene.open(readOnly: false) == left)
    }
    // A missing journal is given up likewise.
    try scene.place()
    unlink(scene.path + "/journal")
    #expect(refusal { try scene.openWithoutJournal(givingUp: false) }?.code == .journalMissing)
    #expect(try scene.openWithoutJournal(givingUp: true) < 60)
  }

  /// The offset in the journal of the record of about a commit: of the first record with at least that many before it.
  private func position(of commit: Int, in scene: StoreAtRest) -> Int? {
    var seen = 0
    for offset in stride(from: 4096, to: scene.journal.count, by: 512) where (offset - 4096) % 8192 != 0 {
      guard scene.journal[offset..<offset + 40].contains(where: { $0 != 0 }) else { continue }
      seen += 1
      if seen == commit { return offset }
    }
    return nil
  }

  /// An older journal of the same store, beside a file whose commits it does not have.
  @Test func anOlderJournalBesideANewerFileIsRefused() throws {
    for isLarge in [false, true] {
      var older: [UInt8] = []
      let scene = try StoreAtRest(commits: 40, options: { $0.journal.maximumRecordBytes = 4000 }) {
        store, number in
        if number == 20 { older = try JournaledStore.readFile(store.directory + "/journal") }
        guard number == 30 else { return }
        if isLarge {
          // A commit past the journal.
          try store.write { writer in
            for number in 0..<200 { try writer.setFollowed(true, Identity.ID("other \(number)")) }
          }
        } else {
          try store.checkpoint()
        }
      }
      #expect(try scene.open(readOnly: true) == 40)
      for readOnly in [true, false] {
        try scene.place(journal: older)
        let error = try #require(refusal { try scene.open(readOnly: readOnly) }, "large: \(isLarge)")
        #expect([.foreignJournal, .corrupted].contains(error.code), "\(error)")
        // Nor as a copy, beside which there is no head.
        try scene.place(journal: older, head: [UInt8](repeating: 0, count: 4096))
        #expect(refusal { try scene.open(readOnly: readOnly) }?.code == .foreignJournal)
      }
    }
  }

  /// What data.mdb has already may be damaged in the journal.
  @Test func damageBeforeTheCheckpointCostsNothing() throws {
    let scene = try StoreAtRest(commits: 40, options: { $0.journal.limits.segmentSize = 1 << 20 }) {
      store, number in
      if number == 25 { try store.checkpoint() }
    }
    let records = stride(from: 4096 + 512, to: scene.journal.count, by: 512).filter {
      scene.journal[$0 + 8..<$0 + 16].contains { $0 != 0 }
    }
    for offset in records.prefix(20) {
      var journal = scene.journal
      journal.replaceSubrange(offset..<offset + 512, with: repeatElement(0, count: 512))
      try scene.place(journal: journal)
      #expect(try scene.open(readOnly: true) == 40)
      #expect(try scene.open(readOnly: false) == 40)
    }
  }

  /// It costs nothing, and a verification tells of it, if a later segment proves it.
  @Test func aVerificationTellsOfDamageBeforeTheCheckpoint() throws {
    let scene = try StoreAtRest(
      commits: 40,
      before: { store, number in
        if number == 35 { try store.checkpoint() }
      })
    func faults() throws -> [VerificationReport.Fault] {
      var options = Store.Options()
      options.create = false
      options.readOnly = true
      let store = try Store.open(directory: scene.path, user: nil, options: options)
      defer { store.close() }
      return try store.verify().faults
    }
    #expect(try faults() == [])
    var journal = scene.journal
    let record = 4096 + 512
    let isUsed = journal[record..<record + 40].contains { $0 != 0 }
    #expect(isUsed)
    journal[record + 41] ^= 1
    try scene.place(journal: journal)
    #expect(try faults().map(\.location) == ["journal"])
    #expect(try scene.open(readOnly: true) == 40)
  }
}

extension StoreAtRest {
  /// Opens the store where there is no journal.
  fileprivate func openWithoutJournal(givingUp: Bool) throws -> Int {
    var options = Store.Options()
    options.create = false
    options.givesUpLostCommits = givingUp
    let store = try Store.open(directory: path, user: nil, options: options)
    defer { store.close() }
    try expectSound(store)
    return try store.read { snapshot in
      try (0..<commits).filter { try snapshot.users.number(of: "user \($0)") != nil }.count
    }
  }
}
