internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Runs a body on another thread and waits for it.
func onAnotherThread(_ body: () throws -> Void) throws {
  try withoutActuallyEscaping(body) { body in
    let work = UncheckedBody(body)
    let group = DispatchGroup()
    let failure = Mutex<(any Error)?>(nil)
    DispatchQueue(label: "other").async(group: group) {
      do { try work.body() } catch { failure.withLock { $0 = error } }
    }
    group.wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }
}

/// A body that its caller waits for: nobody else runs meanwhile.
private final class UncheckedBody: @unchecked Sendable {
  let body: () throws -> Void

  init(_ body: @escaping () throws -> Void) { self.body = body }
}

enum Descriptor {
  /// Opens a file for writing for as long as a body runs.
  static func writing(_ path: String, _ body: (Int32) throws -> Void) throws {
    let file = open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { throw TortureError("cannot open \(path)") }
    defer { close(file) }
    try body(file)
  }
}
