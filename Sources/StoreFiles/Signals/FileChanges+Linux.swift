#if !canImport(Darwin)
  internal import CSystem

  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #endif

  /// The object that a thread sleeps on until any process writes to a file that it watches, or until `call` is called: inotify and an
  /// eventfd.
  ///
  /// Neither lasts beyond a fork and exec. Any thread may call; one thread at a time waits.
  final class FileChanges: Sendable {
    private let queue: ChangeQueue
    private let calls: Int32

    /// Watches an open file. Nil if the system grants no more watches or descriptors.
    init?(file descriptor: Int32) {
      guard let queue = ChangeQueue() else { return nil }
      self.queue = queue
      calls = eventfd(0, O_NONBLOCK | O_CLOEXEC)
      guard calls >= 0, add(file: descriptor) else { return nil }
    }

    /// Watches one more open file. Returns false if the system grants no more watches.
    @discardableResult
    func add(file descriptor: Int32) -> Bool { queue.add(descriptor, IN_MODIFY) }

    deinit {
      if calls >= 0 { close(calls) }
    }

    /// Whether changes of the file are no longer reported.
    var isBlind: Bool { queue.isOver }

    /// Ends the current wait, or else the next one.
    func call() {
      var one: UInt64 = 1
      // The write fails only if the counter is at its maximum, and then the wait ends anyway.
      _ = unsafe write(calls, &one, MemoryLayout<UInt64>.size)
    }

    /// Sleeps until the file has changed (unless `callsOnly`), `call` was called or the time is over, and clears what
    /// was reported. May return early.
    func wait(callsOnly: Bool, milliseconds: Int?) -> BellCause {
      unsafe withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 2) { asked in
        unsafe asked.initializeElement(at: 0, to: pollfd(fd: calls, events: Int16(POLLIN), revents: 0))
        // `poll` ignores a negative descriptor.
        unsafe asked.initializeElement(
          at: 1, to: pollfd(fd: callsOnly ? -1 : queue.file, events: Int16(POLLIN), revents: 0))
        guard unsafe poll(asked.baseAddress, 2, Int32(clamping: milliseconds ?? -1)) > 0 else { return .time }
        if unsafe asked[1].revents != 0 { unsafe queue.takeAll() }
        guard unsafe asked[0].revents != 0 else { return .file }
        forgetCalls()
        return .call
      }
    }

    private func forgetCalls() {
      var count: UInt64 = 0
      _ = unsafe read(calls, &count, MemoryLayout<UInt64>.size)
    }
  }
#endif
