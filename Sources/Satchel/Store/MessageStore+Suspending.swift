import SatchelStorage
import StoreFiles

extension MessageStore {
  /// Gives the store's files back until `resume()`: no lock, no map and no descriptor of them is left, and no thread. For an app
  /// that its system is about to suspend: see <doc:SuspendingAStore>.
  ///
  /// Everything that a write has returned for is in the files, as its durability says. No checkpoint is made, and one that is at
  /// work is broken off. Until it is resumed, reads and writes throw `suspended`, live queries keep what they show and tell
  /// nothing, and whoever waits for commits or for a message goes on waiting.
  ///
  /// Reads and writes that have begun are let end; writes that wait for their turn, or for another process, throw `suspended`. A read of many
  /// results that still runs after half the time throws `suspended` as well. If the process has other objects for the same store,
  /// its files stay open for these: suspend all of them.
  ///
  /// May be called from any thread, also by several at once and again. Does nothing for a store that has been closed.
  /// - Parameter limit: How long to wait for what has begun; mostly nothing has, and it takes a millisecond.
  /// - Throws: ``SatchelError`` `busy` if a read, a write or an import still holds files after that time; `found` in its context names
  ///   it. The store is suspended all the same, and what has begun last gives the files back when it ends. `nestedTransaction` inside
  ///   a read or a write of this store on the same thread; then nothing has changed.
  public func suspend(waitingUpTo limit: Duration = .milliseconds(100)) throws {
    try base.suspend(until: limit.fromNow)
  }

  /// Gives the store's files back, as the synchronous form does, without blocking the caller's actor. Cancelling the task has no
  /// effect.
  /// - Parameter limit: As of the synchronous form.
  /// - Throws: As the synchronous form.
  public func suspend(waitingUpTo limit: Duration = .milliseconds(100)) async throws {
    let deadline = limit.fromNow
    try await base.aside { [base] in try base.suspend(until: deadline) }
  }

  /// Opens the files of a suspended store again, and goes on with what others have committed meanwhile: live queries are brought up to date
  /// and tell what has changed, as ever. Does nothing if the store is open.
  ///
  /// Takes as long as opening it: milliseconds, or up to five seconds if another process has been stopped while it opens or closes
  /// the store.
  /// - Throws: ``SatchelError`` `storeReplaced` if other files are in the place of the store's, or an earlier state of them: close it, and
  ///   open what is there; what opening it throws; `closed`; `nestedTransaction`. The store is suspended then as before.
  public func resume() throws { try base.resume() }

  /// Opens the files of a suspended store again, as the synchronous form does, without blocking the caller's actor. Cancelling the
  /// task has no effect.
  /// - Throws: As the synchronous form.
  public func resume() async throws { try await base.aside { [base] in try base.resume() } }
}

extension Duration {
  /// The time that is so far from now.
  fileprivate var fromNow: UInt64 {
    deadline(afterSeconds: Double(components.seconds) + Double(components.attoseconds) / 1e18)
  }
}
