import LMDBScenes
import StoreFiles
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A write that has to walk a damaged page is refused before; others go on.
@Suite struct PageRefusalTests {
  /// A store so large that no leaf is looked at before a write comes to it.
  private func store(
    _ scratch: Scratch, _ damage: (inout StoreImage) throws -> Void
  ) throws -> BusyStore {
    let sound = try BusyStore(scratch)
    try sound.fill(1500)
    sound.close()
    var image = StoreImage(scratch)
    try damage(&image)
    image.save(scratch)
    return try BusyStore(scratch, create: false) {
      $0.durability = .temporaryImport
      $0.pageChecks.store = 16
      $0.pageChecks.leaves = 0
      $0.pageChecks.namingLeaves = 0
    }
  }

  private func refusal(_ body: () throws -> Void) -> LMDBError? {
    do {
      try body()
      return nil
    } catch {
      return error as? LMDBError
    }
  }

  @Test func aDamagedLeafIsRefusedAndItsNeighboursAreNot() throws {
    let scratch = Scratch()
    var keys: [[UInt8]] = []
    let store = try store(scratch) { image in
      let leaf = image.leaves(image.tree("messages"))[8]
      keys = image.nodes(leaf).map { Array(image.bytes[$0.key]) }
      image.flip(bit: 4, at: leaf * 4096)
    }
    defer { store.close() }
    let inside = try #require(keys.first)
    let refusals: [() throws -> Void] = [
      { try store.environment.write { try $0.put(store.messages, inside, [1]) } },
      {
        try store.environment.write { transaction in
          _ = try inside.withUnsafeBytes { try transaction.delete(store.messages, $0) }
        }
      },
      {
        try store.environment.write { transaction in
          _ = try inside.withUnsafeBytes { try transaction.get(store.messages, $0) }
        }
      },
      { try store.environment.write { try $0.deleteAll(in: store.messages) } },
      {
        try store.environment.write { transaction in
          var cursor = try transaction.cursor(store.messages)
          while try cursor.next() != nil {}
        }
      },
      // After a change LMDB moves the cursor, and may go to any page.
      {
        try store.environment.write { transaction in
          try transaction.put(store.objects, "changed", "x")
          var cursor = try transaction.cursor(store.messages)
          _ = try cursor.first()
        }
      },
    ]
    for refused in refusals {
      let error = try #require(refusal(refused))
      #expect(error.code == .corrupted)
      #expect(error.description.contains("carries another page's number"), "\(error)")
    }
    // A closure that goes on after a refusal does not commit either.
    let error = refusal {
      try store.environment.write { transaction in
        _ = try? transaction.put(store.messages, inside, [1])
        try transaction.put(store.objects, "later", "x")
      }
    }
    #expect(error?.code == .corrupted)
    try #expect(store.environment.read { try $0.get(store.objects, "later") } == nil)
    // The environment is as it was: what lies elsewhere is read and written.
    try store.environment.write { try $0.put(store.messages, BusyStore.key(40), [7]) }
    try #expect(
      store.environment.read { transaction in
        try BusyStore.key(40).withUnsafeBytes { try transaction.get(store.messages, $0).map(Array.init) }
      } == [7])
    try #expect(store.audit().faultCount == 1)
  }

  /// Removals merge leaves: with the one beside, and with that beside it.
  @Test func removalsBesideADamagedLeafAreRefusedInTime() throws {
    for (direction, distance) in [(1, 1), (-1, 1), (1, 3), (-1, 3)] {
      let scratch = Scratch()
      var keys: [[[UInt8]]] = []
      let store = try store(scratch) { image in
        let leaves = image.leaves(image.tree("messages"))
        keys = leaves.map { image.nodes($0).map { Array(image.bytes[$0.key]) } }
        image.flip(bit: 4, at: leaves[20 + direction * distance] * 4096)
      }
      defer { store.close() }
      // Toward the damaged leaf, leaf by leaf, so that each is merged with the next.
      var order = keys[min(20, 20 + direction * (distance - 1))...max(20, 20 + direction * (distance - 1))]
        .flatMap(\.self)
      if direction < 0 { order.reverse() }
      let error = refusal {
        try store.environment.write { transaction in
          for key in order { _ = try key.withUnsafeBytes { try transaction.delete(store.messages, $0) } }
        }
      }
      #expect(error?.code == .corrupted)
      try #expect(store.audit().faultCount == 1)
    }
  }

  /// The commit of another process may have come of damaged pages, and the file may have been damaged since.
  @Test func aCommitOfAnotherProcessIsNotTrusted() async throws {
    let scratch = Scratch()
    let path: String = scratch.path
    let store = try store(scratch) { _ in }
    defer { store.close() }
    try store.fill(10, from: 8000)
    await #expect(processExitsWith: .success) { [path = path as String] in
      let store = try BusyStore(Scratch(at: path), create: false)
      try store.fill(10, from: 9000)
      store.close()
    }
    var image = StoreImage(scratch)
    let offset = image.freeNumbers()[1]
    image[offset, UInt64.self] = UInt64(image.leaves(image.tree("messages"))[4])
    let file = open(scratch.data, O_WRONLY)
    defer { close(file) }
    let bytes = Array(image.bytes[offset..<offset + 8])
    #expect(pwrite(file, bytes, 8, off_t(offset)) == 8)
    let error = refusal { try store.fill(10, from: 9500) }
    #expect(error?.code == .corrupted)
    #expect(
      error?.description.contains("in use and on the free list") == true, "\(String(describing: error))")
    try #expect(store.countMessages() == 1500 + 20)
  }

  /// Each page that a write frees has been looked at before, or was written by this environment: also those of merges.
  @Test func nothingIsFreedUnseen() throws {
    var random = SeededGenerator(for: "nothingIsFreedUnseen")
    for round in 0..<TestEnvironment.rounds(6) {
      let scratch = Scratch()
      let store = try store(scratch) { _ in }
      defer { store.close() }
      for write in 0..<12 {
        let before = StoreImage(scratch)
        var unseen: Set<Int> = []
        let start = Int.random(in: 0..<1400, using: &random)
        let isSweep = write % 3 != 0
        let changes = StoreModel.changes(&random, isSweep ? 40 : 300, among: 1500)
        try store.environment.write { transaction in
          if isSweep {
            var numbers = Array(start..<start + Int.random(in: 1..<400, using: &random))
            if write % 2 == 0 { numbers.reverse() }
            if write % 4 == 1 { numbers.shuffle(using: &random) }
            for number in numbers {
              _ = try BusyStore.key(number).withUnsafeBytes { try transaction.delete(store.messages, $0) }
            }
          }
          for change in changes {
            if let value = change.value {
              try transaction.put(store.all[change.table], change.key, value)
            } else {
              _ = try change.key.withUnsafeBytes { try transaction.delete(store.all[change.table], $0) }
            }
          }
          unseen = Set((2...before.lastPage).filter { transaction.isUnchecked(UInt64($0)) })
        }
        let freed = pages(before).subtracting(pages(StoreImage(scratch)))
        #expect(!freed.isEmpty)
        #expect(
          freed.isDisjoint(with: unseen), "round \(round), write \(write): \(freed.intersection(unseen))")
        if write == 0 { #expect(!unseen.isEmpty) }
      }
      try #expect(store.audit().isSound)
    }
  }

  private func pages(_ image: StoreImage) -> Set<Int> {
    Set(
      BusyStore.databases.map(image.tree).flatMap { tree in
        image.levels(tree).joined() + image.overflows(tree)
      })
  }
}
