internal import LMDB
internal import RankedIndex
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel

extension Store {
  /// Makes everything anew that follows from the records of a store: the indexes, the dictionaries' trees, what
  /// conversations know of their messages, the totals of aggregates, the queue of what is to be removed, the numbers to be
  /// given next, the seal. One transaction: a store that is interrupted in a repair is as it was.
  ///
  /// A store whose records are damaged, or LMDB's own pages, is left as it is: the report names what is in the way. The
  /// change log begins anew, so that its readers select what they need again; programs that have the store open should
  /// open it again.
  /// - Throws: ``SatchelError``: `noSuchStore`, `notAStore`, `newerFormat`, `corrupted` where not even the header can be
  ///   read, or `io` while an import is at work.
  /// - Complexity: That of three verifications and of building every index. Memory: bounded but for the pages of the
  ///   indexes, which one transaction of LMDB writes.
  package static func repair(directory: String, options: Options = Options()) throws -> RepairReport {
    do {
      var settings = options
      settings.create = false
      settings.readOnly = false
      let store = try openChecked(directory, nil, settings)
      defer { store.close() }
      guard let lock = try ImportLock.exclusive(directory) else {
        throw SatchelError(
          .io, "An import is at work in the store: repair it when that has ended", ["store": directory])
      }
      return try withExtendedLifetime(lock) { try store.repair() }
    } catch {
      throw SatchelError.translating(error, store: directory)
    }
  }

  private func repair() throws -> RepairReport {
    var report = RepairReport(before: try verifyAnyhow())
    guard !report.before.isSound else { return report }
    do {
      report.actions = try environment.write { transaction in
        var repairer = try Repairer(self, transaction)
        return try repairer.run()
      }
    } catch let refusal as Repairer.Refusal {
      report.refusal = refusal.faults
    }
    return report
  }

  /// What is wrong, also where the seal is.
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

  /// A view of the store with a seal and a directory of the caller's choice.
  func snapshot(_ transaction: ReadTransaction, _ seal: Seal, _ directory: Directory) -> Snapshot {
    let forest = Forest(
      reading: transaction, nodes: databases.nodes, overflow: databases.texts, directory: directory,
      cache: NodeCache(capacity: 64), pageSize: Int(header.pageSize))
    return Snapshot(
      transaction: transaction, databases: databases, forest: forest, header: header, user: user, seal: seal,
      cache: DictionaryCache(), aggregateEvaluator: aggregateEvaluator)
  }
}
