#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Threads of our own, for work that blocks: the threads that Swift's tasks share must not block.
package enum BackgroundThread {
  /// Runs `body` on a new thread, which ends when `body` returns. Returns false, with `errno` set, if the system has no
  /// thread left.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let context = unsafe Unmanaged.passRetained(Work(body))
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // As much as a main thread has: Apple's other threads get 512 KiB, and the work runs the caller's code.
    unsafe pthread_attr_setstacksize(&attributes, 8 << 20)
    #if canImport(Darwin)
      var thread: pthread_t?
      let code = unsafe pthread_create(
        &thread, &attributes, { unsafe Work.run($0) }, context.toOpaque())
    #else
      var thread = pthread_t()
      let code = unsafe pthread_create(
        &thread, &attributes, { argument in unsafe argument.flatMap { unsafe Work.run($0) } },
        context.toOpaque())
    #endif
    guard code == 0 else {
      unsafe context.release()
      errno = code
      return false
    }
    return true
  }

  private final class Work: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }

    static func run(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
      unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
      return nil
    }
  }
}
