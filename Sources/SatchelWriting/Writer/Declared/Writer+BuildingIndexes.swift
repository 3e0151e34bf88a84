internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelReading

/// Gives a store of an older format the indexes of the metadata of messages and announcements: some objects in each of many commits, in
/// the order of their creation. Until the last of these nothing is answered by the indexes, and a write keeps the entries of those
/// objects alone that they have got to.
extension Writer {
  /// Whether they are being built.
  package var isBuildingIndexes: Bool { isBuildingMetadata || isBuildingDeclared }

  /// Whether those of the metadata of messages and announcements are being built.
  private var isBuildingMetadata: Bool { tables.seal[.indexBuilds].count > 0 }

  /// Begins to build them. The header says that the store has them.
  func beginBuildingIndexes() throws {
    let build = IndexBuild(indexes: .messageMetadata, next: 1)
    try tables.put(.indexBuilds, ObjectKey.indexBuild.bytes, build.encode(), replacing: nil)
  }

  /// Forgets how far they have got, because they are built as a whole.
  package func forgetBuildingIndexes() throws {
    if isBuildingMetadata { try tables.removeIfPresent(.indexBuilds, ObjectKey.indexBuild.bytes) }
    knownEndOfMetadata = try storedHeader().versions.optionalIndexes.contains(.messageMetadata) ? .max : 0
  }

  /// Adds the entries of the next objects, as many as the turn has room for: to these indexes, and then to those that applications have
  /// declared.
  func buildIndexes() throws {
    guard turn.indexingRoom > 0, turn.grows, isBuildingIndexes, !transaction.isShortOfRoom else { return }
    guard isBuildingMetadata else {
      // As below.
      do { return try buildDeclaredIndexes(atMost: turn.indexingRoom) } catch {
        if turn.isForIndexing { throw error } else { return }
      }
    }
    let found: (build: IndexBuild, checksum: UInt64, step: IndexBuildStep)?
    // A record that cannot be read is told to those who read it, not to those whose writes take this along.
    do { found = try flushed.read(nextStep) } catch { if turn.isForIndexing { throw error } else { return } }
    guard let (build, checksum, step) = found else { return }
    for (key, metadata) in step.objects {
      let tree = IndexCatalog.metadata(ofAnnouncements: key.isAnnouncement)
      for entry in try indexed(metadata).keys(row: key.sequence) { forest.insert(tree, entry) }
    }
    let key = ObjectKey.indexBuild.bytes
    guard let next = step.next else { return try tables.remove(.indexBuilds, key, checksum: checksum) }
    let rest = IndexBuild(indexes: build.indexes, next: next)
    try tables.put(.indexBuilds, key, rest.encode(), replacing: checksum)
  }

  private func nextStep(_ snapshot: Snapshot) throws -> (IndexBuild, UInt64, IndexBuildStep)? {
    guard let (build, checksum) = try snapshot.indexBuild() else { return nil }
    let room = turn.indexingRoom
    let step = try snapshot.indexBuildStep(from: build.next, atMost: room, bytes: room * Self.indexingBytes)
    return (build, checksum, step)
  }

  /// How many bytes of metadata an object has that a step counts on: of those with more, it takes fewer.
  private static let indexingBytes = 512
}
