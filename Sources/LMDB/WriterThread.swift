#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The thread of a store on which its asynchronous writes run, one after another.
///
/// A write transaction belongs to the thread that began it, and Swift does not promise that a task stays on one
/// thread. The thread starts with the first job and ends when it is told to stop; the system cleans up after it.
final class WriterThread: Sendable {
  private struct Desk: Sendable {
    var job: (any QueuedWrite)?
    var isStopping = false
  }

  private let desk = Monitor(Desk())
  private let afterJob: @Sendable () -> Void

  /// Starts a thread; nil, with `errno` set, when the system has none left. `afterJob` runs on it after each job.
  static func start(afterJob: @escaping @Sendable () -> Void) -> WriterThread? {
    let worker = WriterThread(afterJob: afterJob)
    let context = Unmanaged.passRetained(worker)
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // As much as a main thread has: Apple's other threads get 512 KiB, and a write runs the caller's code.
    pthread_attr_setstacksize(&attributes, 8 << 20)
    #if canImport(Darwin)
      var thread: pthread_t?
      let code = pthread_create(&thread, &attributes, { WriterThread.main($0) }, context.toOpaque())
    #else
      var thread = pthread_t()
      let code = pthread_create(
        &thread, &attributes, { argument in argument.flatMap { WriterThread.main($0) } }, context.toOpaque())
    #endif
    guard code == 0 else {
      context.release()
      errno = code
      return nil
    }
    return worker
  }

  private init(afterJob: @escaping @Sendable () -> Void) {
    self.afterJob = afterJob
  }

  /// Hands over a job; the one before has ended.
  func run(_ job: any QueuedWrite) {
    desk.locked { $0.job = job }
    desk.notify()
  }

  /// Lets the thread end after the job it may be at.
  func stop() {
    desk.locked { $0.isStopping = true }
    desk.notify()
  }

  private static func main(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<WriterThread>.fromOpaque(argument).takeRetainedValue().loop()
    return nil
  }

  private func loop() {
    while true {
      let job: (any QueuedWrite)? = desk.locked(when: { $0.job != nil || $0.isStopping }) { desk, _ in
        defer { desk.job = nil }
        return desk.job
      }
      guard let job else { return }
      job.run()
      afterJob()
    }
  }
}
