package import SatchelCoding

/// A registered reader of the change log.
package struct Consumer: Sendable, Hashable {
  /// The consumer's number, which is never reused.
  package let id: UInt32
  package let name: String
  /// The last commit that the consumer has read.
  package let readCommit: UInt64
  /// Whether entries have been trimmed that the consumer has not read: then it has to start from a snapshot.
  package let isBehind: Bool
}

extension Snapshot {
  /// Returns the registered readers of the change log, in the order of their registration. O(consumers).
  package func consumers() throws -> [Consumer] {
    try consumerRecords().map { record in
      Consumer(
        id: record.id, name: String(decoding: record.entry.name, as: UTF8.self),
        readCommit: record.entry.readCommit, isBehind: seal.log.first > record.entry.readCommit &+ 1)
    }
  }

  /// Returns the reader of this name, or nil. O(consumers).
  package func consumer(named name: String) throws -> Consumer? {
    try consumers().first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  package func consumerRecords() throws -> [(id: UInt32, entry: ConsumerEntry, checksum: UInt64)] {
    var records: [(id: UInt32, entry: ConsumerEntry, checksum: UInt64)] = []
    try scanObjects(from: .consumer(id: 0)) { key, value in
      guard case .consumer(let id) = key else { return false }
      let entry = try decoding("consumers", "\(id)") { () throws(CodingError) in
        unsafe try ConsumerEntry(value, id: id)
      }
      records.append((id, entry, unsafe RecordFrame.storedChecksum(value)))
      return true
    }
    return records
  }
}
