import Journal
import StoreFiles
import Synchronization

/// The calls that a store makes of its journal's file, one of which fails.
final class FailingCalls: Sendable {
  struct Fault {
    /// The number of the call, from 0.
    let call: Int
    let error: Int32
  }

  private struct State {
    var isCounting = false
    var count = 0
    var fault: Fault?
  }

  private let state = Mutex(State())

  /// Counts calls from now on, and lets one fail.
  func begin(_ fault: Fault?) { state.withLock { $0 = State(isCounting: true, count: 0, fault: fault) } }

  /// Ends that, and returns how many calls there were.
  @discardableResult
  func end() -> Int {
    state.withLock { state in
      state.isCounting = false
      return state.count
    }
  }

  fileprivate func call() throws(SystemFailure) {
    let error: Int32? = state.withLock { state in
      guard state.isCounting else { return nil }
      defer { state.count += 1 }
      return state.fault?.call == state.count ? state.fault?.error : nil
    }
    if let error { throw SystemFailure(error) }
  }

  /// What stands between a journal and its file.
  var interposer: JournalInterposer { { FailingStorage(storage: $0, calls: self) } }
}

/// A journal's file whose calls may fail.
private struct FailingStorage: JournalStorage {
  let storage: any JournalStorage
  let calls: FailingCalls

  func identity() throws(SystemFailure) -> FileIdentity { try storage.identity() }

  func size() throws(SystemFailure) -> Int {
    try calls.call()
    return try storage.size()
  }

  func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int {
    try calls.call()
    return try storage.read(buffer, at: offset)
  }

  /// A write that fails has written the first half.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int {
    do throws(SystemFailure) {
      try calls.call()
    } catch {
      _ = try storage.write(UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 2)]), at: offset)
      throw error
    }
    return try storage.write(bytes, at: offset)
  }

  func sync() throws(SystemFailure) {
    try calls.call()
    try storage.sync()
  }

  func syncName() throws(SystemFailure) {
    try calls.call()
    try storage.syncName()
  }

  func truncate() throws(SystemFailure) {
    try calls.call()
    try storage.truncate()
  }
}
