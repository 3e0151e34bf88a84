import Journal
import StoreFiles
import Synchronization

/// A journal's file in memory, which remembers its writes and syncs, and lets calls fail.
final class MemoryDisk: JournalStorage {
  /// What was done to the file, as far as it worked.
  enum Step: Sendable {
    case write(offset: Int, bytes: [UInt8])
    case sync
    case truncate
  }

  /// How a call fails.
  struct Fault: Sendable {
    /// The number of the call, from 0, of those that change something.
    var call: Int
    var number: Int32
    /// How much of a write is done nevertheless, in hundredths.
    var share: Int
    /// How many calls fail. Of those behind the first one nothing is done.
    var count = 1
  }

  private struct State {
    var bytes: [UInt8]
    var base: [UInt8]
    var steps: [Step] = []
    var calls = 0
    var fault: Fault?
    var mostAtOnce = Int.max
    var largestRead = 0
    var beforeNextSize: (@Sendable () -> Void)?
    var beforeNextRead: (@Sendable () -> Void)?
  }

  private let state: Mutex<State>
  /// Whether a sync does nothing, and says that it worked.
  let ignoresSyncs: Bool

  init(_ bytes: [UInt8] = [], ignoresSyncs: Bool = false) {
    state = Mutex(State(bytes: bytes, base: bytes))
    self.ignoresSyncs = ignoresSyncs
  }

  /// The file as a process sees it.
  var bytes: [UInt8] {
    get { state.withLock { $0.bytes } }
    set { state.withLock { $0.bytes = newValue } }
  }

  /// The file as it was on the disk in the beginning.
  var base: [UInt8] { state.withLock { $0.base } }
  var steps: [Step] { state.withLock { $0.steps } }
  var stepCount: Int { state.withLock { $0.steps.count } }
  /// How many calls there were that change something.
  var calls: Int { state.withLock { $0.calls } }
  var largestRead: Int { state.withLock { $0.largestRead } }

  func fail(_ fault: Fault) { state.withLock { $0.fault = fault } }

  /// Lets a write take at most so many bytes, without an error.
  func limitWrites(to count: Int) { state.withLock { $0.mostAtOnce = count } }

  /// Does something once, just before somebody is told the size of the file.
  func beforeNextSize(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.beforeNextSize = body } }

  /// Does something once, just before somebody reads.
  func beforeNextRead(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.beforeNextRead = body } }

  func size() throws(SystemFailure) -> Int {
    let body = state.withLock { state in
      defer { state.beforeNextSize = nil }
      return state.beforeNextSize
    }
    body?()
    return state.withLock { $0.bytes.count }
  }

  func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int {
    let body = state.withLock { state in
      defer { state.beforeNextRead = nil }
      return state.beforeNextRead
    }
    body?()
    return state.withLock { state in
      state.largestRead = max(state.largestRead, buffer.count)
      let count = max(0, min(buffer.count, state.bytes.count - offset))
      guard count > 0 else { return 0 }
      buffer.copyBytes(from: state.bytes[offset..<offset + count])
      return count
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int {
    let all = [UInt8](bytes)
    let result: Result<Int, SystemFailure> = state.withLock { state in
      let failed = Self.fault(&state)
      let count = failed.map { all.count * $0.share / 100 } ?? min(all.count, state.mostAtOnce)
      let done = Array(all.prefix(count))
      if !done.isEmpty {
        Self.put(done, at: offset, into: &state.bytes)
        state.steps.append(.write(offset: offset, bytes: done))
      }
      return failed.map { .failure(SystemFailure($0.number)) } ?? .success(count)
    }
    return try result.get()
  }

  func sync() throws(SystemFailure) {
    let failed = state.withLock { state in
      let failed = Self.fault(&state)
      if failed == nil, !ignoresSyncs { state.steps.append(.sync) }
      return failed
    }
    if let failed { throw SystemFailure(failed.number) }
  }

  func syncName() throws(SystemFailure) {
    if let failed = state.withLock({ Self.fault(&$0) }) { throw SystemFailure(failed.number) }
  }

  func truncate() throws(SystemFailure) {
    let failed = state.withLock { state in
      let failed = Self.fault(&state)
      if failed == nil {
        state.bytes = []
        state.steps.append(.truncate)
      }
      return failed
    }
    if let failed { throw SystemFailure(failed.number) }
  }

  func identity() throws(SystemFailure) -> FileIdentity { FileIdentity(device: 0, inode: 0) }

  static func put(_ bytes: [UInt8], at offset: Int, into file: inout [UInt8]) {
    let missing = offset + bytes.count - file.count
    if missing > 0 { file.append(contentsOf: repeatElement(0, count: missing)) }
    file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
  }

  private static func fault(_ state: inout State) -> Fault? {
    defer { state.calls += 1 }
    guard var fault = state.fault, fault.call..<fault.call + fault.count ~= state.calls else { return nil }
    if state.calls > fault.call { fault.share = 0 }
    return fault
  }
}
