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
    guard BackgroundThread.start({ worker.loop() }) else { return nil }
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
