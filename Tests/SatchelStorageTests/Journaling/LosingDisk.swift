import Journal
import StoreFiles
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A disk under a journal's file: some calls fail, and a sync that fails loses what it should have written. The system goes on
/// to show that to programs, and holds it for written.
final class LosingDisk: Sendable {
  private struct State {
    var calls = 0
    var failing = 0..<0
    var failsNextSync = false
    /// What a power cut would leave.
    var bytes: [UInt8] = []
    var pending: [(offset: Int, bytes: [UInt8])] = []
  }

  private let state = Mutex(State())

  /// - Parameter failing: The numbers, from 0, of those calls that fail of all that change the file.
  init(failing: Range<Int> = 0..<0) { state.withLock { $0.failing = failing } }

  /// What a power cut would leave of the file, if the disk has written nothing by itself.
  var bytes: [UInt8] { state.withLock { $0.bytes } }

  /// What it would leave if the disk has written everything by itself but for what a sync has lost.
  var written: [UInt8] {
    state.withLock { state in
      var bytes = state.bytes
      for write in state.pending { Self.put(write, into: &bytes) }
      return bytes
    }
  }

  private static func put(_ write: (offset: Int, bytes: [UInt8]), into bytes: inout [UInt8]) {
    let missing = write.offset + write.bytes.count - bytes.count
    if missing > 0 { bytes += repeatElement(0, count: missing) }
    bytes.replaceSubrange(write.offset..<write.offset + write.bytes.count, with: write.bytes)
  }

  /// Lets the next sync fail.
  func failNextSync() { state.withLock { $0.failsNextSync = true } }

  /// How many calls were made.
  var calls: Int { state.withLock { $0.calls } }

  /// What stands between a journal and its file.
  var interposer: JournalInterposer { { Storage(storage: $0, disk: self) } }

  private func change(
    isSync: Bool = false, _ body: (inout State, _ fails: Bool) -> Void
  ) throws(SystemFailure) {
    let fails = state.withLock { state in
      defer { state.calls += 1 }
      let fails = state.failing.contains(state.calls) || isSync && state.failsNextSync
      if isSync { state.failsNextSync = false }
      body(&state, fails)
      return fails
    }
    if fails { throw SystemFailure(EIO) }
  }

  private struct Storage: JournalStorage {
    let storage: any JournalStorage
    let disk: LosingDisk

    func size() throws(SystemFailure) -> Int { try storage.size() }
    func identity() throws(SystemFailure) -> FileIdentity { try storage.identity() }

    func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int {
      try storage.read(buffer, at: offset)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int {
      try disk.change { state, fails in if !fails { state.pending.append((offset, Array(bytes))) } }
      return try storage.write(bytes, at: offset)
    }

    func sync() throws(SystemFailure) {
      try disk.change(isSync: true) { state, fails in
        for write in state.pending where !fails { LosingDisk.put(write, into: &state.bytes) }
        state.pending = []
      }
      try storage.sync()
    }

    func syncName() throws(SystemFailure) {
      try disk.change { _, _ in }
      try storage.syncName()
    }

    func truncate() throws(SystemFailure) {
      try disk.change { state, fails in
        guard !fails else { return }
        state.bytes = []
        state.pending = []
      }
      try storage.truncate()
    }
  }
}
