internal import CLMDB
package import StoreFiles

/// What becomes of an environment whose files were taken away.
extension Environment {
  /// Looks whether the store's names still lead to the files that this process has open. If the directory, `data.mdb` or `lock.mdb`
  /// is another one, ends the environment: reads and writes fail with that error from then on, also if somebody puts the file back,
  /// since others may have written meanwhile.
  /// - Returns: Also whether the journal or its head has lost its name, if they are held.
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

  /// Says which file is open under a name that LMDB does not know; nil if none.
  package func hold(_ file: FileIdentity?, as name: HeldFiles.Name) { files.hold(file, as: name) }

  /// Whether a reader is to call `checkFiles`: a second has gone by since somebody has. Costs nanoseconds.
  package var isFileCheckDue: Bool { files.isLookDue }
}
