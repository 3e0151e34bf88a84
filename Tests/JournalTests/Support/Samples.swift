import Journal
import StoreFiles
import TestSupport

let sampleOwner = JournalOwner(high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF)

let sampleSubject = HeadSubject(
  owner: sampleOwner, journal: FileIdentity(device: 7, inode: 8), boot: BootIdentity(high: 1, low: 2))
let sampleHeader = JournalHeader(owner: sampleOwner, segmentSize: 4096)

/// Opens a journal's file in memory.
func openJournal(_ disk: MemoryDisk) -> JournalFile { JournalFile(disk) }

extension JournalReader {
  /// Reads all that is left.
  mutating func all() throws(JournalError) -> [JournalRecord] {
    var records: [JournalRecord] = []
    while let record = try next() { records.append(record) }
    return records
  }
}

extension JournalRecord {
  /// The members with their sequences.
  var members: [Member] {
    var found: [Member] = []
    forEachMember { sequence, bytes in
      found.append(Member(sequence: sequence, bytes: bytes.withUnsafeBytes { [UInt8]($0) }))
    }
    return found
  }
}

/// A commit, as a model keeps it.
struct Member: Equatable {
  var sequence: UInt64
  var bytes: [UInt8]
}

extension JournalWriter {
  /// Appends members as one record.
  @discardableResult
  func append(_ members: [[UInt8]]) throws(JournalError) -> JournalPoint {
    var draft = JournalDraft()
    for member in members { draft.add(member) }
    return try append(&draft)
  }
}

/// Reads a journal to its end and goes on with it.
func reopened(
  _ disk: MemoryDisk, after point: JournalPoint, limits: JournalLimits = smallSegments, nonce: UInt32 = 1
) throws(JournalError) -> (members: [Member], writer: JournalWriter) {
  var reader = try JournalReader(openJournal(disk), of: sampleOwner, after: point)
  let records = try reader.all()
  let writer = try JournalWriter(reader, released: point.sequence, limits: limits, nonce: nonce)
  return (records.flatMap(\.members), writer)
}

let smallSegments = JournalLimits(segmentSize: 4096, softSegments: 4, hardSegments: 16)

func randomBytes(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
  (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
}
