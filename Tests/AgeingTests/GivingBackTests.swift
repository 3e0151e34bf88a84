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

  /// The bytes of messages, of their bodies and of their indexes. The log has every deletion until it is trimmed.
  private static func content(_ space: StoreSpace) -> Int {
    let parts = space.parts.filter { $0.name.hasPrefix("message") || $0.name == "bodies" }
    return parts.reduce(0) { $0 + $1.bytes }
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
    let before = try aged.store.space()
    try aged.deleteHalf()
    // What was deleted leaves the tables with the next checkpoint: here, so that the test need not wait for it.
    try aged.store.checkpoint()
    // Ordinary work goes on, counted by its commits: some minutes of it, at most.
    var commits = 0
    while try Self.excess(aged.store) > 2 << 20, commits < 20_000 {
      try aged.commit(1)
      usleep(10_000)
      commits += 1
    }
    let after = try aged.store.space()
    let tables = "\(SpaceTable([("before", before), ("after", after)]).text)"
    #expect(try Self.excess(aged.store) <= 2 << 20, "\(tables)")
    #expect(Self.content(after) < Self.content(before) / 4 * 3, "\(tables)")
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
