internal import SatchelBytes

/// An object or a line that an import has added and not yet made visible. Its key holds the import's number and an
/// ordinal.
package struct StagingEntry: Sendable, Hashable {
  package enum Content: Sendable, Hashable {
    /// An object whose record is already stored but in no index. The last commit of the import indexes it; if there is
    /// no such commit, it is removed.
    case created(ObjectRow)
    /// A line, exactly as it was read, with an update or a deletion. The last commit of the import carries out all of
    /// them in line order.
    case line([UInt8])
  }

  /// The number of the line in the file, from 1.
  package var line: UInt64
  package var content: Content

  package init(line: UInt64, content: Content) {
    self.line = line
    self.content = content
  }

  private static let lineCode: UInt8 = 3

  /// Returns the bytes of the record.
  package func encode(importNumber: UInt32, ordinal: UInt64) -> [UInt8] {
    var writer = RecordFrame.writer(.staging, capacity: 32)
    switch content {
    case .created(let object):
      writer.u8(object.code)
      writer.u8(0)
      writer.varint(line)
      object.write(to: &writer)
    case .line(let bytes):
      writer.u8(Self.lineCode)
      writer.u8(0)
      writer.varint(line)
      writer.append(bytes)
    }
    return RecordFrame.finish(
      &writer, key: ObjectKey.staging(importNumber: importNumber, ordinal: ordinal).bytes)
  }

  /// Reads and checks a record.
  package init(_ bytes: UnsafeRawBufferPointer, importNumber: UInt32, ordinal: UInt64) throws(CodingError) {
    let key = ObjectKey.staging(importNumber: importNumber, ordinal: ordinal).bytes
    let body = unsafe try RecordFrame.open(bytes, .staging, key: key, minimum: 4)
    let span = unsafe body.bytes
    self = try RecordFrame.decode(.staging) { () throws(ByteError) in
      guard span.u8(3) == 0 else { throw ByteError(offset: 3) }
      var reader = ByteReader(offset: 4)
      let line = try reader.varint(span)
      if span.u8(2) == Self.lineCode {
        return StagingEntry(
          line: line, content: .line(span.extracting(reader.offset..<span.byteCount).array))
      }
      let object = try ObjectRow(code: span.u8(2), &reader, span)
      try reader.end(span)
      return StagingEntry(line: line, content: .created(object))
    }
  }
}

/// An entry of the staging table, as it is in the store.
package struct StagedEntry {
  package let ordinal: UInt64
  package let entry: StagingEntry
  package let checksum: UInt64

  package init(ordinal: UInt64, entry: StagingEntry, checksum: UInt64) {
    self.ordinal = ordinal
    self.entry = entry
    self.checksum = checksum
  }
}
