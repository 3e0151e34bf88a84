import RecordStore
import SatchelBytes
import SatchelCare
import SatchelCoding
import SatchelStorage
import StoreModel
import TestSupport
import Testing

/// The commits of a journal that are added to a tail at once are what they are one after the other.
@Suite struct CommitBufferTests {
  private static func gather(_ commits: [[UInt8]], in arena: RecordArena) throws -> CommitBuffer {
    var gathered = CommitBuffer(in: arena)
    for bytes in commits { _ = try gathered.add(bytes.span.bytes) }
    return gathered
  }

  /// - Parameter filled: The number of commits that are in the tail before.
  @Test(arguments: [0, 1, 30, 150])
  func manyCommitsAreWhatTheyAreOneByOne(filled: Int) throws {
    var scene = try TailScene(seed: TestEnvironment.seed(for: "manyCommitsAreWhatTheyAreOneByOne"))
    for count in [3, 64, 200] {
      let path = scene.directory.path + "/copy \(count)"
      _ = try scene.store.backup(to: path)
      let copy = try openStore(path, user: nil)
      defer { copy.close() }
      let before = try scene.makeCommits(filled)
      let commits = try scene.makeCommits(count)
      func tail(after before: [[UInt8]]) throws -> Tail {
        var tail = try copy.environment.read { try copy.emptyTail($0) }
        for bytes in before { tail = try tail.adding(CommitChanges(bytes, in: tail.arena)) }
        return tail
      }
      let oneByOne = try tail(after: before + commits)
      let filledTail = try tail(after: before)
      let atOnce = try filledTail.adding(Self.gather(commits, in: filledTail.arena), chain: 0)
      let newest = try scene.store.read(StoreContents.init)
      try copy.environment.read { transaction in
        for tail in [oneByOne, atOnce] {
          let snapshot = try copy.snapshot(transaction, tail: tail)
          try StoreContents(snapshot).expectSame(as: newest)
          #expect(try scene.operations.model.difference(snapshot) == nil)
          try expectScanAsIndexed(snapshot)
          try scene.expectRanks(snapshot)
        }
      }
      try copy.checkpoint(atOnce)
      try expectSound(copy)
      try copy.read(StoreContents.init).expectSame(as: newest)
    }
  }

  /// A seal in the middle is checked although nobody reads it.
  @Test func everySealIsChecked() throws {
    var scene = try TailScene(seed: 5)
    let empty = try scene.store.environment.read { try scene.store.emptyTail($0) }
    let commits = try scene.makeCommits(70)
    #expect(
      try empty.adding(Self.gather(commits, in: empty.arena), chain: 0).seal.commit == empty.seal.commit + 70)
    for commit in [0, 35, 69] {
      // A number of two bytes comes before the seal.
      for place in [2, 10, 80, 200] {
        var damaged = commits
        damaged[commit][place] ^= 0x10
        #expect(throws: CodingError.self) { try Self.gather(damaged, in: RecordArena()) }
      }
    }
  }

  @Test func damagedCommitsAreReadOrRefused() throws {
    var random = SeededGenerator()
    var scene = try TailScene(seed: random.next())
    let empty = try scene.store.environment.read { try scene.store.emptyTail($0) }
    let commits = try scene.makeCommits(80)
    let last = commits[79]
    for length in 0..<last.count {
      let cut = commits[..<2] + [Array(last[..<length])]
      #expect(throws: (any Error).self) { try Self.gather(Array(cut), in: RecordArena()) }
    }
    var (refused, read) = (0, 0)
    for _ in 0..<TestEnvironment.rounds(300) {
      var damaged = commits
      for _ in 0...random.below(2) {
        let commit = random.below(80)
        // Most damage of seals is found by their checksums.
        let place = random.below(damaged[commit].count - 250) + 250
        damaged[commit][place] ^= 1 << UInt8(random.below(8))
      }
      let arena = RecordArena()
      guard let gathered = try? Self.gather(damaged, in: arena) else {
        refused += 1
        continue
      }
      read += 1
      _ = try? empty.adding(gathered, chain: 0)
    }
    #expect(refused > 0 && read > 0)
  }

  /// The last words of some keys are the same, and some keys begin another one.
  @Test func recordsAreInTheOrderOfTheirKeys() {
    var random = SeededGenerator()
    for count in [0, 1, 2, 64, 65, 3_000] {
      for variety in [2, 40, 256] {
        let keys = (0..<count).map { _ -> KeyBytes in
          var key = KeyBytes()
          for _ in 0...random.below(24) { key.append(UInt8(random.below(variety))) }
          return key
        }
        for keys in [keys, keys.sorted(), keys.sorted().reversed(), keys.map { _ in keys[0] }] {
          let order = RecordKeyOrder.indices(of: keys.map { RecordChange(remove: $0) }).map { Int($0) }
          #expect(order == keys.indices.sorted { keys[$0] == keys[$1] ? $0 < $1 : keys[$0] < keys[$1] })
        }
      }
    }
  }
}
