/// The object that a waiting thread sleeps on: until its turn in the queue comes and, if it joins a group, until
/// that has ended.
package final class WriterTurn: Sendable {
  private enum Answer {
    case wait
    case lead
    case join(any WriterGroup)
    case refused(LMDBError)
    case settled((any Error)?)
  }

  /// Writes with the same owner may share a transaction; nil for a write that shares none.
  package let owner: ObjectIdentifier?
  private let answer = Monitor<Answer>(.wait)

  package init(owner: ObjectIdentifier?) {
    self.owner = owner
  }

  /// Lets the thread begin its own transaction.
  package func lead() { give(.lead) }

  /// Lets the thread do its work in the transaction of a group.
  package func join(_ group: any WriterGroup) { give(.join(group)) }

  /// Ends the wait of the thread with an error.
  package func refuse(_ error: LMDBError) { give(.refused(error)) }

  /// Sleeps until the turn has come. Returns the group to join, or nil if the thread is to begin its own transaction.
  /// - Throws: The error of `refuse`.
  package func take() throws(LMDBError) -> (any WriterGroup)? {
    let hasAnswer = { (answer: Answer) in if case .wait = answer { false } else { true } }
    return try answer.locked(when: hasAnswer) { answer, _ throws(LMDBError) in
      switch answer {
      case .join(let group):
        answer = .wait
        return group
      case .refused(let error): throw error
      case .wait, .lead, .settled: return nil
      }
    }
  }

  /// Sleeps until the transaction that was joined has ended.
  /// - Throws: The error with which it failed.
  package func outcome() throws {
    let hasEnded = { (answer: Answer) in if case .settled = answer { true } else { false } }
    try answer.locked(when: hasEnded) { answer, _ throws in
      if case .settled(let error?) = answer { throw error }
    }
  }

  private func give(_ value: Answer) {
    answer.locked { $0 = value }
    answer.notify()
  }
}

extension WriterTurn: GroupMember {
  package func settle(_ error: (any Error)?) { give(.settled(error)) }
}
