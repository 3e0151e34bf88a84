internal import SatchelBytes
internal import SatchelModel

extension LoggedValue {
  func write(to writer: inout ByteWriter) {
    switch self {
    case .missing: writer.u8(0)
    case .word(let word):
      writer.u8(1)
      // Small numbers of either sign stay short: the sign moves to the lowest bit.
      writer.varint(UInt64(bitPattern: word << 1 ^ word >> 63))
    case .text(let bytes):
      writer.u8(2)
      writer.counted(bytes)
    case .long: writer.u8(3)
    case .scalar(let scalar):
      writer.u8(4)
      scalar.write(to: &writer)
    case .list(let texts):
      writer.u8(5)
      writer.varint(UInt64(texts.count))
      for text in texts { writer.counted(text) }
    case .reference(let bytes):
      writer.u8(6)
      writer.counted(bytes)
    }
  }

  init(
    _ reader: inout ByteReader, _ span: RawSpan, longest: Int
  ) throws(ByteError) {
    let start = reader.offset
    switch try reader.u8(span) {
    case 0: self = .missing
    case 1:
      let value = try reader.varint(span)
      self = .word(Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1))
    case 2:
      let range = try reader.counted(span)
      guard range.count <= longest else { throw ByteError(offset: start) }
      self = .text(span.extracting(range).array)
    case 3: self = .long
    case 4: self = .scalar(try MetadataScalar(&reader, span))
    case 5:
      let count = try reader.length(span)
      guard count <= Self.maximumTextBytes else { throw ByteError(offset: start) }
      var texts: [[UInt8]] = []
      var bytes = 0
      for _ in 0..<count {
        let range = try reader.counted(span)
        bytes += range.count
        guard bytes <= Self.maximumTextBytes else { throw ByteError(offset: start) }
        texts.append(span.extracting(range).array)
      }
      self = .list(texts)
    case 6:
      let bytes = span.extracting(try reader.counted(span))
      guard unsafe bytes.withUnsafeBytes({ unsafe Reference.isKey($0) }) else {
        throw ByteError(offset: start)
      }
      self = .reference(bytes.array)
    default: throw ByteError(offset: start)
    }
  }
}
