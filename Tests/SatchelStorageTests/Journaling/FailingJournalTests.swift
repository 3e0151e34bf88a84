import LMDB
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

/// Each call that a store makes of its journal's file fails once: what Documentation/Writing.md promises holds all the same.
@Suite struct FailingJournalTests {
  /// A store whose journal fails, and what it has to hold.
  private final class Scene {
    let directory: TemporaryDirectory
    let calls = FailingCalls()
    private var options = Store.Options()
    /// What writes have returned from, and those of which nobody knows.
    private(set) var acknowledged: Set<Int> = []
    private(set) var unknown: Set<Int> = []
    private(set) var refusals: [SatchelError] = []
    private var next = 0

    init() throws {
      directory = try TemporaryDirectory()
      options.journal.commitsBefore = 0
      options.journal.mostCommits = 5
      options.journal.limits.segmentSize = 4096
      options.writerEnvironment.journalStorage = calls.interposer
    }

    var path: String { directory.path + "/store" }

    func open() throws -> Store { try Store.open(directory: path, user: "me", options: options) }

    /// Makes a commit, and looks at the store after it, whatever has become of it.
    func write(_ store: Store) throws {
      next += 1
      let number = next
      do {
        try store.write { try $0.setFollowed(true, Identity.ID("user \(number)")) }
        acknowledged.insert(number)
      } catch let error as SatchelError {
        refusals.append(error)
        if error.code == .outcomeUnknown { unknown.insert(number) }
      }
      try expectHolds(store)
    }

    /// Expects that everything is there that was acknowledged, and nothing that was refused.
    func expectHolds(_ store: Store) throws {
      let found = try store.read { snapshot in
        try Set((0..<next + 1).filter { try snapshot.users.number(of: "user \($0)") != nil })
      }
      #expect(found.isSuperset(of: acknowledged), "lost: \(acknowledged.subtracting(found))")
      let excess = found.subtracting(acknowledged).subtracting(unknown)
      #expect(excess.isEmpty, "refused, and there all the same: \(excess)")
    }

    /// Opens what a process that ended now would leave, on a disk that does not fail.
    func expectLeftHolds(_ name: String) throws {
      let copy = directory.path + "/" + name
      try JournaledStore.copy(["data.mdb", "journal"], from: path, to: copy)
      let left = try Store.open(directory: copy, user: nil)
      defer { left.close() }
      try expectHolds(left)
      try expectSound(left)
    }
  }

  /// Commits that begin the journal and its segments, go to LMDB and to the journal by turns.
  @Test(arguments: [EIO, ENOSPC]) func aCommitWhoseCallFailsLosesNothing(error: Int32) throws {
    let whole = try Scene()
    try run(whole, nil)
    #expect(whole.refusals.isEmpty)
    let count = whole.calls.end()
    #expect(count > 30)
    var codes: Set<SatchelError.Code> = []
    for call in 0..<count {
      let scene = try Scene()
      try run(scene, FailingCalls.Fault(call: call, error: error))
      // One call fails: at most its own write, and the one that finds a journal poisoned.
      #expect(scene.refusals.count <= 1, "call \(call): \(scene.refusals)")
      for refusal in scene.refusals {
        codes.insert(refusal.code)
        #expect([.io, .storeFull, .outcomeUnknown].contains(refusal.code), "call \(call): \(refusal)")
        #expect(refusal.description.contains("journal"), "call \(call): \(refusal)")
      }
    }
    #expect(codes.contains(.outcomeUnknown), "no sync has failed")
  }

  private func run(_ scene: Scene, _ fault: FailingCalls.Fault?) throws {
    let store = try scene.open()
    defer { store.close() }
    scene.calls.begin(fault)
    for _ in 0..<14 { try scene.write(store) }
    scene.calls.end()
    try scene.expectLeftHolds("left")
    for _ in 0..<3 { try scene.write(store) }
    try expectSound(store)
    #expect(scene.acknowledged.count >= 16)
    store.close()
    let again = try scene.open()
    defer { again.close() }
    try scene.expectHolds(again)
    try expectSound(again)
  }

  /// Whoever opens what was left, writes to it and closes it meets the failure there.
  @Test(arguments: [EIO, ENOSPC]) func anOpeningWhoseCallFailsLosesNothing(error: Int32) throws {
    var call = 0
    var refusals = 0
    while true {
      let scene = try Scene()
      let left = scene.directory.path + "/left"
      let store = try scene.open()
      for _ in 0..<9 { try scene.write(store) }
      try JournaledStore.copy(["data.mdb", "journal"], from: scene.path, to: left)
      store.close()

      var options = Store.Options()
      options.create = false
      options.journal.commitsBefore = 0
      options.writerEnvironment.journalStorage = scene.calls.interposer
      scene.calls.begin(FailingCalls.Fault(call: call, error: error))
      do {
        let again = try Store.open(directory: left, user: nil, options: options)
        defer { again.close() }
        let user = try again.read { try $0.users.number(of: "user 9") }
        #expect(user != nil)
        try again.write { try $0.setFollowed(false, "user 9") }
        try again.write { try $0.setFollowed(true, "user 9") }
      } catch let error as SatchelError {
        refusals += 1
        #expect([.io, .storeFull, .outcomeUnknown].contains(error.code), "call \(call): \(error)")
      }
      let count = scene.calls.end()
      let after = try Store.open(directory: left, user: nil)
      try scene.expectHolds(after)
      try expectSound(after)
      after.close()
      call += 1
      if call >= count { break }
    }
    #expect(call > 10 && refusals > 0)
  }
}
