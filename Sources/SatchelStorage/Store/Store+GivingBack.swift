internal import CommitEngine
internal import LMDB
internal import SatchelCoding
internal import StoreFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// How free pages go back to the file system: beside the commits, after a checkpoint, and after much that was deleted has left the
/// tables.
extension Store {
  /// Makes what the last commit of LMDB has given up usable, and gives back to the file system what the next ones do not need, in
  /// short steps, beside the commits of a store that is open. If a step fails, that is all: the next checkpoint goes on.
  func giveBackPages() {
    // The disk may have less than before.
    environment.findShortage()
    giveBackPages(for: Self.secondsBesideCommits, pause: Self.pauseOfGivingBack) {
      condition.load(ordering: .relaxed) == .open
    }
  }

  /// Does the same after the last checkpoint, when the last process closes the store, which waits for it: as long as it has waited for that
  /// checkpoint, a tenth of a second at least, and nobody else waits for LMDB.
  /// - Parameter start: When the checkpoint began.
  func giveBackLastPages(since start: UInt64) {
    let seconds = Double(monotonicNanoseconds() - start) / 1e9
    giveBackPages(for: min(max(seconds, Self.secondsOfClosing), Self.secondsBesideCommits), pause: 0) { true }
  }

  private func giveBackPages(for seconds: Double, pause: UInt32, while mayGoOn: () -> Bool) {
    guard !environment.isShortOfRoom else { return }
    let limit = deadline(afterSeconds: seconds)
    makePagesUsable(waiting: min(seconds, 1))
    guard environment.hasBlocksToGiveBack else { return }
    var progress = Environment.GivingBack()
    while !progress.isOver, mayGoOn(), secondsLeft(until: limit) > 0 {
      guard (try? environment.giveBackPages(&progress)) != nil else { return }
      // Whoever waits for LMDB's write transaction gets it.
      if pause > 0, !progress.isOver { usleep(pause) }
    }
  }

  /// Makes a commit of LMDB that changes nothing, if the last one has given up many pages: LMDB uses pages again two transactions after
  /// the one that has given them up. Without it the file would have as many pages again as a checkpoint changes.
  ///
  /// It takes a writer's turn. A write that has begun on a snapshot, and finds that LMDB has a later state, takes that for one with a
  /// shorter tail, in other memory: of the same tail it would give up the memory that its own changes are in.
  private func makePagesUsable(waiting seconds: Double) {
    let given = try? environment.read { transaction in
      try transaction.pagesAside()?.freed.last { $0.transaction == transaction.id }?.pages
    }
    guard let pages = given ?? nil, pages >= environment.options.givingBack.manyPages else { return }
    try? writeSealAgain(waiting: seconds)
  }

  /// Gives back what was deleted in bulk and has left the tables, if that was much: without waiting for as many commits as a
  /// checkpoint is made after.
  func giveBackWhatWasPurged() {
    guard let journal, journal.isAppending else { return giveBackPages() }
    // One that is being made may have begun before the last of it went.
    journal.checkpointer.wait(until: deadline(afterSeconds: Environment.patience))
    journal.checkpointer.request(at: journal.lastKnown, renewals: environment.mapRenewals)
    beginCheckpoint()
  }

  private static let secondsBesideCommits = 5.0
  private static let secondsOfClosing = 0.1
  private static let pauseOfGivingBack: UInt32 = 1000
}
