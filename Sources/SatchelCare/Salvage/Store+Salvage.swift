internal import CommitEngine
internal import LMDBPages
internal import SatchelCoding
internal import SatchelModel
package import SatchelStorage

extension Store {
  /// Copies what is intact in a store that does not open, or whose pages are damaged, into a new store, and reports
  /// what is lost.
  ///
  /// The damaged file is only read, page by page, and never mapped; nothing in it can crash the program. Where the
  /// pages that lead to the records are sound, they are followed, so what was deleted stays deleted. Where they are
  /// not, the records of the affected range are searched for in the whole file. If the conversation of a message is
  /// lost, the message is put into one that is made up from such messages. If a piece of a message's content is lost,
  /// the message keeps its other parts. Commits that are only in the journal are taken from there, also from behind a record
  /// that is damaged. Aggregates and indexes that were declared are declared again, if the options have what evaluates them. The new
  /// store appears when it is complete. Consumers and the change log are not copied.
  /// - Parameters:
  ///   - user: The owner of the store; needed if the header is lost.
  ///   - progress: Called with the number of objects saved so far.
  /// - Throws: ``SatchelError`` `noSuchStore`, `notAStore` if nothing says whose store it is, `busy` if a process
  ///   writes to the store meanwhile, or the errors of an import.
  /// - Complexity: One or two passes over the file, and an import. Memory: some bytes per page of the file, and the journal.
  package static func salvage(
    directory: String, into destination: String, user: String? = nil, options: Options = Options(),
    progress: (UInt64) throws -> Void = { _ in }
  ) throws -> SalvageReport {
    do {
      guard !directory.isEmpty else {
        throw SatchelError(.noSuchStore, "The path of a store is not empty", ["store": directory])
      }
      let destination = try Directories.resolvingLink(Directories.trimmed(destination))
      let scratch = try BackupDirectory.make(for: destination)
      defer { scratch.remove() }
      let records = try SalvagedRecords(in: scratch.path)
      defer { records.close() }
      let journal = SalvagedJournal(directory)
      let salvage = unsafe try PageSalvage(
        path: directory + "/data.mdb", tables: ["messages", "bodies", "objects"],
        isIntact: { unsafe SalvagedRecords.isIntact($0, $1) },
        table: { unsafe SalvagedRecords.table(of: $0) },
        version: unsafe PageSalvage.Version(table: "objects", key: ObjectKey.seal.bytes.array) {
          unsafe (try? Seal($0))?.commit
        },
        found: { try records.add($0.key, $0.value, .page($0.standing)) })
      let summary = try salvage.run()
      guard !summary.wasWritten else {
        throw SatchelError(
          .busy, "A process wrote to the store while it was read: end it, and salvage again",
          ["store": directory])
      }
      try records.flush()
      let taken = try journal.take(into: records)
      return try records.read { view in
        var salvager = try Salvager(view, summary, user)
        try salvager.run(into: destination, options, progress)
        var report = salvager.report
        report.journalCommits = taken.commits
        report.lostCommits = taken.lostCommits
        // Objects of lost commits are in no count.
        if taken.isEndLost { report.lost = nil }
        for loss in taken.losses { report.note(loss) }
        return report
      }
    } catch {
      throw SatchelError.translating(error, store: directory)
    }
  }
}
