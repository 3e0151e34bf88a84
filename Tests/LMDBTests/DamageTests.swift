import LMDB
import LMDBPages
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

/// Files that would kill a process that lets LMDB map them as they are.
@Suite struct DamageTests {
  /// A store of some 60 pages, and what it holds.
  private func soundStore(_ scratch: Scratch) throws -> [UInt8] {
    let (environment, table) = try makeStore(scratch)
    for round in 0..<5 {
      try environment.write { transaction in
        for index in 0..<40 {
          try transaction.put(
            table, Array("\(round)/\(index)".utf8), [UInt8](repeating: UInt8(index), count: 900 + index))
        }
      }
    }
    environment.close()
    return contents(of: scratch.data)
  }

  /// Opens the damaged store; when that goes well, reads all that its first commits have put. Nil is success.
  private func outcome(_ scratch: Scratch, rounds: Int = 5) -> LMDBError? {
    do {
      let environment = try Environment.open(directory: scratch.store, options: .init(databases: ["t"]))
      defer { environment.close() }
      let table = try environment.database("t")
      try environment.read { transaction in
        for round in 0..<5 {
          for index in 0..<40 {
            let value = try Array("\(round)/\(index)".utf8).withUnsafeBytes { try transaction.get(table, $0) }
            let isWhole = value.map { $0.count == 900 + index && $0.allSatisfy { $0 == index } }
            #expect(isWhole == (round < rounds ? true : nil))
          }
        }
      }
      return nil
    } catch {
      return error as? LMDBError
    }
  }

  @Test func everyTruncationIsRefused() throws {
    let scratch = Scratch()
    let sound = try soundStore(scratch)
    #expect(outcome(scratch) == nil)
    let lengths =
      Array(stride(from: 0, to: sound.count, by: 4096)) + Array(stride(from: 1, to: sound.count, by: 1531))
    for length in lengths {
      write(Array(sound.prefix(length)), to: scratch.data)
      #expect(outcome(scratch)?.code == .invalid, "cut at \(length) of \(sound.count)")
    }
    write(sound, to: scratch.data)
    #expect(outcome(scratch) == nil)
  }

  @Test func aZeroedFileIsRefused() throws {
    let scratch = Scratch()
    let sound = try soundStore(scratch)
    write([UInt8](repeating: 0, count: sound.count), to: scratch.data)
    #expect(outcome(scratch)?.code == .invalid)
  }

  @Test func eachFieldThatLMDBBelievesIsChecked() throws {
    let scratch = Scratch()
    let sound = try soundStore(scratch)
    /// Offset in a meta page, replacement, expected code.
    let cases: [(String, Int, [UInt8], LMDBError.Code)] = [
      ("page flag", 10, [0, 0], .invalid),
      ("signature", 16, [1, 2, 3, 4], .invalid),
      ("byte order", 16, [0xbe, 0xef, 0xc0, 0xde], .invalid),
      ("version", 20, [2, 0, 0, 0], .versionMismatch),
      ("map size", 32, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], .invalid),
      ("page size 0", 40, [0, 0, 0, 0], .invalid),
      ("page size 4097", 40, [1, 16, 0, 0], .invalid),
      ("page size 64 KiB", 40, [0, 0, 1, 0], .invalid),
      ("page size 8192", 40, [0, 32, 0, 0], .invalid),
      ("fixed map", 44, [9, 0], .invalid),
      ("depth of the free list", 46, [200, 0], .invalid),
      ("root of the free list", 80, [0xff, 0xff, 0xff, 0], .invalid),
      ("flags of the main table", 92, [4, 0], .invalid),
      ("root of the main table", 128, [0, 0, 0, 0, 0, 0, 0, 0], .invalid),
      ("last page", 136, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], .invalid),
      ("last page beyond the end", 136, [0, 0, 1, 0, 0, 0, 0, 0], .invalid),
      ("transaction", 144, [0xff, 0, 0, 0, 0, 0, 0, 0], .invalid),
    ]
    for (name, offset, bytes, expected) in cases {
      var damaged = sound
      for page in [0, 4096] {
        damaged.replaceSubrange(page + offset..<page + offset + bytes.count, with: bytes)
      }
      write(damaged, to: scratch.data)
      #expect(outcome(scratch)?.code == expected, "\(name)")
    }
  }

  @Test func randomBytesInTheMetaPagesNeverKill() throws {
    let scratch = Scratch()
    let sound = try soundStore(scratch)
    var random = SeededGenerator(for: "randomBytesInTheMetaPagesNeverKill")
    var refused = 0
    for _ in 0..<TestEnvironment.rounds(300) {
      var damaged = sound
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let page = Int.random(in: 0...1, using: &random) * 4096
        damaged[page + Int.random(in: 0..<152, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      write(damaged, to: scratch.data)
      // What passes the check has to be a store in which everything can be found, by its other meta page or unharmed.
      if Self.harmsARoot(damaged, sound) || Self.hidesTheLastCommit(damaged, sound) { continue }
      if outcome(scratch) != nil { refused += 1 }
    }
    #expect(refused > 0)
  }

  /// A root moved to another page of the file is damage of a tree, which this check leaves to checksums above.
  private static func harmsARoot(_ damaged: [UInt8], _ sound: [UInt8]) -> Bool {
    [0, 4096].contains { page in
      [46..<48, 80..<88, 92..<96, 128..<136].contains { range in
        (range.lowerBound + page..<range.upperBound + page).contains { damaged[$0] != sound[$0] }
      }
    }
  }

  /// LMDB numbers the meta page of a failed commit two lower, as it was before, so a newest page with that number is
  /// sound to it and to this check: the store is then as it was one commit before, and nothing in the file tells more. The
  /// same holds for an older page with the number of a later commit.
  @Test func aMetaPageWithAnotherCommitsNumberMayBeTheLast() throws {
    let scratch = Scratch()
    let sound = try soundStore(scratch)
    let newest = Self.newestMetaPage(sound)
    for (page, step) in [(newest, 0 &- 2), (4096 - newest, 2)] as [(Int, UInt8)] {
      var damaged = sound
      damaged[page + 144] &+= step
      #expect(Self.hidesTheLastCommit(damaged, sound) && !Self.hidesTheLastCommit(sound, sound))
      write(damaged, to: scratch.data)
      #expect(outcome(scratch, rounds: 4) == nil)
    }
  }

  /// Whether only the number of a meta page is changed, to one with which the commit before the last is the last: the newest
  /// one's two lower, or the older one's two higher.
  private static func hidesTheLastCommit(_ damaged: [UInt8], _ sound: [UInt8]) -> Bool {
    let newest = newestMetaPage(sound)
    func isMoved(_ page: Int, by step: UInt8) -> Bool {
      let number = page + 144..<page + 152
      return damaged[number].first == sound[number].first! &+ step
        && damaged[number].dropFirst().elementsEqual(sound[number].dropFirst())
    }
    return isMoved(newest, by: 0 &- 2) || isMoved(4096 - newest, by: 2)
  }

  /// The offset of the newest commit's meta page. A test makes fewer than 256 commits.
  private static func newestMetaPage(_ sound: [UInt8]) -> Int {
    sound[144] > sound[4096 + 144] ? 0 : 4096
  }

  @Test func metaPagesOfRandomBytesAreRefused() {
    var random = SeededGenerator(for: "metaPagesOfRandomBytesAreRefused")
    for _ in 0..<TestEnvironment.rounds(2000) {
      var bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      // Past the signature, so that the rest is reached.
      if bytes.count >= 24 {
        bytes.replaceSubrange(10..<12, with: [8, 0])
        bytes.replaceSubrange(16..<24, with: [0xde, 0xc0, 0xef, 0xbe, 1, 0, 0, 0])
      }
      #expect(throws: MetaPage.Flaw.self) { try MetaPage(bytes.span.bytes).checkTrees() }
    }
  }
}
