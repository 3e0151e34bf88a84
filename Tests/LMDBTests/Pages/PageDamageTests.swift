import LMDB
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

/// Pages that are damaged under an open store: reads throw or give what is stored, and nothing ends the process. Behind the
/// file's end its map cannot be read.
@Suite struct PageDamageTests {
  private struct Tally {
    var thrown = 0
    var missing = 0
    var told = 0
    var right = 0
    /// Values that are wrong though their checksum is right.
    var silent = 0
  }

  /// Rows that are written once, so that no page of the file has an older value of theirs; keys long enough for three levels.
  private struct Fixture {
    let environment: Environment
    let table: Database
    let values: [[UInt8]: [UInt8]]
    let file: Int32
    let sound: [UInt8]

    init(_ scratch: Scratch, _ random: inout SeededGenerator) throws {
      let (environment, table) = try makeStore(scratch) { $0.durability = .temporaryImport }
      var values: [[UInt8]: [UInt8]] = [:]
      for commit in 0..<4 {
        try environment.write { transaction in
          for index in 0..<350 {
            var key = [UInt8]("\(UInt64.random(in: 0 ... .max, using: &random))/\(commit)".utf8)
            if index % 3 != 0 { key += [UInt8](repeating: UInt8(index & 255), count: 200) }
            let length = index % 25 == 0 ? Int.random(in: 3000...9000, using: &random) : index % 60
            let value = PageDamageTests.value(of: key, length: length)
            values[key] = value
            try transaction.put(table, key, value)
          }
        }
      }
      self.environment = environment
      self.table = table
      self.values = values
      file = open(scratch.data, O_RDWR)
      sound = contents(of: scratch.data)
    }

    func write(_ bytes: ArraySlice<UInt8>, at offset: Int) {
      let count = Array(bytes).withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, off_t(offset)) }
      precondition(count == bytes.count)
    }
  }

  /// Eight bytes that only this key with these bytes has, and the bytes.
  private static func value(of key: [UInt8], length: Int) -> [UInt8] {
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ Int(key[0])) }
    return withUnsafeBytes(of: checksum(key, bytes[...])) { Array($0) } + bytes
  }

  private static func checksum(_ key: [UInt8], _ bytes: ArraySlice<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    key.withUnsafeBytes { for byte in $0 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 } }
    bytes.withUnsafeBytes { for byte in $0 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 } }
    return hash
  }

  private static let pageSize = 4096

  /// Damages one page, or swaps two; returns what to put back.
  private func damage(_ kind: Int, _ page: Int, _ fixture: Fixture, _ random: inout SeededGenerator) -> [Int]
  {
    let size = Self.pageSize
    let start = page * size
    var bytes = Array(fixture.sound[start..<start + size])
    let other = Int.random(in: 2..<fixture.sound.count / size, using: &random)
    let content = fixture.sound[other * size..<(other + 1) * size]
    switch kind {
    case 0: bytes = [UInt8](repeating: 0, count: size)
    case 1: bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
    case 2: bytes[Int.random(in: 0..<16, using: &random)] = UInt8.random(in: 0...255, using: &random)
    case 3:
      fixture.write(bytes[...], at: other * size)
      fixture.write(content, at: start)
      return [page, other]
    case 4:
      for slot in 8..<8 + Int.random(in: 1...8, using: &random) {
        bytes[2 * slot] = UInt8.random(in: 0...255, using: &random)
        bytes[2 * slot + 1] = UInt8.random(in: 0...17, using: &random)
      }
    case 5:
      for _ in 0..<Int.random(in: 1...16, using: &random) {
        bytes[Int.random(in: 0..<size, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
    default:
      // Another page's content under the right number.
      bytes.replaceSubrange(8..., with: content.dropFirst(8))
    }
    fixture.write(bytes[...], at: start)
    return [page]
  }

  private func judge(_ fixture: Fixture, _ key: [UInt8], _ value: [UInt8]?, _ tally: inout Tally) {
    guard let value else { return tally.missing += 1 }
    guard fixture.values[key] != value else { return tally.right += 1 }
    guard value.count >= 8,
      Self.checksum(key, value[8...]) == value.withUnsafeBytes({ $0.loadUnaligned(as: UInt64.self) })
    else { return tally.told += 1 }
    tally.silent += 1
  }

  private func read(
    _ fixture: Fixture, _ keys: [[UInt8]], wholeScan: Bool, _ random: inout SeededGenerator,
    _ tally: inout Tally
  ) throws {
    try fixture.environment.read { transaction in
      #expect(transaction.isExact)
      for _ in 0..<40 {
        let key = keys[Int.random(in: 0..<keys.count, using: &random)]
        do {
          let value = try key.withUnsafeBytes { try transaction.get(fixture.table, $0).map { [UInt8]($0) } }
          judge(fixture, key, value, &tally)
        } catch let error as LMDBError {
          #expect(error.code == .corrupted && error.detail.hasPrefix("page "))
          tally.thrown += 1
        }
      }
      for round in 0..<(wholeScan ? 2 : 6) {
        do {
          var cursor = try transaction.cursor(fixture.table)
          var steps = 0
          if !wholeScan {
            let key = keys[Int.random(in: 0..<keys.count, using: &random)]
            _ = try key.withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
          }
          while wholeScan || steps < 20 {
            guard let entry = try round & 1 == 0 ? cursor.next() : cursor.previous() else { break }
            let key = [UInt8](entry.key)
            judge(fixture, key, [UInt8](entry.value), &tally)
            steps += 1
            // As many as fit into the file: more would be a walk in circles.
            guard steps <= fixture.sound.count / 10 else {
              Issue.record("a scan does not end")
              return
            }
          }
        } catch let error as LMDBError {
          #expect(error.code == .corrupted && error.detail.hasPrefix("page "))
          tally.thrown += 1
        }
      }
    }
  }

  @Test func damagedPagesNeitherKillNorLie() throws {
    var random = SeededGenerator(for: "damagedPagesNeitherKillNorLie")
    let scratch = Scratch()
    let fixture = try Fixture(scratch, &random)
    defer {
      close(fixture.file)
      fixture.environment.close()
    }
    let pages = fixture.sound.count / Self.pageSize
    let keys = fixture.values.keys.sorted { $0.lexicographicallyPrecedes($1) }
    try #expect(fixture.environment.read { try $0.statistics(of: fixture.table).depth } >= 3)
    var harmless = Tally()
    try read(fixture, keys, wholeScan: true, &random, &harmless)
    #expect(harmless.right == 40 + 2 * keys.count && harmless.thrown + harmless.missing + harmless.told == 0)
    // Branches lead to the rest: they are damaged as often as the many leaves.
    let branches = (2..<pages).filter { fixture.sound[$0 * Self.pageSize + 10] == 1 }
    #expect(!branches.isEmpty)
    var tally = Tally()
    var affected = 0
    for round in 0..<TestEnvironment.rounds(2100) {
      let page =
        round % 2 == 0
        ? Int.random(in: 2..<pages, using: &random)
        : branches[Int.random(in: 0..<branches.count, using: &random)]
      let before = tally
      let changed = damage(round % 7, page, fixture, &random)
      try read(fixture, keys, wholeScan: round % 20 == 0, &random, &tally)
      for page in changed {
        let start = page * Self.pageSize
        fixture.write(fixture.sound[start..<start + Self.pageSize], at: start)
      }
      if tally.thrown > before.thrown { affected += 1 }
    }
    print(
      "damagedPagesNeitherKillNorLie: \(affected) of \(TestEnvironment.rounds(2100)) damages met, \(tally.thrown) thrown, "
        + "\(tally.right) right, \(tally.missing) missing, \(tally.told) told by a checksum, \(tally.silent) silent"
    )
    #expect(tally.silent == 0)
    #expect(affected > 250)
    // The environment is as good as before.
    var after = Tally()
    try read(fixture, keys, wholeScan: true, &random, &after)
    #expect(after.right == harmless.right && after.thrown == 0)
  }

  @Test func aDamagedMainTableIsAnErrorAtOpening() throws {
    var random = SeededGenerator(for: "aDamagedMainTableIsAnErrorAtOpening")
    let scratch = Scratch()
    let (environment, table) = try makeStore(scratch)
    try environment.write { try $0.put(table, "a", "b") }
    environment.close()
    let sound = contents(of: scratch.data)
    let meta = Self.number(sound, 144) > Self.number(sound, Self.pageSize + 144) ? 0 : Self.pageSize
    let root = Int(Self.number(sound, meta + 128)) * Self.pageSize
    var refused = 0
    for round in 0..<TestEnvironment.rounds(400) {
      var damaged = sound
      switch round % 4 {
      case 0:
        damaged.replaceSubrange(root..<root + Self.pageSize, with: repeatElement(0, count: Self.pageSize))
      case 1:
        for offset in root..<root + Self.pageSize {
          damaged[offset] = UInt8.random(in: 0...255, using: &random)
        }
      case 2:
        damaged[root + Int.random(in: 0..<20, using: &random)] = UInt8.random(in: 0...255, using: &random)
      default:
        // The nodes are at the end.
        damaged[root + Self.pageSize - Int.random(in: 1...60, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      write(damaged, to: scratch.data)
      guard let error = Environment.refusal(of: scratch.store) else { continue }
      refused += 1
      #expect(error.code == .corrupted || error.code == .noSuchDatabase, "\(error)")
    }
    #expect(refused > 200)
  }

  private static func number(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
  }
}
