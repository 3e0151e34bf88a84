internal import LMDB
internal import SatchelModel

/// A snapshot's entries written into a new file in the order of their keys: its pages are full, and hardly one is free.
///
/// Entry by entry rather than by LMDB's own compacting copy, which believes every page that it walks, holds the writers'
/// lock while it begins, and says nothing of how far it is.
struct CompactCopy {
  private let snapshot: Snapshot
  private let totalBytes: Int

  init(of snapshot: Snapshot, in environment: Environment) throws {
    self.snapshot = snapshot
    let info = try environment.info
    totalBytes = max(0, info.fileBytes - info.freePages * info.pageSize)
  }

  /// Makes a store in a directory, which is there, and syncs it.
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

  /// What one transaction takes: its pages are in memory until it commits.
  private static let batchBytes = 16 << 20
}
