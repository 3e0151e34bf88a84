internal import SatchelBytes

/// A registered reader of the change log: entries that it has not read are kept for it, within the log's bounds.
package struct ConsumerEntry: Sendable, Hashable {
  /// The longest name.
  package static let maximumNameBytes = 256

  /// The UTF-8 bytes of the name that it registered under: 1 to `maximumNameBytes`, and no NUL.
  package var name: [UInt8]
  /// The last commit that it has read.
  package var readCommit: UInt64

  package init(name: [UInt8], readCommit: UInt64) {
    self.name = name
    self.readCommit = readCommit
  }

  /// Whether bytes can be a name.
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
