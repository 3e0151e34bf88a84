import Journal
import StoreFiles
import Synchronization

/// Something that happens once, while a commit is on its way to the disk, or is being read.
final class Interruption: Sendable {
  private enum Call { case sync, read }

  private struct State {
    var call = Call.sync
    var action: (@Sendable () -> Void)?
    var hasHappened = false
  }

  private let state = Mutex(State())

  /// Has it happen before the journal's next sync.
  func beforeSync(_ action: @escaping @Sendable () -> Void) {
    state.withLock { $0 = State(call: .sync, action: action) }
  }

  /// Has it happen before the journal is read the next time.
  func beforeRead(_ action: @escaping @Sendable () -> Void) {
    state.withLock { $0 = State(call: .read, action: action) }
  }

  /// Whether it has happened.
  var hasHappened: Bool { state.withLock { $0.hasHappened } }

  /// What stands between a journal and its file.
  var interposer: JournalInterposer { { Storage(storage: $0, interruption: self) } }

  private func happen(at call: Call) {
    let action = state.withLock { state -> (@Sendable () -> Void)? in
      guard state.call == call else { return nil }
      defer { state.action = nil }
      if state.action != nil { state.hasHappened = true }
      return state.action
    }
    action?()
  }

  private struct Storage: JournalStorage {
    let storage: any JournalStorage
    let interruption: Interruption

    func size() throws(SystemFailure) -> Int { try storage.size() }

    func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int {
      interruption.happen(at: .read)
      return try storage.read(buffer, at: offset)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int {
      try storage.write(bytes, at: offset)
    }

    func sync() throws(SystemFailure) {
      interruption.happen(at: .sync)
      try storage.sync()
    }

    func syncName() throws(SystemFailure) { try storage.syncName() }

    func truncate() throws(SystemFailure) { try storage.truncate() }

    func identity() throws(SystemFailure) -> FileIdentity { try storage.identity() }
  }
}
