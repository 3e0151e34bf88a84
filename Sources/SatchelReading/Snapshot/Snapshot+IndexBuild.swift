internal import RankedIndex
internal import RankedKeys
internal import RecordStore
package import SatchelCoding
internal import SatchelIndexing
package import SatchelModel

extension Snapshot {
  /// Whether the store has all entries of some optional indexes.
  package func hasAll(of indexes: StoreHeader.OptionalIndexes) -> Bool {
    indexes.isSubset(of: header.versions.optionalIndexes)
      && (indexes.isEmpty || seal[.indexBuilds].count == 0)
  }

  /// Returns how far the optional indexes have got that the store is being given, and the checksum of the record; nil if they are
  /// complete, or it has none.
  package func indexBuild() throws -> (build: IndexBuild, checksum: UInt64)? {
    guard seal[.indexBuilds].count > 0 else { return nil }
    guard let bytes = unsafe try tables.get(.objects, ObjectKey.indexBuild.bytes) else {
      throw RecordError("indexBuild", "", "it is missing")
    }
    let build = try decoding("indexBuild", "") { () throws(CodingError) in unsafe try IndexBuild(bytes) }
    return (build, unsafe RecordFrame.storedChecksum(bytes))
  }

  /// The creation sequence from which on the index of the metadata of messages and announcements has no entries; 0 if there is none.
  package func endOfIndexedMetadata() throws -> UInt64 {
    guard header.versions.optionalIndexes.contains(.messageMetadata) else { return 0 }
    return try indexBuild()?.build.next ?? .max
  }
}

/// What a build of indexes adds next.
package struct IndexBuildStep {
  /// Messages and announcements that have metadata, in the order of their creation.
  package fileprivate(set) var objects: [(key: MessageKey, metadata: Metadata)] = []
  /// The creation sequence to continue from; nil if there are no more.
  package fileprivate(set) var next: UInt64?
}

extension Snapshot {
  /// Reads visible messages and announcements from a creation sequence on, in the order of their creation.
  /// - Parameters:
  ///   - count: The most of either.
  ///   - bytes: With so many bytes of metadata there are enough.
  package func indexBuildStep(from first: UInt64, atMost count: Int, bytes: Int) throws -> IndexBuildStep {
    var step = IndexBuildStep()
    var keys: [MessageKey] = []
    for index in [IndexCatalog.messageCreated, IndexCatalog.announcementCreated] {
      var rows: [Words] = []
      var cursor = try forest.cursor(index.tree)
      try cursor.seek(to: .before(Words(first), columns: 1))
      _ = try cursor.read(into: &rows, limit: count)
      keys += rows.map(index.message(of:))
      guard rows.count == count, let last = rows.last.map(index.sequence(of:)) else { continue }
      step.next = min(step.next ?? .max, last == .max ? last : last + 1)
    }
    if let next = step.next { keys.removeAll { $0.sequence >= next } }
    keys.sort { $0.sequence < $1.sequence }
    var room = bytes
    for key in keys {
      guard room > 0 else {
        step.next = key.sequence
        break
      }
      let metadata = try existingMessage(key).metadata
      guard !metadata.isEmpty else { continue }
      room -= metadata.byteCount
      let value = try decoding("messages", "\(key.conversation)/\(key.sequence)") { () throws(CodingError) in
        try metadata.decode(in: .message)
      }
      step.objects.append((key, value))
    }
    return step
  }
}
