import LMDB
import SatchelCare
import SatchelCoding
import SatchelModel
import SatchelStorage
import StoreModel
import TestSupport
import Testing

/// What a salvage saves of the commits that only the journal has.
@Suite struct SalvageOfJournalTests {
  /// What a process left that ended in the middle of its work.
  private struct Scene {
    let live: JournaledStore
    let path: String
    let journal: [UInt8]
    let data: [UInt8]
    /// The seal that `data.mdb` has.
    let seal: [UInt8]
    /// The commits that only the journal has.
    let commits: ClosedRange<UInt64>
    /// The commits after the last one that the change log of `data.mdb` has. One that changes nothing for programs has no entry.
    let unlogged: ClosedRange<UInt64>

    init(seed: UInt64) throws {
      // So long that no transaction goes past the journal because its record does not fit.
      live = try JournaledStore(seed: seed) { $0.journal.limits.segmentSize = 64 << 10 }
      try live.write(10)
      try live.store.checkpoint()
      try live.write(25)
      path = live.directory.path + "/left"
      try JournaledStore.copy(["data.mdb", "journal"], from: live.path, to: path)
      journal = try JournaledStore.readFile(path + "/journal")
      data = try JournaledStore.readFile(path + "/data.mdb")
      let alone = live.directory.path + "/alone"
      try JournaledStore.copy(["data.mdb"], from: path, to: alone)
      var options = Store.Options()
      options.create = false
      options.journal.use = .ignored
      let store = try Store.open(directory: alone, user: nil, options: options)
      defer { store.close() }
      let base = try store.read { $0.seal }
      seal = base.encode()
      commits = try base.commit + 1...live.store.sequence()
      try #require(commits.count > 10)
      let log = try #require(try store.read { try $0.changes(after: 0) })
      unlogged = (log.last?.commit ?? 0) + 1...commits.upperBound
    }

    /// Salvages the store with these bytes in its files, and expects a sound one.
    func salvage(
      _ name: String, data: [UInt8]? = nil, journal: [UInt8]?, holdsAll: Bool = false,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> SalvageReport {
      let source = live.directory.path + "/damaged \(name)"
      try JournaledStore.copy([], from: path, to: source)
      try JournaledStore.writeFile(data ?? self.data, to: source + "/data.mdb")
      if let journal { try JournaledStore.writeFile(journal, to: source + "/journal") }
      let saved = live.directory.path + "/saved \(name)"
      let report = try Store.salvage(directory: source, into: saved)
      let store = try Store.open(directory: saved, user: "me")
      defer { store.close() }
      try expectSound(store, sourceLocation: sourceLocation)
      if holdsAll { try live.expectHolds(store, sourceLocation: sourceLocation) }
      return report
    }
  }

  @Test func commitsOfTheJournalAreSaved() throws {
    let scene = try Scene(seed: 31)
    let report = try scene.salvage("whole", journal: scene.journal, holdsAll: true)
    #expect(report.journalCommits == [scene.commits])
    #expect(report.isComplete, "\(report.losses)")
  }

  /// Without the seal the change log says how far `data.mdb` goes, and the journal takes it from there.
  @Test func aLostSealLosesNoCommit() throws {
    let scene = try Scene(seed: 32)
    var data = scene.data
    let seal = scene.seal
    var places: [Int] = []
    for start in 0..<data.count - seal.count where data[start] == seal[0] && data[start + 4] == seal[4] {
      if data[start..<start + seal.count].elementsEqual(seal) { places.append(start) }
    }
    #expect(!places.isEmpty)
    for place in places { data[place + 20] ^= 1 }
    let report = try scene.salvage("seal", data: data, journal: scene.journal, holdsAll: true)
    #expect(report.journalCommits == [scene.unlogged])
    // The journal's last commit says how many objects there are.
    #expect(report.lost?.objects == 0, "\(report.losses)")
  }

  /// The first sector says how long segments are; without it they are looked for. Nothing shows then that there were no more.
  @Test func aLostHeaderLosesNoCommit() throws {
    let scene = try Scene(seed: 33)
    var journal = scene.journal
    for index in 0..<512 { journal[index] = 0xA5 }
    let report = try scene.salvage("header", journal: journal, holdsAll: true)
    #expect(report.journalCommits == [scene.commits])
    #expect(report.lost == nil && report.lostCommits.isEmpty, "\(report.losses)")
    let told = "what it had behind commit \(scene.commits.upperBound), if anything, is lost"
    #expect(report.losses.count == 1 && report.losses[0].contains(told), "\(report.losses)")
  }

  /// Whatever byte is damaged, what lies behind it is saved, and what is lost is told.
  @Test func commitsBehindADamageAreSaved() throws {
    var generator = SeededGenerator()
    let scene = try Scene(seed: 34)
    var behind = 0
    for round in 0..<TestEnvironment.rounds(24) {
      var journal = scene.journal
      let place = generator.draw(below: journal.count)
      journal[place] ^= 0x10
      let report = try scene.salvage("\(round)", journal: journal)
      // Where the last record is damaged so that it looks like none, nothing says that there was one.
      guard report.journalCommits.last?.upperBound == scene.commits.upperBound else { continue }
      if report.journalCommits != [scene.commits] {
        #expect(!report.isComplete, "byte \(place): \(report.journalCommits)")
        behind += 1
      }
    }
    #expect(behind > 0)
  }

  @Test func aJournalOfAnotherStoreIsNotTaken() throws {
    let scene = try Scene(seed: 35)
    let other = try Scene(seed: 36)
    let report = try scene.salvage("other", journal: other.journal)
    #expect(report.journalCommits.isEmpty)
    #expect(report.losses.contains { $0.contains("belongs to the store") }, "\(report.losses)")
  }

  /// Also one of which nothing is left but its length.
  @Test(arguments: [nil, 0, 8192]) func aMissingJournalIsALoss(zeros: Int?) throws {
    let scene = try Scene(seed: 37)
    let journal = zeros.map { [UInt8](repeating: 0, count: $0) }
    let report = try scene.salvage("missing", journal: journal)
    let what = zeros == nil ? "missing" : "empty"
    #expect(report.losses.contains { $0.contains("journal: it is \(what)") }, "\(report.losses)")
  }
}
