internal import SatchelBytes

/// A registered reader of the change log: the log keeps the entries that it has not read, within the log's limits.
package struct ConsumerEntry: Sendable, Hashable {
  /// The greatest size of a name, in bytes.
  package static let maximumNameBytes = 256

  /// The UTF-8 bytes of the name under which it is registered: 1 to `maximumNameBytes`, without NUL.
  package var name: [UInt8]
  /// The last commit that it has read.
  package var readCommit: UInt64

  package init(name: [UInt8], readCommit: UInt64) {
    self.name = name
    self.readCommit = readCommit
  }

  /// Returns whether bytes can be a name.
  package static func isName(_ bytes: [UInt8]) -> Bool {
    (1...maximumNameBytes).contains(bytes.count) && !bytes.contains(0)
  }

  /// The bytes of the record.
  package func encode(id: UInt32) -> [UInt8] {
    var writer = RecordFrame.writer(.consumer, capacity: 16 + name.count)
    writer.u16(0)
    writer.u32(0)
    writer.u64(readCommit)
    writer.append(name)
    return RecordFrame.finish(&writer, key: ObjectKey.consumer(id: id).bytes)
  }

  /// Reads and checks a record.
  package init(_ bytes: UnsafeRawBufferPointer, id: UInt32) throws(CodingError) {
    let key = ObjectKey.consumer(id: id).bytes
    let body = unsafe try RecordFrame.open(bytes, .consumer, key: key, minimum: 16)
    let span = unsafe body.bytes
    guard span.u16(2) == 0, span.u32(4) == 0 else { throw CodingError(.consumer, .malformed, offset: 2) }
    let name = unsafe UnsafeRawBufferPointer(rebasing: body[16...])
    _ = unsafe try RecordFrame.text(name, in: .consumer)
    self.init(name: unsafe [UInt8](name), readCommit: span.u64(8))
    guard Self.isName(self.name) else { throw CodingError(.consumer, .malformed, offset: 16) }
  }
}
