/// The thread of a store on which its asynchronous writes run, one after another.
///
/// A write transaction belongs to the thread that began it, and Swift does not promise that a task stays on one
/// thread. The thread starts with the first job and ends when it is told to stop; the system cleans up after it.
final class WriterThread: Sendable {
  private struct Desk: Sendable {
    var work: (@Sendable () -> Void)?
    var isStopping = false
  }

  private let desk = Monitor(Desk())

  private init() {}

  /// Starts a thread. Returns nil, with `errno` set, if the system has no thread left.
  static func start() -> WriterThread? {
    let worker = WriterThread()
    guard BackgroundThread.start({ worker.loop() }) else { return nil }
    return worker
  }

  /// Gives the thread its next work. The work before it has ended, or makes this call as its last step.
  func run(_ work: @escaping @Sendable () -> Void) {
    desk.locked { $0.work = work }
    desk.notify()
  }

  /// Ends the thread after the work that it has.
  func stop() {
    desk.locked { $0.isStopping = true }
    desk.notify()
  }

  private func loop() {
    while true {
      let work: (@Sendable () -> Void)? = desk.locked(when: { $0.work != nil || $0.isStopping }) { desk, _ in
        defer { desk.work = nil }
        return desk.work
      }
      guard let work else { return }
      work()
    }
  }
}
