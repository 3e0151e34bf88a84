import LMDB
import LMDBPages
import LMDBScenes
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// No false alarm: whatever LMDB leaves in a sound file is found sound, and can be written to.
@Suite struct SoundStoreTests {
  private func expectSound(
    _ report: PageReport, _ text: String = "", _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(report.isSound, "\(text) \(report.faults.prefix(5))", sourceLocation: location)
    #expect(report.pages >= 2, sourceLocation: location)
  }

  @Test func freshAndEmptyOnes() throws {
    let scratch = Scratch()
    let empty = try Environment.open(directory: scratch.store, options: .init(databases: [], create: true))
    try expectSound(empty.read { try $0.auditPages() })
    empty.close()
    let store = try BusyStore(scratch)
    defer { store.close() }
    try expectSound(store.audit())
    try store.fill(50)
    for table in store.all { try store.environment.write { try $0.deleteAll(in: table) } }
    try expectSound(store.audit())
    try #expect(store.audit().freePages > 0)
  }

  @Test func afterManyRandomCommits() throws {
    var random = SeededGenerator(for: "afterManyRandomCommits")
    for durability in [Environment.Durability.temporaryImport, .relaxed] {
      let scratch = Scratch()
      var store = try BusyStore(scratch) { $0.durability = durability }
      try store.fill(1500)
      for round in 0..<TestEnvironment.rounds(durability == .relaxed ? 60 : 900) {
        try store.change(&random, Int.random(in: 0..<60, using: &random), among: 2200)
        switch Int.random(in: 0..<80, using: &random) {
        case 0:
          try store.environment.write {
            try $0.deleteAll(in: store.all.randomElement(using: &random) ?? store.nodes)
          }
        case 1: try store.fill(400, from: Int.random(in: 0..<3000, using: &random), perCommit: 400)
        case 2:
          store.close()
          store = try BusyStore(scratch, create: false) { $0.durability = durability }
        case 3, 4:
          #expect(throws: CancellationError.self) {
            try store.environment.write { transaction in
              try transaction.put(store.objects, "given up", "x")
              throw CancellationError()
            }
          }
        case 5: try shrinkInOneTransaction(store, &random)
        case 6: try sweep(store, &random)
        default: break
        }
        if round % 30 == 0 { try expectSound(store.audit(), "round \(round)") }
      }
      try expectSound(store.audit())
      store.close()
    }
  }

  /// A value that becomes shorter in the transaction it came in keeps the pages that it had.
  private func shrinkInOneTransaction(_ store: BusyStore, _ random: inout SeededGenerator) throws {
    let name = Array("shrinking \(Int.random(in: 0..<5, using: &random))".utf8)
    let shorter = Int.random(in: 0..<9000, using: &random)
    try store.environment.write { transaction in
      try transaction.put(store.objects, name, BusyStore.value(1, count: 30_000))
      try transaction.put(store.objects, name, BusyStore.value(2, count: shorter))
    }
  }

  /// Removes neighbouring records, so that leaves are merged.
  private func sweep(_ store: BusyStore, _ random: inout SeededGenerator) throws {
    let start = Int.random(in: 0..<2000, using: &random)
    try store.environment.write { transaction in
      for number in start..<start + Int.random(in: 1..<700, using: &random) {
        _ = try BusyStore.key(number).withUnsafeBytes { try transaction.delete(store.messages, $0) }
      }
    }
  }

  @Test func whileReadersKeepOldPages() throws {
    var random = SeededGenerator(for: "whileReadersKeepOldPages")
    let scratch = Scratch()
    let store = try BusyStore(scratch) { $0.durability = .temporaryImport }
    defer { store.close() }
    try store.fill(800)
    for _ in 0..<4 {
      let (begun, go) = (Signal(), Signal())
      let reader = Worker {
        try store.environment.read { transaction in
          begun.set()
          go.wait()
          return try transaction.auditPages()
        }
      }
      begun.wait()
      for _ in 0..<30 { try store.change(&random, 20, among: 1000) }
      try expectSound(store.audit())
      go.set()
      try expectSound(reader.value())
    }
  }

  @Test func whileAnotherThreadWrites() throws {
    let scratch = Scratch()
    let store = try BusyStore(scratch) { $0.durability = .temporaryImport }
    defer { store.close() }
    try store.fill(1000)
    let done = Signal()
    let writer = Worker {
      var random = SeededGenerator(seed: 3)
      while !done.isUp { try store.change(&random, 5, among: 1500) }
    }
    for _ in 0..<40 { try expectSound(store.audit()) }
    done.set()
    try writer.value()
  }

  @Test func whileAnotherProcessWrites() async throws {
    let scratch = Scratch()
    let path: String = scratch.path
    let store = try BusyStore(scratch) { $0.durability = .temporaryImport }
    defer { store.close() }
    try store.fill(500)
    let done = Signal()
    let auditor = Worker {
      var audits = 0
      var random = SeededGenerator(seed: 5)
      while !done.isUp || audits < 10 {
        expectSound(try store.audit())
        try store.change(&random, 3, among: 700)
        audits += 1
      }
      return audits
    }
    await #expect(processExitsWith: .success) { [path = path as String] in
      let store = try BusyStore(Scratch(at: path), create: false) { $0.durability = .temporaryImport }
      var random = SeededGenerator(seed: 4)
      for _ in 0..<300 { try store.change(&random, 5, among: 700) }
      store.close()
    }
    done.set()
    #expect(try auditor.value() >= 10)
    try expectSound(store.audit())
  }

  @Test func aFileThatIsShorterThanItsLastPage() throws {
    let scratch = Scratch()
    let store = try BusyStore(scratch)
    try store.fill(300)
    var length = 0
    // Pages that were taken at the end and given up in the same transaction are never written.
    for attempt in 0..<200 where length == 0 {
      try store.environment.write { transaction in
        for number in 0..<6 {
          try transaction.put(
            store.objects, Array("large \(number)".utf8), BusyStore.value(number, count: 200_000))
        }
        for number in 0..<6 { _ = try transaction.delete(store.objects, "large \(number)") }
        try transaction.put(store.objects, "attempt", "\(attempt)")
      }
      let info = try store.environment.info
      if info.fileBytes < (Int(info.lastPage) + 1) * info.pageSize { length = info.fileBytes }
    }
    #expect(length > 0, "no such file came about")
    try expectSound(store.audit())
    store.close()
    let again = try BusyStore(scratch, create: false)
    defer { again.close() }
    try expectSound(again.audit())
    try again.fill(20, from: 5000)
    try expectSound(again.audit())
  }

  @Test func copies() throws {
    var random = SeededGenerator(seed: 11)
    let scratch = Scratch()
    let store = try BusyStore(scratch)
    try store.fill(1000)
    for _ in 0..<5 { try store.change(&random, 40, among: 1000) }
    for compact in [false, true] {
      let other = Scratch()
      mkdir(other.store, 0o700)
      let file = open(other.data, O_RDWR | O_CREAT, 0o600)
      try store.environment.copy(to: file, compact: compact)
      close(file)
      let copy = try BusyStore(other, create: false)
      defer { copy.close() }
      try expectSound(copy.audit(), "compact: \(compact)")
      try copy.fill(100, from: 4000)
      try expectSound(copy.audit(), "compact: \(compact), written to")
    }
    store.close()
  }
}
