import LMDB
import RankedIndex
import RankedKeys
import RecordStore
import SatchelCare
import SatchelCoding
import SatchelIndexing
import SatchelModel
import SatchelReading
import SatchelStorage
import StoreModel
import Synchronization
import TestSupport
import Testing

/// Changes that are well-formed and contradict the file, or each other, are refused or read as something, and never a
/// trap.
@Suite struct TailContradictionTests {
  /// A file, and the bytes of what two more transactions of the store have changed.
  private struct Scene {
    let directory: TemporaryDirectory
    let path: String
    let changes: [[UInt8]]

    init(seed: UInt64) throws {
      directory = try TemporaryDirectory()
      path = directory.path + "/copy"
      let written = Mutex<[[UInt8]]>([])
      let collected = Collected()
      var options = Store.Options()
      options.durability = .temporaryImport
      options.writerEnvironment.onChanges = { collected.put($0) }
      let store = try Store.open(directory: directory.path + "/store", user: "me", options: options)
      defer { store.close() }
      let operations = Mutex(RandomOperations(seed: seed))
      for round in 0..<3 {
        if round == 1 { _ = try store.backup(to: path) }
        try store.write { writer in
          try operations.withLock { operations in for _ in 0..<50 { try operations.step(writer) } }
        }
        let bytes = try #require(collected.take())
        if round > 0 { written.withLock { $0.append(bytes) } }
      }
      changes = written.withLock { $0 }
    }

    /// Runs a test on a copy of the file.
    func onCopy(_ body: (Store) throws -> Void) throws {
      let path = directory.path + "/other"
      try TemporaryDirectory.copyStore(self.path, to: path)
      let store = try openStore(path, user: nil)
      defer {
        store.close()
        TemporaryDirectory.remove(path)
      }
      try body(store)
    }
  }

  private final class Collected: Sendable {
    private let bytes = Mutex<[UInt8]?>(nil)
    func put(_ changes: [UInt8]?) { bytes.withLock { $0 = changes } }
    func take() -> [UInt8]? { bytes.withLock { $0 } }
  }

  private static func damage(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var damaged = bytes
    for _ in 0...random.below(3) {
      let at = random.below(damaged.count)
      switch random.below(3) {
      case 0: damaged[at] = UInt8(truncatingIfNeeded: random.next())
      case 1: damaged[at] ^= 1 << UInt8(random.below(8))
      default: damaged[at] = random.pick([0, 1, 2, 3, 0xFF, 0x7F, 0x80])
      }
    }
    return damaged
  }

  @Test func damagedChangesAreReadWithoutATrap() throws {
    var random = SeededGenerator()
    let scene = try Scene(seed: random.next())
    let store = try openStore(scene.path, user: nil)
    defer { store.close() }
    var read = 0
    for _ in 0..<TestEnvironment.count("SATCHEL_ROUNDS", usual: 200) {
      try store.environment.read { transaction in
        var tail = try store.emptyTail(transaction)
        for bytes in scene.changes {
          guard let changes = try? CommitChanges(Self.damage(bytes, &random), in: tail.arena),
            let added = try? tail.adding(changes)
          else { return }
          tail = added
        }
        Self.readAll(try store.snapshot(transaction, tail: tail))
        read += 1
      }
    }
    #expect(read > 0)
  }

  @Test func damagedChangesAreWrittenOrRefused() throws {
    var random = SeededGenerator()
    let scene = try Scene(seed: random.next())
    var tried = 0
    for _ in 0..<TestEnvironment.count("SATCHEL_ROUNDS", usual: 40) {
      try scene.onCopy { store in
        let tail = try store.environment.read { try store.emptyTail($0) }
        guard let changes = try? CommitChanges(Self.damage(scene.changes[0], &random), in: tail.arena),
          let added = try? tail.adding(changes)
        else { return }
        tried += 1
        let isWritten = (try? store.checkpoint(added)) != nil
        try store.read { snapshot in
          #expect(snapshot.seal.commit == (isWritten ? added.seal.commit : tail.seal.commit))
          Self.readAll(snapshot)
          _ = try? Verifier.verify(snapshot)
        }
        if !isWritten { try expectSound(store) }
      }
    }
    #expect(tried > 0)
  }

  /// The rows are those of another file at the same commit: they insert what is there, and remove what is not.
  @Test func changesOfAnotherStoreAreReadWithoutATrapAndNotWritten() throws {
    var random = SeededGenerator()
    for _ in 0..<TestEnvironment.count("SATCHEL_ROUNDS", usual: 4) {
      let scene = try Scene(seed: random.next())
      let other = try Scene(seed: random.next())
      try scene.onCopy { store in
        let tail = try store.environment.read { transaction in
          var tail = try store.emptyTail(transaction)
          for bytes in other.changes {
            tail = try tail.adding(CommitChanges(bytes, in: tail.arena))
            Self.readAll(try store.snapshot(transaction, tail: tail))
          }
          return tail
        }
        #expect(throws: (any Error).self) { try store.checkpoint(tail) }
        try expectSound(store)
      }
    }
  }

  /// A store's header and seal are no records that a commit puts or removes; nor is what has a key of no record.
  @Test func keysOfNoRecordAreRefused() throws {
    let scene = try Scene(seed: 7)
    try scene.onCopy { store in
      let seal = try store.read { $0.seal }
      func bytes(_ database: RecordDatabase, _ key: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        func counted(_ more: [UInt8]) {
          var count = more.count
          while count >= 0x80 {
            bytes.append(UInt8(count & 0x7F) | 0x80)
            count >>= 7
          }
          bytes.append(UInt8(count))
          bytes += more
        }
        var own = seal
        own.trees = []
        own.commit += 1
        counted(own.encode())
        for other in RecordDatabase.allCases {
          guard other == database else {
            bytes.append(0)
            continue
          }
          // One change, a removal.
          bytes += [1, 1]
          counted(key)
        }
        return bytes + [0, 0]
      }
      let message = MessageKey(conversation: 1, sequence: 2)
      let good: [(RecordDatabase, KeyBytes)] = [
        (.messages, message.bytes), (.bodies, BodyKey(message: message, part: 0, piece: 0).bytes),
        (.objects, ObjectKey.conversation(row: 1).bytes),
        (.objects, TypedRecordKey(type: 1, sequence: 2).bytes), (.objects, ObjectKey.recordType(id: 1).bytes),
      ]
      for (database, key) in good {
        _ = try CommitChanges(bytes(database, key.array), in: RecordArena())
        for wrong in RecordDatabase.allCases where wrong != database {
          #expect(throws: (any Error).self) {
            try CommitChanges(bytes(wrong, key.array), in: RecordArena())
          }
        }
        #expect(throws: (any Error).self) {
          try CommitChanges(bytes(database, key.array.dropLast()), in: RecordArena())
        }
      }
      for key in [ObjectKey.header, .seal] {
        #expect(throws: (any Error).self) {
          try CommitChanges(bytes(.objects, key.bytes.array), in: RecordArena())
        }
      }
    }
  }

  private static func readAll(_ snapshot: Snapshot) {
    for index in IndexCatalog.numeric {
      try? {
        var rows: [Words] = []
        var cursor = try snapshot.forest.cursor(index.tree)
        _ = try cursor.read(into: &rows, limit: .max)
        try cursor.seek(toRank: 5)
        try cursor.skip(-3)
        _ = try cursor.previous()
        try cursor.skip(.max)
        _ = try cursor.readBack(into: &rows, limit: .max)
      }()
      _ = try? snapshot.forest.select(index.tree, 3)
      _ = try? snapshot.forest.count(index.tree)
    }
    for index in IndexCatalog.text {
      try? {
        var cursor = try snapshot.forest.cursor(index.tree)
        while try cursor.next() != nil { _ = try cursor.key() }
        while try cursor.previous() != nil { _ = try cursor.key() }
        try cursor.seek(toRank: 5)
        try cursor.skip(-3)
        _ = try cursor.previous()
      }()
      _ = try? snapshot.forest.select(index.tree, 3)
      _ = try? snapshot.forest.count(index.tree)
    }
    try? snapshot.scanMessages { key, _ in
      _ = try? snapshot.message(key).map { try $0.fields() }
      return true
    }
    try? snapshot.scanBodies { _, _ in true }
    try? snapshot.scanObjects { key, _ in
      switch key {
      case .conversation(let row): _ = try? snapshot.findConversation(row)?.fields()
      case .identity(let row): _ = try? snapshot.findIdentity(row)?.fields()
      case .record(let key): _ = try? snapshot.findRecord(key).map { try snapshot.makeRecord($0) }
      default: break
      }
      return true
    }
    for type in (try? snapshot.recordTypes()) ?? [] {
      _ = try? snapshot.recordCount(ofType: type.id)
      _ = try? snapshot.records(ofType: type.id, after: nil, limit: .max)
    }
    if snapshot.scansVisibleMessages { try? snapshot.forEachVisibleMessage { _ in true } }
  }
}
