package import Satchel

extension MessageStore {
  /// The sequence of the last commit.
  package func lastSequence() throws -> UInt64 { try read { $0.sequence } }
}

/// The commits of a store after one, up to its last one, which must have changed something.
package func commits(of store: MessageStore, after start: UInt64) async throws -> [StoreCommit] {
  let last = try store.lastSequence()
  var commits: [StoreCommit] = []
  for try await commit in store.commits(after: start) {
    commits.append(commit)
    if commit.sequence >= last { break }
  }
  return commits
}
