internal import SatchelCoding
internal import SatchelModel
internal import StoreFiles

extension Store {
  /// Removes what abandoned imports have staged: their process ended before their last commit. Does nothing while an
  /// import is running, and leaves it to the next opener if others write for a second, or until the limit.
  func purgeAbandonedImports(until limit: UInt64) throws {
    let limit = min(limit, deadline(afterSeconds: 1))
    guard try read({ $0.seal[.staging].count > 0 }), let lock = try ImportLock.exclusive(directory) else {
      return
    }
    try withExtendedLifetime(lock) {
      do {
        while let number = try firstStagedImport() { try purgeStaged(number, until: limit) }
      } catch let error as SatchelError where error.code == .busy {}
    }
  }

  /// Removes what an import has staged, in bounded commits.
  /// - Parameter limit: When to give up waiting for other processes, if the options do not say less; nil for never.
  package func purgeStaged(_ number: UInt32, until limit: UInt64? = nil) throws {
    var hasMore = true
    while hasMore {
      try writeAlone(waiting: limit.map(secondsLeft) ?? .infinity) { writer in
        let batch = try writer.stagedEntries(number, from: 0, limit: Self.mostDiscarded)
        hasMore = !batch.isEmpty
        for staged in batch {
          if case .created(let object) = staged.entry.content { try writer.discard(object) }
          try writer.remove(staged, of: number)
        }
      }
    }
  }

  /// Whether something is staged under a number.
  package func hasStaged(_ number: UInt32) throws -> Bool {
    try read { snapshot in
      var isFound = false
      try snapshot.scanObjects(from: .staging(importNumber: number, ordinal: 0)) { key, _ in
        if case .staging(number, _) = key { isFound = true }
        return false
      }
      return isFound
    }
  }

  /// The most staged objects that one commit removes.
  private static let mostDiscarded = 5000

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
