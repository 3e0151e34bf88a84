internal import StoreFiles

extension JournalReader {
  /// Returns why a store that uses a journal refuses these bytes of it, as far as the journal itself shows it; nil if it takes them.
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - owner: The UUID of the store.
  ///   - point: The store's point.
  ///   - last: The point of the journal's last record then; nil if the store does not say it.
  /// - Complexity: O(bytes).
  package static func refusal(
    of bytes: [UInt8], _ owner: JournalOwner, after point: JournalPoint, last: JournalPoint?
  ) -> JournalError? {
    do throws(JournalError) {
      var reader = try JournalReader(
        JournalFile(FixedBytes(bytes: bytes)), of: owner, after: point, last: last)
      while try reader.next() != nil {}
      try reader.checkEnd()
      return nil
    } catch {
      return error
    }
  }

  /// The bytes of a file that were read before. Nothing writes to them.
  private struct FixedBytes: JournalStorage {
    let bytes: [UInt8]

    func size() -> Int { bytes.count }

    func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
      guard offset < bytes.count else { return 0 }
      let part = bytes[offset..<min(bytes.count, offset + buffer.count)]
      unsafe buffer.copyBytes(from: part)
      return part.count
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int {
      throw SystemFailure(Self.readOnly)
    }
    func truncate() throws(SystemFailure) { throw SystemFailure(Self.readOnly) }
    func sync() {}
    func syncName() {}
    func identity() -> FileIdentity { FileIdentity(device: 0, inode: 0) }

    /// The value of `EROFS`.
    private static let readOnly: Int32 = 30
  }
}
