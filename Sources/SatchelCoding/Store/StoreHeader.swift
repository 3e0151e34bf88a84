internal import SatchelBytes

/// The sixteen bytes that distinguish a store from all others: the first eight as a big-endian number, then the last
/// eight.
package struct StoreUUID: Sendable, Hashable {
  package var high: UInt64
  package var low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

/// The header of a store: its versions, sizes and user. It is written when the store is created; the versions are
/// written again when the store is raised to a later format.
package struct StoreHeader: Sendable, Hashable {
  /// The versions of everything whose change makes a file unreadable or its indexes wrong.
  package struct Versions: Sendable, Hashable {
    /// The format that the file is written in.
    package var format: UInt32
    /// The oldest format that a reader must know to read the file.
    package var minimumReader: UInt32
    /// The set of built-in indexes.
    package var indexSet: UInt16
    /// The indexes beside that set.
    package var optionalIndexes: OptionalIndexes
    /// The Unicode version behind NFC and case folding: major × 65,536 + minor × 256 + patch.
    package var unicode: UInt32

    package init(
      format: UInt32, minimumReader: UInt32, indexSet: UInt16, optionalIndexes: OptionalIndexes = [],
      unicode: UInt32
    ) {
      self.format = format
      self.minimumReader = minimumReader
      self.indexSet = indexSet
      self.optionalIndexes = optionalIndexes
      self.unicode = unicode
    }
  }

  /// Built-in indexes that a store has or has not, whatever its set.
  package struct OptionalIndexes: OptionSet, Sendable, Hashable {
    package var rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Those of the metadata of messages and of announcements.
    package static let messageMetadata = OptionalIndexes(rawValue: 1)
    /// The first format that may have any.
    package static let format: UInt32 = 11
    /// All that this program knows.
    package static let known: OptionalIndexes = [.messageMetadata]
  }

  /// The sizes with which the file was laid out, in bytes.
  package struct Limits: Sendable, Hashable {
    /// The greatest size of a node of a ranked index.
    package var node: UInt32
    /// The greatest size of a value in `bodies` that holds a full piece of a content.
    package var piece: UInt32
    /// The greatest size of a value in `bodies` that holds a piece of a content's tail.
    package var tailPiece: UInt32
    /// The greatest size of a content that is kept in its message's record.
    package var inlineContent: UInt32
    /// The greatest size of a key of a string tree; a longer key continues in the side table.
    package var textKey: UInt32

    package init(
      node: UInt32 = 4080, piece: UInt32 = UInt32(BodyLayout.pieceBytes),
      tailPiece: UInt32 = UInt32(BodyLayout.tailPieceBytes),
      inlineContent: UInt32 = UInt32(BodyLayout.maximumInlineBytes), textKey: UInt32 = 240
    ) {
      self.node = node
      self.piece = piece
      self.tailPiece = tailPiece
      self.inlineContent = inlineContent
      self.textKey = textKey
    }
  }

  /// The byte order of the numbers that LMDB itself writes: the one of the machine that made the file.
  package enum ByteOrder: UInt8, Sendable, Hashable {
    case little = 1
    case big = 2

    package static var native: ByteOrder { UInt16(1).littleEndian == 1 ? .little : .big }
  }

  package var versions: Versions
  package var byteOrder: ByteOrder
  /// The size of a machine word, in bytes: LMDB's files differ by it.
  package var wordSize: UInt8
  /// LMDB's page size, in bytes.
  package var pageSize: UInt32
  package var uuid: StoreUUID
  /// Microseconds since 1970.
  package var createdAt: Int64
  package var limits: Limits
  /// The UTF-8 bytes of the user id that the store belongs to.
  package var user: [UInt8]

  package init(
    versions: Versions, byteOrder: ByteOrder = .native, wordSize: UInt8 = UInt8(MemoryLayout<Int>.size),
    pageSize: UInt32, uuid: StoreUUID, createdAt: Int64, limits: Limits = Limits(),
    user: [UInt8]
  ) {
    self.versions = versions
    self.byteOrder = byteOrder
    self.wordSize = wordSize
    self.pageSize = pageSize
    self.uuid = uuid
    self.createdAt = createdAt
    self.limits = limits
    self.user = user
  }
}

extension StoreHeader {
  /// "Satchel" and a zero byte, as a little-endian number: distinguishes a store from other LMDB files.
  static let magic: UInt64 = 0x006C_6568_6374_6153
  static let fixedBytes = 80

  /// Returns the bytes of the record.
  package func encode() -> [UInt8] {
    var writer = RecordFrame.writer(.header, capacity: Self.fixedBytes + user.count)
    writer.u8(byteOrder.rawValue)
    writer.u8(wordSize)
    writer.u32(pageSize)
    writer.u64(Self.magic)
    writer.u32(versions.format)
    writer.u32(versions.minimumReader)
    writer.u16(versions.indexSet)
    writer.u16(versions.optionalIndexes.rawValue)
    writer.u32(versions.unicode)
    writer.be64(uuid.high)
    writer.be64(uuid.low)
    writer.u64(UInt64(bitPattern: createdAt))
    for limit in [limits.node, limits.piece, limits.tailPiece, limits.inlineContent, limits.textKey] {
      writer.u32(limit)
    }
    writer.u32(0)
    writer.append(user)
    return RecordFrame.finish(&writer, key: ObjectKey.header.bytes)
  }

  /// Reads and checks the record. Whether this program can work with its versions, byte order and sizes is for the
  /// store to decide.
  package init(_ bytes: UnsafeRawBufferPointer) throws(CodingError) {
    let key = ObjectKey.header.bytes
    let body = unsafe try RecordFrame.open(bytes, .header, key: key, minimum: Self.fixedBytes)
    let span = unsafe body.bytes
    guard let byteOrder = ByteOrder(rawValue: span.u8(2)) else {
      throw CodingError(.header, .malformed, offset: 2)
    }
    guard span.u64(8) == Self.magic else { throw CodingError(.header, .malformed, offset: 8) }
    guard span.u32(76) == 0 else { throw CodingError(.header, .malformed, offset: 76) }
    let user = unsafe UnsafeRawBufferPointer(rebasing: body[Self.fixedBytes...])
    _ = unsafe try RecordFrame.text(user, in: .header)
    self.init(
      versions: Versions(
        format: span.u32(16), minimumReader: span.u32(20), indexSet: span.u16(24),
        optionalIndexes: OptionalIndexes(rawValue: span.u16(26)), unicode: span.u32(28)),
      byteOrder: byteOrder, wordSize: span.u8(3), pageSize: span.u32(4),
      uuid: StoreUUID(high: span.be64(32), low: span.be64(40)), createdAt: Int64(bitPattern: span.u64(48)),
      limits: Limits(
        node: span.u32(56), piece: span.u32(60), tailPiece: span.u32(64), inlineContent: span.u32(68),
        textKey: span.u32(72)),
      user: unsafe [UInt8](user))
  }
}
