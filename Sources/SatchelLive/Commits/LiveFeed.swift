import SatchelExecution
package import SatchelModel
package import SatchelStorage
import Synchronization

/// Something that is kept up to date with a store's commits.
package protocol LiveSubject: AnyObject, Sendable {
  /// The commit that it shows; nil as long as it shows none.
  var commit: UInt64? { get }
  /// Takes in a batch of commits that begins behind `commit`.
  /// - Returns: True when `changed` is to be called, after the batch's snapshot has been closed.
  func advance(_ batch: CommitBatch) -> Bool
  /// Ends the following of commits for a reason.
  func fail(_ error: SatchelError)
  /// Tells others of the change.
  func changed()
}

/// Brings the live queries of a store up to date with each commit of every process.
///
/// All of them are advanced over one snapshot, which is closed before anybody hears of it.
package final class LiveFeed: Sendable {
  private struct Subject { weak var subject: (any LiveSubject)? }

  package let store: Store
  let conditions = ConditionNumbers()
  private let subjects = Mutex<[ObjectIdentifier: Subject]>([:])
  private let advancing = Mutex(())
  private let lastCost = Mutex(CatchUpCost())
  /// Set as long as there is a subject.
  private let observation = Mutex<CommitObservation?>(nil)

  private let followsCommits: Bool

  /// - Parameter followsCommits: False where `catchUp` is called by hand alone.
  package init(_ store: Store, followsCommits: Bool = true) {
    self.store = store
    self.followsCommits = followsCommits
  }

  /// Keeps a subject up to date from now on, for as long as it lives.
  func register(_ subject: any LiveSubject) throws {
    subjects.withLock { $0[ObjectIdentifier(subject)] = Subject(subject: subject) }
    try observation.withLock { observation in
      if followsCommits, observation == nil {
        observation = try store.commitSignal.observe { [weak self] _ in self?.catchUp() }
      }
    }
    // What was committed between the subject's selection and now.
    catchUp()
  }

  /// Leaves a subject as it is from now on.
  func unregister(_ subject: any LiveSubject) {
    subjects.withLock { $0[ObjectIdentifier(subject)] = nil }
  }

  /// Brings all subjects up to the newest commit, on this thread.
  package func catchUp() {
    let changed = advancing.withLock { _ in advanceAll() }
    for subject in changed { subject.changed() }
  }

  /// What the last `catchUp` has read, of all subjects together.
  package var cost: CatchUpCost { lastCost.withLock { $0 } }

  private func advanceAll() -> [any LiveSubject] {
    let living = livingSubjects()
    guard !living.isEmpty else {
      observation.withLock { observation in
        if subjects.withLock(\.isEmpty) { observation = nil }
      }
      return []
    }
    do {
      return try store.read { snapshot in
        let executor = Executor(snapshot)
        var batches: [UInt64: CommitBatch] = [:]
        var changed: [any LiveSubject] = []
        for subject in living {
          guard let commit = subject.commit, commit < snapshot.seal.commit else { continue }
          let batch = try batches[commit] ?? CommitBatch(after: commit, executor)
          batches[commit] = batch
          if subject.advance(batch) { changed.append(subject) }
        }
        lastCost.withLock { $0 = CatchUpCost(snapshot) }
        return changed
      }
    } catch {
      let failure = SatchelError.translating(error, store: store.directory) as? SatchelError
      for subject in living { subject.fail(failure ?? SatchelError(.io, "The store could not be read")) }
      return living
    }
  }

  private func livingSubjects() -> [any LiveSubject] {
    subjects.withLock { subjects in
      var living: [any LiveSubject] = []
      for (identifier, entry) in subjects {
        if let subject = entry.subject { living.append(subject) } else { subjects[identifier] = nil }
      }
      return living
    }
  }
}

/// What was read to bring subjects up to date.
package struct CatchUpCost: Sendable, Hashable {
  /// Nodes of indexes that were entered.
  package var nodesRead = 0
  /// Entries of indexes that were unpacked.
  package var entriesRead = 0
  /// Records of objects.
  package var recordsRead = 0

  init() {}

  init(_ snapshot: Snapshot) {
    let metrics = snapshot.forest.metrics
    nodesRead = metrics.nodesRead
    entriesRead = metrics.entriesRead
    recordsRead = snapshot.metrics.recordsRead
  }
}
