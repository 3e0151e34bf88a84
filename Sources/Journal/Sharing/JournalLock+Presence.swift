/// The lock on the head, which says who is present. An opener has it alone while he makes the head anew, those who know that
/// the head is right have it together, and who closes the store has it alone again.
extension JournalLock {
  /// Takes the lock, and finds out whether the head is right. Only for whoever has the openers' turn.
  ///
  /// The system takes the locks of a process that ends from it one by one, in any order. So an opener who was killed, and whose
  /// head nobody may believe, can have this lock alone for a moment after others have got the turn. He is gone when somebody
  /// gets it shared. Who has it after that has had it shared before, with a head that was right.
  /// - Returns: Whether nobody else is present. The lock is then taken alone, and the head may be anything; otherwise it is
  ///   shared, and the head is right.
  /// - Parameter limit: As that of `acquire`, for the whole call.
  /// - Throws: `busy` if somebody else has it alone at the limit; `forked`, `system`.
  package func enter(until limit: UInt64) throws(JournalError) -> Bool {
    if try tryAcquire(.exclusive) { return true }
    try acquire(.shared, until: limit)
    if try tryAcquire(.exclusive) { return true }
    try acquire(.shared, until: limit)
    return false
  }
}
