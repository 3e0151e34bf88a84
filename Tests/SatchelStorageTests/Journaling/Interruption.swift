import Journal
import LMDB
import Synchronization

/// Something that happens once, while a commit is on its way to the disk.
final class Interruption: Sendable {
  private struct State {
    var action: (@Sendable () -> Void)?
    var hasHappened = false
  }

  private let state = Mutex(State())

  /// Has it happen before the journal's next sync.
  func beforeSync(_ action: @escaping @Sendable () -> Void) { state.withLock { $0 = State(action: action) } }

  /// Whether it has happened.
  var hasHappened: Bool { state.withLock { $0.hasHappened } }

  /// What stands between a journal and its file.
  var interposer: JournalInterposer { { Storage(storage: $0, interruption: self) } }

  private func happen() {
    let action = state.withLock { state in
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
      try storage.read(buffer, at: offset)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int {
      try storage.write(bytes, at: offset)
    }

    func sync() throws(SystemFailure) {
      interruption.happen()
      try storage.sync()
    }

    func syncName() throws(SystemFailure) { try storage.syncName() }

    func truncate() throws(SystemFailure) { try storage.truncate() }

    func identity() throws(SystemFailure) -> FileIdentity { try storage.identity() }
  }
}
