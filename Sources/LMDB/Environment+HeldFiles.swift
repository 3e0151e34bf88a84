internal import CLMDB

/// What becomes of an environment whose files were taken away.
extension Environment {
  /// Looks whether the store's names still lead to the files that this process has open. If the directory, `data.mdb` or `lock.mdb`
  /// is another one, ends the environment: reads and writes fail with that error from then on, also if somebody puts the file back,
  /// since others may have written meanwhile.
  /// - Returns: What is wrong with the names of the journal and its head, if they are held.
  /// - Throws: `replaced`.
  @discardableResult
  package func checkFiles(_ operation: StaticString) throws(LMDBError) -> HeldFiles.Flaws {
    // A store that is being made is renamed into its place, and nobody else knows it.
    guard options.durability != .temporaryImport else { return HeldFiles.Flaws() }
    let flaws = files.look()
    guard let found = flaws.store else { return flaws }
    let error = self.error(.replaced, "\(operation)", detail: found)
    poison(error)
    throw error
  }

  /// Whether a reader is to call `checkFiles`: a second has gone by since somebody has. Costs nanoseconds.
  package var isFileCheckDue: Bool { files.isLookDue }
}
