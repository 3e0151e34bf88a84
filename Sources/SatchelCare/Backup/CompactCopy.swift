internal import LMDB
internal import RecordStore
internal import SatchelModel
internal import SatchelReading

/// Writes the entries of a snapshot into a new file in the order of their keys. The pages of the new file are full, and
/// almost none is free.
///
/// The copy is made entry by entry, not by LMDB's own compacting copy. LMDB's copy trusts every page that it walks,
/// holds the writers' lock while it begins, and reports no progress.
struct CompactCopy {
  private let snapshot: Snapshot
  private let totalBytes: Int

  init(of snapshot: Snapshot, in environment: Environment) throws {
    self.snapshot = snapshot
    let info = try environment.info
    totalBytes = max(0, info.fileBytes - info.freePages * info.pageSize)
  }

  /// Makes a store in an existing directory, and syncs it.
  func write(to directory: String, _ progress: (BackupProgress) throws -> Void) throws {
    let target = try Environment.open(
      directory: directory,
      options: Environment.Options(databases: Databases.names, create: true, durability: .temporaryImport))
    defer { target.close() }
    let databases = try Databases(target)
    let pairs = [
      (snapshot.databases.nodes, databases.nodes), (snapshot.databases.texts, databases.texts),
      (snapshot.databases.messages, databases.messages), (snapshot.databases.bodies, databases.bodies),
      (snapshot.databases.objects, databases.objects),
    ]
    var copied = 0
    for (source, destination) in pairs {
      var cursor = try snapshot.transaction.cursor(source)
      var entry = unsafe try cursor.first()
      while unsafe entry != nil {
        try target.write { transaction in
          var batch = 0
          while batch < Self.batchBytes, let (key, value) = unsafe entry {
            unsafe try transaction.append(destination, key, value)
            batch += key.count + value.count
            unsafe entry = try cursor.next()
          }
          copied += batch
        }
        try progress(
          BackupProgress(phase: .copying, bytes: min(copied, totalBytes), totalBytes: totalBytes))
      }
    }
    try target.sync()
  }

  /// How many bytes one transaction copies: its pages are in memory until it commits.
  private static let batchBytes = 16 << 20
}
