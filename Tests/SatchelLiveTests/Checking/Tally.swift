import SatchelLive

/// What a run has compared.
struct Tally: Sendable {
  var commits = 0
  var checks = 0
  var changeSets = 0
  var deletes = 0
  var inserts = 0
  var moves = 0
  var updates = 0
  /// Checks of queries that an index has in order.
  var indexed = 0
  /// Checks of queries that ask for relations or for what conversations are to the user, or with which that or what is said to messages
  /// comes along.
  var responses = 0
  /// The first differences, told in full.
  var mismatches: [String] = []
  var mismatchCount = 0

  mutating func note(_ difference: ListDifference) {
    deletes += difference.deletes.count
    inserts += difference.inserts.count
    moves += difference.moves.count
    updates += difference.updates.count
  }

  mutating func add(_ other: Tally) {
    commits += other.commits
    checks += other.checks
    changeSets += other.changeSets
    deletes += other.deletes
    inserts += other.inserts
    moves += other.moves
    updates += other.updates
    indexed += other.indexed
    responses += other.responses
    mismatches += other.mismatches
    mismatchCount += other.mismatchCount
  }

  mutating func note(mismatch: String) {
    mismatchCount += 1
    if mismatches.count < 8 { mismatches.append(mismatch) }
  }

  var detail: String {
    """
    \(checks) comparisons, \(indexed) of them by index, \(responses) of them with \
    reactions, replies, participants' states or relations; \(deletes) deletes, \(inserts) inserts, \(moves) moves, \
    \(updates) updates
    """
  }

  func summary(seed: UInt64) -> String {
    "\(commits) commits, \(changeSets) change sets, \(mismatchCount) differences, seed \(seed)"
  }
}
