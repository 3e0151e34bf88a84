/// Commits that readers see and LMDB does not have yet: those of a journal.
package protocol OutsideCommits: AnyObject, Sendable {
  /// A number that is a greater one after each of these commits, of whatever process.
  var count: UInt64 { get }
  /// The descriptor of a file that changes with each of them.
  var file: Int32 { get }
}

extension Environment {
  /// The commits that readers see and LMDB does not have; nil if there are none. Watchers look at both.
  package var outsideCommits: (any OutsideCommits)? { outside.locked { $0 } }

  /// Makes watchers look for commits that LMDB does not have.
  package func setOutsideCommits(_ commits: any OutsideCommits) {
    outside.locked { $0 = commits }
    for bell in bells.locked({ $0 }) { bell.watch(commits.file) }
    ringBells()
  }
}
