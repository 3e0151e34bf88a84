package import SatchelBytes

// FORMAT.md, 5.4: one byte says what the value is, and how it was given.
extension MetadataScalar {
  package enum Kind {
    static let `false`: UInt8 = 1
    static let `true`: UInt8 = 2
    static let integer: UInt8 = 3
    static let number: UInt8 = 4
    static let date: UInt8 = 5
    /// A list, which is no scalar: its texts follow, each behind its length in varint form, up to the end of the value.
    package static let list = MetadataBytes.listMark
    /// A reference, which is no scalar: the bytes of `Reference.keyBytes` follow, up to the end of the value.
    package static let reference = MetadataBytes.referenceMark
  }

  package func write(to writer: inout ByteWriter) {
    switch self {
    case .boolean(let value): writer.u8(value ? Kind.true : Kind.false)
    case .integer(let value):
      writer.u8(Kind.integer)
      // Small numbers of either sign stay short: the sign moves to the lowest bit.
      writer.varint(UInt64(bitPattern: value << 1 ^ value >> 63))
    case .number(let bits):
      writer.u8(Kind.number)
      writer.u64(bits)
    case .date(let microseconds):
      writer.u8(Kind.date)
      writer.u64(UInt64(bitPattern: microseconds))
    }
  }

  package init(_ reader: inout ByteReader, _ span: RawSpan) throws(ByteError) {
    let start = reader.offset
    switch try reader.u8(span) {
    case Kind.false: self = .boolean(false)
    case Kind.true: self = .boolean(true)
    case Kind.integer:
      let value = try reader.varint(span)
      self = .integer(Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1))
    case Kind.number:
      let bits = try reader.u64(span)
      guard Double(bitPattern: bits).isFinite else { throw ByteError(offset: start) }
      self = .number(bits: bits)
    case Kind.date: self = .date(Int64(bitPattern: try reader.u64(span)))
    default: throw ByteError(offset: start)
    }
  }

  /// Reads a value of metadata that begins with the mark that it is a scalar, and takes the whole range.
  package init(_ span: RawSpan, in range: Range<Int>) throws(ByteError) {
    var reader = ByteReader(offset: range.lowerBound + 1)
    let scalar = try MetadataScalar(&reader, span)
    guard reader.offset == range.upperBound else { throw ByteError(offset: range.lowerBound) }
    self = scalar
  }
}
