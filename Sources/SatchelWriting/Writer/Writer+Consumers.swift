internal import LMDB
internal import SatchelCoding
internal import SatchelModel

/// Changes the registered readers of the change log. Their records are part of the transaction like all others.
extension Writer {
  /// The most consumers of a store. There is a limit because each commit that trims the log looks at all of them.
  package static let maximumConsumers: UInt64 = 1000

  /// Registers a reader of the change log. A reader that is already registered continues where it was; a new one begins
  /// after the commit of this write.
  /// - Returns: The last commit that the reader has read.
  /// - Throws: ``SatchelError`` `invalidIdentifier` for a name that is empty, longer than 256 bytes or contains NUL,
  ///   `invalidValue` if there are already 1,000 consumers.
  @discardableResult
  package func registerConsumer(_ name: String) throws -> UInt64 {
    let bytes = Array(name.utf8)
    guard ConsumerEntry.isName(bytes) else {
      throw SatchelError(
        .invalidIdentifier, "A consumer's name has 1 to 256 bytes and no NUL character",
        ["consumer": name, "bytes": String(bytes.count)])
    }
    if let record = try consumer(bytes) { return record.entry.readCommit }
    let count = tables.seal[.consumers].count
    guard count < Self.maximumConsumers else {
      throw SatchelError(
        .invalidValue, "A store has at most 1000 consumers: unregister those that have gone",
        ["consumer": name, "count": String(count)])
    }
    try changing {
      let id = try tables.takeConsumer()
      let entry = ConsumerEntry(name: bytes, readCommit: commit)
      let key = ObjectKey.consumer(id: id).bytes
      try tables.put(.consumers, key, entry.encode(id: id), replacing: nil)
    }
    return commit
  }

  /// Records that a consumer has read everything up to a commit. The recorded commit never goes back: an earlier one
  /// changes nothing.
  /// - Throws: ``SatchelError`` `unknownConsumer`, or `invalidValue` for a commit that has not happened.
  package func acknowledge(_ commit: UInt64, consumer name: String) throws {
    let record = try existingConsumer(name)
    guard commit <= tables.seal.commit else {
      throw SatchelError(
        .invalidValue, "A consumer acknowledges only commits that have happened",
        ["consumer": name, "commit": String(commit), "last": String(tables.seal.commit)])
    }
    guard commit > record.entry.readCommit else { return }
    try changing {
      var entry = record.entry
      entry.readCommit = commit
      let key = ObjectKey.consumer(id: record.id).bytes
      try tables.put(.consumers, key, entry.encode(id: record.id), replacing: record.checksum)
    }
  }

  /// Removes a consumer: the log no longer keeps anything for it.
  /// - Throws: ``SatchelError`` `unknownConsumer`.
  package func unregisterConsumer(_ name: String) throws {
    let record = try existingConsumer(name)
    try changing {
      try tables.remove(.consumers, ObjectKey.consumer(id: record.id).bytes, checksum: record.checksum)
    }
  }

  private func consumer(
    _ name: [UInt8]
  ) throws -> (id: UInt32, entry: ConsumerEntry, checksum: UInt64)? {
    if let failure { throw failure }
    return try flushed.consumerRecords().first { $0.entry.name == name }
  }

  private func existingConsumer(
    _ name: String
  ) throws -> (id: UInt32, entry: ConsumerEntry, checksum: UInt64) {
    guard let record = try consumer(Array(name.utf8)) else {
      throw SatchelError(
        .unknownConsumer, "No consumer of the change log is registered under that name", ["consumer": name])
    }
    return record
  }
}
