import Ageing
import LMDB
import SatchelCare
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
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What is free in a store's file goes back to the file system.
@Suite struct GivingBackTests {
  private static func excess(_ store: Store) throws -> Int {
    let info = try store.environment.info
    let used = (Int(info.lastPage) + 1 - info.freePages) * info.pageSize
    return info.diskBytes - used - store.environment.keptBytes(besideUsed: used)
  }

  /// Commits go on meanwhile, and readers read.
  @Test func halfOfAStoreThatIsDeletedIsGivenBack() throws {
    let directory = FileManager.default.temporaryDirectory.path + "/satchel-giving-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var aged = try AgedStore(at: directory, seed: TestEnvironment.seed(), conversations: 200) {
      $0.journal.checkpointCommits = 4_000
      $0.purgePause = 0.001
    }
    defer { aged.store.close() }
    try aged.commit(30_000)
    // What commits meanwhile have given up is given back already: what counts is what the tables have.
    try aged.store.checkpoint()
    let full = try #require(aged.store.environment.usedBytes)
    try aged.deleteHalf()
    func isDone() throws -> Bool {
      try #require(aged.store.environment.usedBytes) < full / 5 * 4 && Self.excess(aged.store) <= 2 << 20
    }
    // A minute of ordinary work, at most.
    let limit = ContinuousClock.now + .seconds(60)
    while try !isDone(), ContinuousClock.now < limit {
      try aged.commit(1)
      usleep(10_000)
    }
    let space = try aged.store.space()
    #expect(try isDone(), "\(full) bytes before; \(SpaceTable([("aged", space)]).text)")
    #expect(try aged.store.verify().faultCount == 0)
  }

  /// What the last checkpoint has given up is free when the store is closed. One closing has only so much time, and the next one goes on.
  @Test func aStoreThatIsClosedKeepsLittleOfWhatIsFree() throws {
    let directory = FileManager.default.temporaryDirectory.path + "/satchel-giving-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var aged = try AgedStore(at: directory, seed: TestEnvironment.seed(), conversations: 200) {
      $0.journal.checkpointCommits = 5_000
      $0.journal.waitsForCheckpoint = false
      $0.purgePause = 0.005
    }
    try aged.commit(24_000)
    aged.store.close()
    var options = Store.Options()
    options.create = false
    var excess: [Int] = []
    for _ in 0..<20 where excess.last ?? .max > 2 << 20 {
      let store = try Store.open(directory: directory, user: "me", options: options)
      defer { store.close() }
      excess.append(try Self.excess(store))
      #expect(try store.verify().faultCount == 0)
    }
    #expect(excess.last ?? .max <= 2 << 20, "\(excess)")
  }
}
