internal import CommitEngine
internal import Journal
package import LMDB
internal import RankedIndex
package import RecordStore
internal import SatchelCoding
internal import SatchelModel
package import SatchelReading
internal import StoreFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// How a store makes snapshots: of LMDB's, and of the tail that goes with it.
extension Store {
  /// Returns the tail without commits that goes with a snapshot of LMDB.
  package func emptyTail(_ transaction: ReadTransaction) throws -> Tail {
    Tail(after: try Self.readSeal(transaction, databases))
  }

  /// Returns the state after the last commit of a tail, which must begin after exactly the commit that the transaction
  /// sees.
  package func snapshot(_ transaction: ReadTransaction, tail: Tail) throws -> Snapshot {
    let memory = ReaderMemory.of(transaction, dictionaries)
    let latest = try seal(of: transaction, memory)
    guard latest.seal.point == tail.base else { throw tail.misplaced(at: latest.seal.commit) }
    return snapshot(transaction, latest, tail, memory)
  }

  /// Runs `body` on the last commit of all processes.
  ///
  /// It is never an earlier one than a read of this process has shown before. LMDB can show a commit whose writer has not announced it
  /// yet, and then the one before that, until he has; and who waits in vain for others may be a commit behind. So a read that meets an
  /// earlier state tries again for a while. If the writer has ended, the commit was nobody's, and the state before it is the last one.
  func reading<R>(_ lease: Lease?, _ body: (Snapshot) throws -> R) throws -> R {
    var attempts = 0
    var last: Unread.State?
    var repetitions = 0
    var limit: UInt64?
    var mayGoBack = false
    while true {
      // Before the snapshot: others go on meanwhile.
      let shown = journal?.lastShown ?? 0
      do {
        return try environment.read(lease: lease) { transaction in
          let snapshot: Snapshot
          do {
            snapshot = try self.snapshot(transaction)
            let commit = snapshot.seal.commit
            if commit < shown {
              guard mayGoBack else { throw EarlierState() }
              journal?.goBack(to: commit)
            } else if commit > shown {
              journal?.show(commit)
            }
          } catch {
            throw Unread(
              state: Unread.State(
                transaction: transaction.id, stamp: journal?.stamp ?? 0), cause: error)
          }
          return try body(snapshot)
        }
      } catch let unread as Unread {
        let isEarlier = unread.cause is EarlierState
        // Of two stores under one name, either may be the earlier one.
        if isEarlier { try environment.checkFiles("read") }
        if isEarlier || unread.cause is PartedJournal {
          limit =
            limit
            ?? deadline(afterSeconds: isEarlier ? CommitJournal.readersPatience : PartedJournal.patience)
          if let limit, secondsLeft(until: limit) > 0 {
            usleep(isEarlier ? 500 : PartedJournal.pause)
            continue
          }
        }
        if isEarlier {
          mayGoBack = true
          continue
        }
        // The snapshot of LMDB may be older than the journal, from which commits have gone on to LMDB since.
        attempts += 1
        repetitions = unread.state == last ? repetitions + 1 : 1
        guard attempts < Self.attempts, repetitions < Self.mostRepetitions else {
          guard try checkPublished() else {
            // While others go on, what looks like damage may be what is used again.
            let isDamage = (unread.cause as? JournalError)?.isDamage == true
            throw isDamage && repetitions < Self.mostRepetitions ? outdated : unread.cause
          }
          (attempts, repetitions) = (0, 0)
          continue
        }
        last = unread.state
      }
    }
  }

  /// Looks whether what is published cannot be read because it is damaged, while nobody writes. Does nothing if others go on writing.
  /// - Returns: Whether to try again, as the journal's head was damaged.
  /// - Throws: `damaged`.
  private func checkPublished() throws -> Bool {
    guard let journal else { return false }
    func seal() throws -> Seal { try environment.read { try Self.readSeal($0, databases) } }
    do {
      guard journal.isReadOnly else {
        return try environment.inTurn(waiting: 1) { try journal.checkPublished(after: try seal()) }
      }
      let before = try seal()
      do { return try journal.checkPublished(after: before) } catch {
        guard try seal() == before else { return false }
        throw error
      }
    } catch let error as JournalError where error.isDamage {
      throw error
    } catch {
      // That is for the next attempt to tell.
      return false
    }
  }

  /// How often to take a snapshot. Each time somebody has taken thousands of commits to LMDB meanwhile.
  private static let attempts = 100
  /// How often to try with a state that stays as it is. More than once, since it may have become another one in the midst.
  private static let mostRepetitions = 3

  /// A snapshot is of an earlier commit than a read before it.
  private struct EarlierState: Error {}

  /// No snapshot could be made, for a reason that may have gone by now.
  private struct Unread: Error {
    struct State: Equatable {
      /// The number of the snapshot of LMDB. Not that of the last transaction in the file, which is there before it can be read.
      let transaction: UInt64
      /// The stamp of the journal's head.
      let stamp: UInt64
    }

    let state: State
    let cause: any Error
  }

  func snapshot(_ transaction: ReadTransaction) throws -> Snapshot {
    if environment.isFileCheckDue, try environment.checkFiles("read").hasLostJournal { handOver() }
    let memory = ReaderMemory.of(transaction, dictionaries)
    let latest = try seal(of: transaction, memory)
    // Before the tail, which then has all commits of this count and may have more.
    let count = journal?.count(memory?.tails) ?? 0
    guard latest.seal.isJournalInUse, let journal else {
      return snapshot(transaction, latest, nil, memory, count)
    }
    guard let tail = try journal.tail(after: latest.seal, memory?.tails) else { throw outdated }
    return snapshot(transaction, latest, tail, memory, count)
  }

  private var outdated: SatchelError {
    SatchelError(
      .io, "Other processes write so often that no snapshot could be taken: try again", ["store": directory])
  }

  private func snapshot(
    _ transaction: ReadTransaction, _ latest: SealOfTransaction, _ tail: Tail?, _ memory: ReaderMemory?,
    _ commitsOutside: UInt64 = 0
  ) -> Snapshot {
    let pending = tail.flatMap { $0.isEmpty ? nil : $0 }
    let forest = Forest(
      reading: transaction, nodes: databases.nodes, overflow: databases.texts, directory: latest.directory,
      pending: pending?.forest, cache: nodes, pageSize: Int(header.pageSize))
    return Snapshot(
      transaction: transaction, databases: databases, forest: forest, header: header, user: user,
      seal: pending?.seal ?? latest.seal, cache: dictionaries, memory: memory,
      tables: pending.map { TableReader(transaction, databases, tail: $0.tables) },
      tail: tail, commitsOutside: commitsOutside,
      aggregateEvaluator: aggregateEvaluator, companion: companion)
  }
}
