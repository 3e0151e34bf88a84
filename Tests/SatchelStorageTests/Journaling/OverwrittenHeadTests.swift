import Journal
import SatchelCoding
import SatchelStorage
import StoreFiles
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The head is a file like others: somebody may put an older one in its place, or a bit of it may change, while writers are at work.
/// Where the journal ends, the journal says. Nothing that was acknowledged is written over.
@Suite struct OverwrittenHeadTests {
  private let scene: JournalScene

  init() throws { scene = try JournalScene() }

  private var head: String { scene.place.path(of: .head) }

  /// Expects that somebody who reads everything finds the commits up to a number.
  private func expectEnds(at commit: UInt64, sourceLocation: SourceLocation = #_sourceLocation) throws {
    var reader = try JournalReader(
      JournalFile(scene.place.path(of: .journal), .reading), of: scene.owner,
      after: JournalPoint(sequence: scene.base.commit, chain: scene.base.chain))
    while try reader.next() != nil {}
    #expect(reader.end.point.sequence == commit, sourceLocation: sourceLocation)
  }

  /// As `cp` does it: into the same file.
  private func putBack(_ bytes: [UInt8]) throws { try JournaledStore.write(bytes[...], to: head, at: 0) }

  /// - Parameter before: How many commits of his own the writer has made in the journal, who knows what the older head says.
  @Test(arguments: [0, 1, 3]) func anOlderHeadIsPutBack(before: UInt64) throws {
    let (writer, other) = (scene.journal(isSynced: false), scene.journal(isSynced: false))
    try scene.begin(writer)
    for _ in 0..<before { try scene.append(writer) }
    let older = try JournaledStore.readFile(head)
    for _ in 0..<4 { try scene.append(other) }
    try expectEnds(at: 2 + before + 4)
    for round in UInt64(1)...2 {
      try putBack(older)
      for journal in [writer, other] { try scene.append(journal) }
      try expectEnds(at: 2 + before + 4 + 2 * round)
    }
    let reader = scene.journal(isSynced: false)
    #expect(try reader.tail(after: scene.base)?.seal.commit == 2 + before + 8)
  }

  /// Whoever has read more than the older head says goes on to what comes after it.
  @Test func aReaderFollowsBehindAnOlderHead() throws {
    let (writer, reader) = (scene.journal(isSynced: false), scene.journal(isSynced: false))
    try scene.begin(writer)
    try scene.append(writer)
    let older = try JournaledStore.readFile(head)
    for _ in 0..<6 { try scene.append(writer) }
    #expect(try reader.tail(after: scene.base)?.seal.commit == 9)
    try putBack(older)
    #expect(try reader.tail(after: scene.base)?.seal.commit == 9)
    try scene.append(writer)
    #expect(try reader.tail(after: scene.base)?.seal.commit == 10)
  }

  /// Any bit of the counter, the mark and the state that is published.
  @Test func aChangedBitLosesNothing() throws {
    let (writer, other) = (scene.journal(isSynced: false), scene.journal(isSynced: false))
    let reader = scene.journal(isSynced: false)
    try scene.begin(writer)
    try scene.append(writer)
    #expect(try reader.tail(after: scene.base) != nil)
    var commit: UInt64 = 3
    var anew = 0
    for bit in 0..<8 * (16 + 64) {
      try scene.append(other)
      let bytes = try JournaledStore.readFile(head)
      let state = bytes[64] & 1 == 0 ? 128 : 192
      let offset = bit < 128 ? 64 + bit / 8 : state + bit / 8 - 16
      try JournaledStore.write([bytes[offset] ^ 1 << UInt8(bit % 8)], to: head, at: offset)
      if try reader.tail(after: scene.base) == nil {
        // It is made anew from the journal.
        #expect(try reader.checkPublished(after: scene.base))
        #expect(try reader.tail(after: scene.base)?.seal.commit == commit + 1)
        anew += 1
      }
      try scene.append(writer)
      commit += 2
      try #require(try reader.tail(after: scene.base)?.seal.commit == commit, "bit \(bit) at \(offset)")
    }
    try expectEnds(at: commit)
    #expect(anew == 8 * 64)
  }

  /// A writer adopts what is in the journal while LMDB has a transaction that nobody has announced. He may be killed at any time, and
  /// whoever comes next must have the same doubt.
  @Test func whatIsUnannouncedIsDoubtfulAtAllTimes() throws {
    let (writer, other) = (scene.journal(), scene.journal(watched))
    try scene.begin(writer)
    try scene.append(writer)
    #expect(try other.tail(after: scene.base) != nil)
    try writer.beginDatabaseCommit()
    #expect(try other.hasUnfinishedCommit(after: scene.base))
    marks.values.withLock { $0 = [] }
    _ = try other.beginTransaction(scene.base, isUnannounced: true)
    let seen = marks.values.withLock { $0 }
    #expect(!seen.isEmpty && seen.allSatisfy { $0 != 0 })
    #expect(try other.hasUnfinishedCommit(after: scene.base))
  }

  /// What the head's mark was after each store to it.
  private final class Marks: Sendable {
    let values = Mutex<[UInt64]>([])
  }

  private let marks = Marks()

  private var watched: InterposedPlace {
    let (path, marks) = (head, marks)
    var place = InterposedPlace(place: scene.place)
    place.head = { _ in JournalHead(WatchedHead(path, marks), .writing, path: path) }
    return place
  }

  /// The words of a head in its file, without a map.
  private final class WatchedHead: HeadMemory {
    private let file: Int32
    private let marks: Marks
    let identity: FileIdentity

    init(_ path: String, _ marks: Marks) {
      file = open(path, O_RDWR)
      identity = FileIdentity(descriptor: file)!
      self.marks = marks
    }

    deinit { close(file) }

    func load(_ index: Int) -> UInt64 {
      var word: UInt64 = 0
      return pread(file, &word, 8, off_t(8 * index)) == 8 ? word : 0
    }

    func store(_ index: Int, _ value: UInt64) {
      var word = value
      #expect(pwrite(file, &word, 8, off_t(8 * index)) == 8)
      let mark = load(9)
      marks.values.withLock { $0.append(mark) }
    }

    func wake() {}
  }
}
