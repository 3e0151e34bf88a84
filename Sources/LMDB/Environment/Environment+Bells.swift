internal import CLMDB
package import StoreFiles

/// What watchers of the store are told by.
extension Environment {
  /// Adds a bell that rings at every commit of this process and at the end of the environment.
  func addBell() throws(LMDBError) -> CommitBell {
    guard !isForeign else { throw error(.forked, "watch") }
    let (handle, _) = unsafe try enter("watch")
    defer { leave() }
    var file: Int32 = -1
    unsafe mdb_env_get_fd(handle, &file)
    let bell = CommitBell(file: file)
    bells.locked { $0.append(bell) }
    if let outsideCommits { bell.watch(outsideCommits.file) }
    return bell
  }

  func removeBell(_ bell: CommitBell) {
    // In a forked child, a thread that no longer exists may hold the lock.
    guard !isForeign else { return }
    bells.locked { bells in bells.removeAll { $0 === bell } }
  }

  package func ringBells() {
    for bell in bells.locked({ $0 }) { bell.ring() }
  }

  /// The commits that readers see and LMDB does not have; nil if there are none. Watchers look at both.
  package var outsideCommits: (any OutsideCommits)? { outside.locked { $0 } }

  /// Makes watchers look for commits that LMDB does not have, until the files are given back.
  package func setOutsideCommits(_ commits: any OutsideCommits) {
    outside.locked { $0 = commits }
    for bell in bells.locked({ $0 }) { bell.watch(commits.file) }
    ringBells()
  }
}
