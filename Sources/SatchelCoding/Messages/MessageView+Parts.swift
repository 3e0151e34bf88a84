internal import SatchelBytes
package import SatchelModel

/// A part of a message, read in place; see `MessageView` for what that means.
@safe package struct PartView {
  /// The bits of a part's first byte.
  enum Head {
    static let kind: UInt8 = 3
    static let stored: UInt8 = 4
    static let sizeIsLength: UInt8 = 8
    static let sizeFollows: UInt8 = 16
    /// The status takes the three highest bits, as the number of steps that are left: 0 is `complete`.
    static let statusShift: UInt8 = 5

    static func bits(of status: TransferStatus) -> UInt8 {
      (TransferStatus.complete.rawValue - status.rawValue) << statusShift
    }

    /// Returns the status that a first byte tells; nil for bits that mean none.
    static func status(_ head: UInt8) -> TransferStatus? {
      let left = head >> statusShift
      return left <= TransferStatus.complete.rawValue
        ? TransferStatus(rawValue: TransferStatus.complete.rawValue - left) : nil
    }
  }

  /// The interned MIME type.
  package let mimeType: UInt32
  package let kind: StoredPart.Kind
  /// The size of the part as a query sees it.
  package let size: Int64?
  package let transferStatus: TransferStatus
  /// The number of bytes of the content.
  package let length: UInt64
  /// The digest of a content that is kept in `bodies`; nil if the content is in the record.
  package let storedDigest: UInt64?
  /// The content that is in the record; empty if it is in `bodies`.
  package let inlineBytes: UnsafeRawBufferPointer

  /// True if the content is in `bodies`.
  package var isStored: Bool { storedDigest != nil }

  /// The part as values.
  package var fields: StoredPart {
    StoredPart(
      mimeType: mimeType, kind: kind, size: size, transferStatus: transferStatus,
      content: storedDigest.map { .stored(length: length, digest: $0) }
        ?? .inline(unsafe [UInt8](inlineBytes)))
  }

  fileprivate init(_ layout: Layout, in body: UnsafeRawBufferPointer) {
    mimeType = layout.mimeType
    kind = layout.kind
    size = layout.size
    transferStatus = layout.transferStatus
    length = layout.length
    storedDigest = layout.digest
    unsafe inlineBytes = UnsafeRawBufferPointer(rebasing: body[layout.content])
  }

  /// The byte range of a part's content, and its numbers.
  struct Layout {
    var mimeType: UInt32
    var kind: StoredPart.Kind
    var size: Int64?
    var transferStatus: TransferStatus
    var length: UInt64
    var digest: UInt64?
    var content: Range<Int>

    /// Reads the part that starts at the reader's offset.
    init(_ reader: inout ByteReader, _ span: RawSpan) throws(ByteError) {
      let start = reader.offset
      let head = try reader.u8(span)
      guard let status = Head.status(head), let kind = StoredPart.Kind(rawValue: head & Head.kind),
        let mimeType = UInt32(exactly: try reader.varint(span))
      else { throw ByteError(offset: start) }
      self.kind = kind
      transferStatus = status
      self.mimeType = mimeType
      let declared: UInt64? = head & Head.sizeFollows != 0 ? try reader.varint(span) : nil
      length = try reader.varint(span)
      switch head & (Head.sizeIsLength | Head.sizeFollows) {
      case 0: size = nil
      case Head.sizeIsLength: size = Int64(bitPattern: length)
      case Head.sizeFollows:
        // If both forms say the same, only the shorter one is allowed.
        guard let declared, declared != length else { throw ByteError(offset: start) }
        size = Int64(bitPattern: declared)
      default: throw ByteError(offset: start)
      }
      if head & Head.stored != 0 {
        guard length <= BodyLayout.maximumLength else { throw ByteError(offset: start) }
        digest = try reader.u64(span)
        content = reader.offset..<reader.offset
      } else {
        guard let count = Int(exactly: length) else { throw ByteError(offset: start) }
        let first = try reader.take(count, span)
        content = first..<first + count
      }
    }
  }
}

extension MessageView {
  package var partCount: Int { Int(parts) }

  /// Returns the part at an index; nil if there is none.
  /// - Complexity: O(index): for messages with many parts use `PartTable`.
  package func part(at index: Int) -> PartView? {
    guard index >= 0, index < partCount else { return nil }
    var reader = ByteReader(offset: Int(partsStart))
    let span = unsafe body.bytes
    for _ in 0..<index {
      guard (try? PartView.Layout(&reader, span)) != nil else { return nil }
    }
    guard let layout = try? PartView.Layout(&reader, span) else { return nil }
    return unsafe PartView(layout, in: body)
  }

  /// Returns the part that begins at an offset of a `PartCursor`.
  func part(atOffset offset: Int) -> PartView? {
    var reader = ByteReader(offset: offset)
    guard let layout = try? PartView.Layout(&reader, unsafe body.bytes) else { return nil }
    return unsafe PartView(layout, in: body)
  }

  /// The first part that is a text, and its index; nil if there is none.
  /// - Complexity: O(parts before it).
  package var leadingText: (part: PartView, index: Int)? {
    var parts = makePartCursor()
    while let found = parts.next() {
      if found.part.kind == .text { return found }
    }
    return nil
  }

  /// Returns a cursor before the first part.
  package func makePartCursor() -> PartCursor { PartCursor(self) }

  /// Calls `visit` with each part, in order.
  package func forEachPart(_ visit: (PartView) -> Void) {
    var parts = makePartCursor()
    while let (part, _) = parts.next() { visit(part) }
  }
}

/// A cursor over the parts of a message, which reads each part once: a message may have tens of thousands.
package struct PartCursor {
  private let view: MessageView
  private var reader: ByteReader
  private var index = 0

  fileprivate init(_ view: MessageView) {
    self.view = view
    reader = ByteReader(offset: Int(view.partsStart))
  }

  /// The offset at which the next part begins.
  var offset: Int { reader.offset }

  /// Returns the next part and its index; nil after the last one.
  package mutating func next() -> (part: PartView, index: Int)? {
    guard index < view.partCount else { return nil }
    let span = unsafe view.body.bytes
    guard let layout = try? PartView.Layout(&reader, span) else { return nil }
    defer { index += 1 }
    return unsafe (PartView(layout, in: view.body), index)
  }
}
