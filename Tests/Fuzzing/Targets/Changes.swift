import RankedIndex
import RecordStore
import SatchelBytes
import SatchelCoding
import SatchelIndexing

extension FuzzTarget {
  /// What a record of the journal says that its transaction changes, behind a seal that is right. What is accepted is written again
  /// so that it is read as the same, and joins a tail or contradicts it.
  static let commitChanges = FuzzTarget("commitChanges") { bytes in
    var seal = Seal()
    seal.commit = 5
    var writer = ByteWriter(capacity: 256 + bytes.count)
    writer.counted(seal.encode())
    writer.bytes.append(contentsOf: bytes)
    guard let changes = try? CommitChanges(writer.bytes, in: RecordArena()) else { return false }
    let written = changes.encode()
    let again = try CommitChanges(written, in: RecordArena())
    try expect(
      again.encode() == written, "changes are written otherwise the second time: \(String(hex: written))")
    seal.commit = 4
    var gathered = CommitBuffer(in: Tail(after: seal).arena)
    try expect(unsafe gathered.add(written.span.bytes) == 5, "they are of another commit")
    _ = try? Tail(after: seal).adding(gathered, chain: 1)
    return true
  }

  /// The part of the same that is about trees.
  static let forestChanges = FuzzTarget("forestChanges") { bytes in
    guard let changes = try? forest([UInt8](bytes)) else { return false }
    var writer = ByteWriter(capacity: 2 * bytes.count)
    guard let folded = try? changes.folded() else { return true }
    folded.encode(to: &writer)
    let written = writer.bytes
    let again = try forest(written).folded()
    writer = ByteWriter(capacity: written.count)
    again.encode(to: &writer)
    try expect(
      writer.bytes == written, "changes are written otherwise the second time: \(String(hex: written))")
    _ = try? PendingForest().adding(again)
    return true
  }

  private static func forest(_ bytes: [UInt8]) throws -> ForestBuffer {
    var changes = ForestBuffer()
    var reader = ByteReader()
    try changes.read(
      unsafe bytes.span.bytes, &reader, numeric: { IndexCatalog.numericTree($0) },
      text: { IndexCatalog.textTree($0) })
    try reader.end(unsafe bytes.span.bytes)
    return changes
  }

  /// A row inserted into each numeric tree, one removed and one replaced, and a text for each tree of texts.
  static func forestSeeds() -> [[UInt8]] {
    [UInt8(0), 1, 2].map { kind in
      var trees: [[UInt8]] = []
      for id in UInt16(0)..<128 {
        guard let tree = IndexCatalog.numericTree(id) else { continue }
        var writer = ByteWriter(capacity: 64)
        writer.u16(id)
        writer.varint(1)
        writer.u8(kind)
        let columns = kind == 1 ? tree.keyColumns : tree.columns
        for column in stride(from: 0, to: columns, by: 2) {
          writer.u8(column + 1 < columns ? 0x21 : 0x01)
          writer.u8(UInt8(column + 1))
          if column + 1 < columns { writer.u16(0x1234) }
        }
        trees.append(writer.bytes)
      }
      var texts: [[UInt8]] = []
      for id in UInt16(0)..<128 where IndexCatalog.textTree(id) != nil {
        var writer = ByteWriter(capacity: 64)
        writer.u16(id)
        writer.varint(1)
        writer.u8(kind & 1)
        writer.u64(3)
        writer.u64(4)
        writer.counted(Array("text".utf8))
        texts.append(writer.bytes)
      }
      // As many as an input has room for, that of records of applications among them.
      let some = trees.prefix(23) + trees.suffix(1)
      var writer = ByteWriter(capacity: 1024)
      writer.varint(UInt64(some.count))
      for tree in some { writer.bytes += tree }
      writer.varint(UInt64(texts.count))
      for text in texts { writer.bytes += text }
      return writer.bytes
    }
  }

  /// The same with records: some put and some removed in each database.
  static func commitSeeds() -> [[UInt8]] {
    let message = MessageKey(conversation: 7, sequence: 1042)
    let keys = [
      ([message.bytes], [MessageKey(conversation: 7, sequence: 1043).bytes]),
      (
        [BodyKey(message: message, part: 0, piece: 0).bytes],
        [BodyKey(message: message, part: 1, piece: 0).bytes]
      ),
      (
        [
          ObjectKey.conversation(row: 7).bytes, ObjectKey.recordType(id: 2).bytes,
          TypedRecordKey(type: 2, sequence: 1042).bytes,
        ],
        [ObjectKey.identity(row: 3).bytes, TypedRecordKey(type: 2, sequence: 1043).bytes]
      ),
    ]
    var writer = ByteWriter(capacity: 256)
    for (put, removed) in keys {
      writer.varint(UInt64(put.count + removed.count))
      for key in put {
        writer.u8(0)
        writer.counted(key.withUnsafeBytes { Array($0) })
        writer.counted(Array("value".utf8))
      }
      for key in removed {
        writer.u8(1)
        writer.counted(key.withUnsafeBytes { Array($0) })
      }
    }
    return forestSeeds().flatMap { [[0, 0, 0] + $0, writer.bytes + $0] }
  }
}
