internal import SatchelBytes

extension LoggedContents {
  func write(to writer: inout ByteWriter) {
    writer.varint(count)
    let ordered = parts.sorted { $0.index < $1.index }
    writer.varint(UInt64(ordered.count))
    for part in ordered { part.write(to: &writer) }
  }

  init(_ reader: inout ByteReader, _ span: RawSpan) throws(ByteError) {
    count = try reader.varint(span)
    parts = []
    for _ in 0..<(try reader.length(span)) {
      let start = reader.offset
      let part = try LoggedPart(&reader, span)
      guard part.index < count, parts.last.map({ $0.index < part.index }) ?? true else {
        throw ByteError(offset: start)
      }
      parts.append(part)
    }
  }
}

extension LoggedPart {
  /// The bits of a former part's first byte behind those of its kind.
  private enum Head {
    static let kind: UInt8 = 3
    static let hasSize: UInt8 = 4
    static let isForgotten: UInt8 = 8
    static let all: UInt8 = 15
  }

  fileprivate func write(to writer: inout ByteWriter) {
    writer.u8(kind.rawValue | (size == nil ? 0 : Head.hasSize) | (content == nil ? Head.isForgotten : 0))
    writer.varint(index)
    writer.varint(UInt64(mimeType))
    if let size { writer.varint(UInt64(bitPattern: size)) }
    writer.varint(length)
    guard let content else { return }
    writer.u64(content.digest)
    writer.append(content.beginning)
  }

  fileprivate init(_ reader: inout ByteReader, _ span: RawSpan) throws(ByteError) {
    let start = reader.offset
    let head = try reader.u8(span)
    guard head & ~Head.all == 0, let kind = StoredPart.Kind(rawValue: head & Head.kind) else {
      throw ByteError(offset: start)
    }
    self.kind = kind
    index = try reader.varint(span)
    mimeType = try reader.number(span)
    size = head & Head.hasSize == 0 ? nil : Int64(bitPattern: try reader.varint(span))
    length = try reader.varint(span)
    guard head & Head.isForgotten == 0 else { return }
    let digest = try reader.u64(span)
    let kept = Int(min(length, UInt64(LoggedValue.maximumTextBytes)))
    let first = try reader.take(kept, span)
    content = LoggedContent(digest: digest, beginning: span.extracting(first..<first + kept).array)
  }
}
