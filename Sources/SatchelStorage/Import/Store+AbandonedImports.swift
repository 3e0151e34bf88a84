internal import SatchelCoding

extension Store {
  /// Removes what abandoned imports have staged: their process ended before their last commit. Does nothing while an
  /// import is running.
  func purgeAbandonedImports() throws {
    guard try read({ $0.seal[.staging].count > 0 }), let lock = try ImportLock.exclusive(directory) else {
      return
    }
    try withExtendedLifetime(lock) {
      while let number = try firstStagedImport() { try purgeStaged(number) }
    }
  }

  /// Removes what an import has staged, in bounded commits.
  func purgeStaged(_ number: UInt32) throws {
    var hasMore = true
    while hasMore {
      try writeAlone { writer in
        let batch = try writer.stagedEntries(number, from: 0, limit: PurgeQueue.budget)
        hasMore = !batch.isEmpty
        for staged in batch {
          if case .created(let object) = staged.entry.content { try writer.discard(object) }
          try writer.tables.remove(
            .staging, ObjectKey.staging(importNumber: number, ordinal: staged.ordinal).bytes,
            checksum: staged.checksum)
        }
      }
    }
  }

  private func firstStagedImport() throws -> UInt32? {
    try read { snapshot in
      var found: UInt32?
      try snapshot.scanObjects(from: .staging(importNumber: 0, ordinal: 0)) { key, _ in
        if case .staging(let number, _) = key { found = number }
        return false
      }
      return found
    }
  }
}
