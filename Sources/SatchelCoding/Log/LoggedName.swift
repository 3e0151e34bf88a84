internal import SatchelBytes

/// What names an object in the entries of the change log: to look through many entries for one object without reading each of them.
package struct LoggedName: Sendable {
  /// The first eight bytes of the name, the first one lowest, and zeros behind a shorter one.
  private let bytes: UInt64
  /// The bits of `bytes` that belong to the name.
  private let mask: UInt64
  /// How many bytes of the name are compared.
  private let count: Int

  package init(of object: ObjectRow) {
    var writer = ByteWriter(capacity: 16)
    object.write(to: &writer)
    self.init(writer.bytes)
  }

  /// - Parameter name: The bytes of an identifier, by which an entry names what it deletes.
  package init(_ name: [UInt8]) {
    count = min(name.count, 8)
    var bytes: UInt64 = 0
    for (place, byte) in name.prefix(8).enumerated() { bytes |= UInt64(byte) << UInt64(8 * place) }
    self.bytes = bytes
    mask = count == 8 ? .max : (1 << UInt64(8 * count)) - 1
  }

  /// Whether an entry may name one of some objects; false if it names none for certain. An entry that was damaged is not noticed.
  /// - Parameter record: The bytes of a record of the change log.
  @safe package static func mayBe(_ names: [LoggedName], in record: UnsafeRawBufferPointer) -> Bool {
    // A checksum of eight bytes is behind all names, so that as many can be read wherever one begins.
    var offset = 0
    while offset + 8 <= record.count {
      let word = UInt64(
        littleEndian: unsafe record.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      for name in names where word & name.mask == name.bytes { return true }
      offset += 1
    }
    return false
  }
}
