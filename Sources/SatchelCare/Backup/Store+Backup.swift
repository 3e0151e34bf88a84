internal import CommitEngine
internal import LMDB
internal import RecordStore
internal import SatchelModel
package import SatchelStorage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The progress of a backup.
package struct BackupProgress: Sendable, Hashable {
  package enum Phase: Sendable, Hashable { case copying, verifying }

  package let phase: Phase
  /// How many bytes have been copied.
  package let bytes: Int
  /// The final value of `bytes`; for a compacting copy, an upper limit of it.
  package let totalBytes: Int
}

/// The contents of a backup.
package struct BackupSummary: Sendable, Hashable {
  /// The last commit that the backup contains.
  package let sequence: UInt64
  /// The size of the backup's file.
  package let bytes: Int
  /// How many commits writers made while the backup held its snapshot: pages that they gave up could not be reused
  /// meanwhile.
  package let commitsMeanwhile: UInt64
}

extension Store {
  /// Copies one snapshot of the store into a directory of its own, which is then a store. Readers and writers of any
  /// process can continue meanwhile.
  ///
  /// The directory appears at its path when it is complete, synced and, unless verification is turned off, verified.
  /// Only the owner can use its files. The copy holds the snapshot until it is finished, and meanwhile the file grows
  /// by the pages that writers give up.
  /// - Parameters:
  ///   - destination: A path where there is nothing, or an empty directory.
  ///   - compacting: True to leave out free pages and fill the others: the copy is smaller, and takes longer.
  ///   - verifying: False to skip the verification of the copy.
  ///   - progress: If it throws, the backup ends and leaves nothing behind.
  package func backup(
    to destination: String, compacting: Bool = false, verifying: Bool = true,
    progress: (BackupProgress) throws -> Void = { _ in }
  ) throws -> BackupSummary {
    do {
      let destination = try Directories.resolvingLink(Directories.trimmed(destination))
      let directory = try BackupDirectory.make(for: destination)
      do {
        // What is added to a compact copy afterwards leaves free pages in it.
        if compacting, !environment.options.readOnly { try checkpoint() }
        let (sequence, tail) = try copy(to: directory, compacting, progress)
        if let tail { try Self.add(tail, to: directory) }
        let bytes = try check(directory, sequence, verifying, progress)
        try directory.moveIntoPlace()
        let now = try self.sequence()
        return BackupSummary(
          sequence: sequence, bytes: bytes, commitsMeanwhile: now - min(now, sequence))
      } catch {
        directory.remove()
        throw error
      }
    } catch {
      throw SatchelError.translating(error, store: self.directory)
    }
  }

  /// Copies a snapshot into the directory.
  /// - Returns: The sequence of the snapshot, and those of its commits that the copied file does not have; nil if it is
  ///   whole.
  private func copy(
    to directory: BackupDirectory, _ compacting: Bool, _ progress: (BackupProgress) throws -> Void
  ) throws -> (sequence: UInt64, tail: Tail?) {
    if compacting {
      return try read { snapshot in
        try CompactCopy(of: snapshot, in: environment).write(to: directory.path, progress)
        return (snapshot.seal.commit, snapshot.tail)
      }
    }
    for _ in 0..<Self.attempts {
      let copied: (UInt64, Tail?)? = try read { snapshot in
        guard let pages = try SnapshotPages(of: snapshot.transaction) else { return nil }
        try Directories.writeFile(directory.dataFile) { file in
          try pages.write(to: file) {
            try progress(BackupProgress(phase: .copying, bytes: $0, totalBytes: pages.byteCount))
          }
          guard fsync(file) == 0 else { throw Directories.failure("sync", directory.dataFile) }
        }
        return (snapshot.seal.commit, snapshot.tail)
      }
      if let copied { return copied }
    }
    throw SatchelError(
      .io, "Other processes write so often that no snapshot could be taken: try again",
      ["store": self.directory])
  }

  /// Writes the commits that were in the journal into the copy.
  private static func add(_ tail: Tail, to directory: BackupDirectory) throws {
    var options = Store.Options()
    options.create = false
    options.durability = .temporaryImport
    options.journal.use = .ignored
    let copy = try openChecked(directory.path, nil, options)
    defer { copy.close() }
    try copy.checkpoint(tail)
    try copy.environment.sync()
  }

  /// How often to try: an attempt fails only if two commits happen between two system calls.
  private static let attempts = 1000

  /// Opens the copy as a store, compares its sequence and, if asked, verifies all of it. Returns the size of its file.
  private func check(
    _ directory: BackupDirectory, _ sequence: UInt64, _ verifying: Bool,
    _ progress: (BackupProgress) throws -> Void
  ) throws -> Int {
    var options = Store.Options()
    options.create = false
    options.readOnly = true
    options.aggregateEvaluator = aggregateEvaluator
    let copy = try Store.open(directory: directory.path, user: nil, options: options)
    defer { copy.close() }
    let bytes = try copy.environment.info.fileBytes
    guard try copy.sequence() == sequence else {
      throw SatchelError(.io, "The backup is not of the snapshot that it was made from: try again")
    }
    guard verifying else { return bytes }
    try progress(BackupProgress(phase: .verifying, bytes: bytes, totalBytes: bytes))
    let report = try copy.read { try Verifier.verify($0) }
    guard let fault = report.faults.first else { return bytes }
    throw SatchelError(
      .corrupted,
      "The backup has damage, which the store has as well unless the disk has it: verify the store",
      [
        "faults": String(report.faultCount), "table": fault.location, "key": fault.key,
        "found": fault.finding,
      ])
  }
}
