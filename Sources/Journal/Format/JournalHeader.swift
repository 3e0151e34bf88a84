internal import SatchelBytes

/// The first sector of a journal: whose it is, its version, and how long its segments are. It never changes.
package struct JournalHeader: Sendable, Hashable {
  package let owner: JournalOwner
  /// Bytes of each segment.
  package let segmentSize: Int
  package let version: JournalVersion
  /// The store's point when the file was begun: a store that says that it uses this journal is not before it. Nil where it is not
  /// said, as in the first version.
  package let begun: JournalPoint?

  package init(
    owner: JournalOwner, segmentSize: Int, version: JournalVersion = .current, begun: JournalPoint? = nil
  ) {
    self.owner = owner
    self.segmentSize = segmentSize
    self.version = version
    self.begun = version == .first ? nil : begun
  }

  /// "SatchelJ" as the bytes of a little-endian number.
  static let magic: UInt64 = 0x4A6C_6568_6374_6153

  /// Returns the header block.
  package func encoded() -> [UInt8] {
    var writer = ByteWriter(capacity: JournalFormat.headerBlock)
    writer.u64(Self.magic)
    writer.u32(version.rawValue)
    writer.u32(UInt32(segmentSize))
    writer.be64(owner.high)
    writer.be64(owner.low)
    writer.u64(begun.map { $0.sequence &+ 1 } ?? 0)
    writer.u64(begun?.chain ?? 0)
    JournalFormat.seal(&writer, owner: owner)
    writer.bytes.append(contentsOf: repeatElement(0, count: JournalFormat.headerBlock - writer.count))
    return writer.bytes
  }

  /// Whether a segment may have this size.
  static func isSize(_ size: Int) -> Bool {
    JournalFormat.segmentSizes.contains(size) && size.isMultiple(of: JournalFormat.sector)
  }
}

/// What the first sector of a file is.
package enum JournalHeaderReading: Sendable, Hashable {
  case header(JournalHeader)
  /// The journal was being made, and nothing was ever acknowledged in it.
  case unfinished
  /// A journal of a version that this program does not know.
  case version(UInt32)
  /// Something else, and why.
  case invalid(String)
}

extension JournalHeaderReading {
  /// Reads the first bytes of a file.
  /// - Parameters:
  ///   - bytes: At most one sector.
  ///   - fileSize: Bytes of the whole file. A header is synced before the file grows beyond its block: a file that ends
  ///     there and has no whole header has no records either.
  package init(_ bytes: RawSpan, fileSize: Int) {
    let isShort = fileSize <= JournalFormat.headerBlock
    guard bytes.byteCount == JournalFormat.sector else {
      self = isShort && Self.mayBegin(bytes) ? .unfinished : .invalid("it has \(bytes.byteCount) bytes")
      return
    }
    let owner = JournalOwner(high: bytes.be64(16), low: bytes.be64(24))
    guard bytes.u64(0) == JournalHeader.magic, JournalFormat.isSealed(bytes, owner: owner) else {
      self =
        isShort && Self.mayBegin(bytes)
        ? .unfinished : .invalid("its first sector is not the header of a journal")
      return
    }
    guard let version = JournalVersion(rawValue: bytes.u32(8)) else {
      self = .version(bytes.u32(8))
      return
    }
    let size = Int(bytes.u32(12))
    let (next, chain) = (bytes.u64(32), bytes.u64(40))
    guard JournalHeader.isSize(size), JournalFormat.isReserved(bytes, from: version == .first ? 32 : 48),
      next > 0 || chain == 0, next < JournalFormat.numberBound
    else {
      self = .invalid("its header names segments of \(size) bytes, or uses reserved bytes")
      return
    }
    let begun = next > 0 ? JournalPoint(sequence: next - 1, chain: chain) : nil
    self = .header(JournalHeader(owner: owner, segmentSize: size, version: version, begun: begun))
  }

  /// Whether a write of a header that did not end may have left these bytes.
  private static func mayBegin(_ bytes: RawSpan) -> Bool {
    let count = min(8, bytes.byteCount)
    let begin = bytes.uint(0, width: count)
    if begin == JournalHeader.magic & (count == 8 ? .max : (1 << UInt64(8 * count)) - 1) { return true }
    return (0..<bytes.byteCount).allSatisfy { bytes.u8($0) == 0 }
  }
}
