import SatchelExecution
package import SatchelModel
import SatchelReading
package import SatchelStorage
import Synchronization

/// Something that is kept up to date with a store's commits.
package protocol LiveSubject: AnyObject, Sendable {
  /// The commit that the subject shows; nil as long as it shows none.
  var commit: UInt64? { get }
  /// Takes in a batch of commits that begins after `commit`.
  /// - Returns: True if `changed` has to be called, after the batch's snapshot has been closed.
  func advance(_ batch: CommitBatch) -> Bool
  /// Stops the subject from following commits, because of an error.
  func fail(_ error: SatchelError)
  /// Tells the subject's observers of the change.
  func changed()
}

/// Brings the live queries of a store up to date with each commit of every process.
///
/// All live queries are advanced over one snapshot, which is closed before any observer is told. If no snapshot can be had for
/// a reason that may go by, they stay as they are, and the same is tried again for half a minute; then they fail. While the store is
/// suspended, they stay as they are.
package final class LiveFeed: Sendable {
  private struct Subjects {
    var byIdentity: [ObjectIdentifier: any LiveSubject] = [:]
    /// The values of `byIdentity` as an array to go through; nil after a change of the dictionary.
    var all: [any LiveSubject]?
  }

  package let store: Store
  let conditions = ConditionNumbers()
  private let subjects = Mutex(Subjects())
  private let advancing = Mutex(())
  private let lastCost = Mutex(CatchUpCost())
  private let retries = Mutex(LiveRetries())
  private let lastDelay = Mutex<SatchelError?>(nil)
  /// Set while there is a subject; `catchUp` clears it when there is none.
  private let observation = Mutex<CommitObservation?>(nil)

  private let followsCommits: Bool

  /// - Parameter followsCommits: False if only calls of `catchUp` bring the subjects up to date.
  package init(_ store: Store, followsCommits: Bool = true) {
    self.store = store
    self.followsCommits = followsCommits
  }

  /// Keeps a subject up to date from now on, until it is unregistered.
  func register(_ subject: any LiveSubject) throws {
    subjects.withLock { subjects in
      subjects.byIdentity[ObjectIdentifier(subject)] = subject
      subjects.all = nil
    }
    try observation.withLock { observation in
      if followsCommits, observation == nil {
        observation = try store.commitSignal.observe { [weak self] _ in self?.catchUp() }
      }
    }
    // Take in what was committed between the subject's selection and now.
    catchUp()
  }

  /// Stops keeping a subject up to date.
  func unregister(_ subject: any LiveSubject) {
    let removed = subjects.withLock { subjects in
      subjects.all = nil
      return subjects.byIdentity.removeValue(forKey: ObjectIdentifier(subject))
    }
    // Releasing the subject may release what it refers to, which must not happen under the lock.
    withExtendedLifetime(removed) {}
  }

  /// Brings all subjects up to the newest commit, on this thread.
  package func catchUp() {
    let changed = advancing.withLock { _ in advanceAll() }
    for subject in changed { subject.changed() }
  }

  /// Why the subjects are behind the newest commit for now, while reading is tried again; nil if they are not, or have failed.
  package var delay: SatchelError? { lastDelay.withLock { $0 } }

  /// What the last `catchUp` has read, for all subjects together.
  package var cost: CatchUpCost { lastCost.withLock { $0 } }

  private func advanceAll() -> [any LiveSubject] {
    let all = allSubjects()
    guard !all.isEmpty else {
      observation.withLock { observation in
        if subjects.withLock(\.byIdentity.isEmpty) { observation = nil }
      }
      return []
    }
    do {
      let changed = try store.read { snapshot in
        let executor = Executor(snapshot)
        var batches: [UInt64: CommitBatch] = [:]
        var batch: CommitBatch?
        var changed: [any LiveSubject] = []
        for subject in all {
          guard let commit = subject.commit, commit < snapshot.seal.commit else { continue }
          if batch?.first != commit {
            batch = try batches[commit] ?? CommitBatch(after: commit, executor)
            batches[commit] = batch
          }
          if let batch, subject.advance(batch) { changed.append(subject) }
        }
        lastCost.withLock { $0 = CatchUpCost(snapshot) }
        return changed
      }
      retries.withLock { $0.reset() }
      lastDelay.withLock { $0 = nil }
      return changed
    } catch {
      let failure =
        SatchelError.translating(error, store: store.directory) as? SatchelError
        ?? SatchelError(.io, "The store could not be read")
      // They stay as they are until it is resumed, which calls this again.
      guard failure.code != .suspended else { return [] }
      if failure.isPassing, let pause = retries.withLock({ $0.pause() }) {
        lastDelay.withLock { $0 = failure }
        store.commitSignal.callAgain(afterSeconds: pause)
        return []
      }
      retries.withLock { $0.reset() }
      lastDelay.withLock { $0 = nil }
      for subject in all { subject.fail(failure) }
      return all
    }
  }

  private func allSubjects() -> [any LiveSubject] {
    subjects.withLock { subjects in
      if let all = subjects.all { return all }
      let all = Array(subjects.byIdentity.values)
      subjects.all = all
      return all
    }
  }
}

/// How much was read to bring subjects up to date.
package struct CatchUpCost: Sendable, Hashable {
  /// Index nodes that were entered.
  package var nodesRead = 0
  /// Index entries that were unpacked.
  package var entriesRead = 0
  /// Records of objects that were read.
  package var recordsRead = 0

  init() {}

  init(_ snapshot: Snapshot) {
    let metrics = snapshot.forest.metrics
    nodesRead = metrics.nodesRead
    entriesRead = metrics.entriesRead
    recordsRead = snapshot.metrics.recordsRead
  }
}
