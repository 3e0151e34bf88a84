internal import CommitEngine
internal import LMDB
internal import RankedIndex
internal import RecordStore
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel
package import SatchelStorage

extension Store {
  /// Rebuilds everything that follows from the records of a store: the indexes, the dictionaries' trees, what
  /// conversations record of their messages, the totals of aggregates, the purge queue, the next numbers, and the seal.
  /// This is one transaction: a store whose repair is interrupted is as it was before.
  ///
  /// If records of the store or LMDB's own pages are damaged, the store is not changed, and the report names the
  /// damage. No page of the indexes is one of these: they are given up with all of their pages, as long as the seal shows that
  /// no record is missing. The change log begins again, so its readers have to select what they need again. Programs that have
  /// the store open should open it again.
  /// - Throws: ``SatchelError``: `noSuchStore`, `notAStore`, `newerFormat`, `corrupted` if not even the header can be
  ///   read, or `io` while an import is running.
  /// - Complexity: The sum of three verifications and of building every index. Memory: bounded, except for the pages of
  ///   the indexes, which one transaction of LMDB writes.
  package static func repair(directory: String, options: Options = Options()) throws -> RepairReport {
    do {
      var settings = options
      settings.create = false
      settings.readOnly = false
      let store = try openChecked(directory, nil, settings)
      defer { store.close() }
      // A process that was killed while it worked on the store may take a moment to end.
      guard let lock = try ImportLock.exclusive(directory, patience: 2000) else {
        throw SatchelError(
          .io, "An import or another repair is at work in the store: repair it when that has ended",
          ["store": directory])
      }
      return try withExtendedLifetime(lock) {
        var lost: GivenUpCommits?
        do { lost = try store.giveUpLostCommits() } catch {
          // Another process has what is missing. Anything else the repair looks for itself.
          if error is PartedJournal { throw error }
        }
        // If the indexes cannot take the journal's commits, the repair takes their records.
        try? store.checkpoint()
        var report = try store.repair()
        try? store.emptyJournal()
        if let lost { report.actions.insert(lost.text, at: 0) }
        return report
      }
    } catch {
      throw SatchelError.translating(error, store: directory)
    }
  }

  private func repair() throws -> RepairReport {
    var report = RepairReport(before: try verifyAnyhow())
    guard !report.before.isSound else { return report }
    do {
      report.actions = try environment.write(
        givingUp: Databases.namesOfIndexes,
        { transaction in
          var repairer = try Repairer(self, transaction)
          return (try repairer.run(), repairer.turn)
        }, afterCommit: { $0.1?.committed() }
      ).0
    } catch let refusal as Repairer.Refusal {
      report.refusal = refusal.faults
    }
    return report
  }

  /// Returns what is wrong with the store, even if its seal is damaged.
  private func verifyAnyhow() throws -> VerificationReport {
    do {
      return try environment.read { transaction in
        let seal = try Self.readSeal(transaction, databases)
        return try Verifier.verify(snapshot(transaction, seal, try Directory(seal.trees)))
      }
    } catch let error as RecordError {
      var report = VerificationReport()
      report.addDerived(error.table, error.key, error.finding)
      return report
    } catch let error as IndexError {
      if case .lmdb(let error) = error { throw error }
      var report = VerificationReport()
      report.addDerived("seal", "", "\(error)")
      return report
    }
  }
}

/// The findings and actions of a repair.
package struct RepairReport: Sendable {
  /// What was wrong before.
  package internal(set) var before: VerificationReport
  /// What was done, one sentence for each action; empty if there was nothing to do.
  package internal(set) var actions: [String] = []
  /// The faults of records, which no repair can mend. If there are any, nothing was done.
  package internal(set) var refusal: [VerificationReport.Fault] = []

  package var isRefused: Bool { !refusal.isEmpty }
}
