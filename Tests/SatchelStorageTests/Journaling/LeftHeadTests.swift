import Dispatch
import Journal
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

/// The journal's head is never synced: whatever a crash of the machine has left of it, the journal is right.
@Suite struct LeftHeadTests {
  /// The head says that a sync had failed, and has been written to the disk then and not since.
  @Test(arguments: [false, true]) func aHeadOfAnEarlierTimeHidesNothing(isPoisoned: Bool) throws {
    let scene = try JournaledStore(seed: 21)
    try scene.write(3)
    let copy = scene.directory.path + "/copy"
    try JournaledStore.copy(["journal.head"], from: scene.path, to: copy)
    do {
      let head = try JournalHead(copy + "/journal.head", .writing)
      var state = try #require(head.read()).state
      #expect(state.point.sequence > 0)
      state.isPoisoned = isPoisoned
      try head.publish(state)
    }
    try scene.write(20)
    try JournaledStore.copy(["data.mdb", "journal"], from: scene.path, to: copy)

    var options = Store.Options()
    options.create = false
    options.journal.commitsBefore = 0
    for isWriting in [false, true] {
      options.readOnly = !isWriting
      let left = try Store.open(directory: copy, user: nil, options: options)
      defer { left.close() }
      try scene.expectHolds(left)
      guard isWriting else { continue }
      try left.write { try $0.setFollowed(true, "after") }
      try left.write { try $0.setFollowed(false, "after") }
      try expectSound(left)
    }
    let closed = try Store.open(directory: copy, user: nil, options: options)
    #expect(try closed.sequence() == scene.store.sequence() + 2)
    try expectSound(closed)
  }

  /// A process has ended, or the disk was full, while the head was made.
  @Test(arguments: [0, 100, 3584]) func aShortHeadHindersNobody(size: Int) throws {
    let scene = try JournaledStore(seed: 22)
    try scene.write(10)
    let copy = scene.directory.path + "/copy"
    try JournaledStore.copy(["data.mdb", "journal"], from: scene.path, to: copy)
    try JournaledStore.writeFile([UInt8](repeating: 0, count: size), to: copy + "/journal.head")
    var options = Store.Options()
    options.create = false
    for isReadOnly in [true, false] {
      options.readOnly = isReadOnly
      let left = try Store.open(directory: copy, user: nil, options: options)
      defer { left.close() }
      try scene.expectHolds(left)
    }
  }

  /// An opener was killed before he had made the head anew, and the system has taken the lock on the journal from him, but not
  /// yet that on the head: the head is one that was just made, or that was left long ago.
  @Test(arguments: [false, true], [false, true])
  func anOpenerWhoIsBeingKilledIsNotBelieved(isReadOnly: Bool, isOld: Bool) throws {
    let scene = try JournaledStore(seed: 23)
    try scene.write(3)
    let copy = scene.directory.path + "/copy"
    try JournaledStore.copy(["journal.head"], from: scene.path, to: copy)
    try scene.write(20)
    try JournaledStore.copy(["data.mdb", "journal"], from: scene.path, to: copy)
    if !isOld { try JournaledStore.writeFile([UInt8](repeating: 0, count: 4096), to: copy + "/journal.head") }

    let killed = try JournalLock(copy + "/journal.head", .writing)
    try killed.acquire(.exclusive)
    let end = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      usleep(50_000)
      killed.release()
      end.signal()
    }
    var options = Store.Options()
    options.create = false
    options.readOnly = isReadOnly
    let left = try Store.open(directory: copy, user: nil, options: options)
    defer { left.close() }
    try scene.expectHolds(left)
    end.wait()
    try scene.expectHolds(left)
  }
}
