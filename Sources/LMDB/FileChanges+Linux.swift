#if !canImport(Darwin)
  internal import CLMDB
  internal import Synchronization

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
    private let file: Int32
    private let calls: Int32
    /// Whether the kernel has removed the watch, as it does when a file system is unmounted.
    private let isOver = Atomic(false)

    /// Watches an open file. Nil if the system grants no more watches or descriptors.
    init?(file descriptor: Int32) {
      file = inotify_init1(O_NONBLOCK | O_CLOEXEC)
      calls = eventfd(0, O_NONBLOCK | O_CLOEXEC)
      guard file >= 0, calls >= 0, add(file: descriptor) else { return nil }
    }

    /// Watches one more open file. Returns false if the system grants no more watches.
    @discardableResult
    func add(file descriptor: Int32) -> Bool {
      // The file itself, wherever its path leads by now.
      unsafe inotify_add_watch(file, "/proc/self/fd/\(descriptor)", UInt32(IN_MODIFY)) >= 0
    }

    deinit {
      if file >= 0 { close(file) }
      if calls >= 0 { close(calls) }
    }

    /// Whether changes of the file are no longer reported.
    var isBlind: Bool { isOver.load(ordering: .relaxed) }

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
          at: 1, to: pollfd(fd: callsOnly ? -1 : file, events: Int16(POLLIN), revents: 0))
        guard unsafe poll(asked.baseAddress, 2, Int32(clamping: milliseconds ?? -1)) > 0 else { return .time }
        if unsafe asked[1].revents != 0 { forgetChanges() }
        guard unsafe asked[0].revents != 0 else { return .file }
        forgetCalls()
        return .call
      }
    }

    private func forgetCalls() {
      var count: UInt64 = 0
      _ = unsafe read(calls, &count, MemoryLayout<UInt64>.size)
    }

    /// Reads the queue of events until it is empty. The kernel does not queue an event that is equal to the last one in
    /// the queue, so there are few.
    private func forgetChanges() {
      unsafe withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 8) { buffer in
        while true {
          let count = unsafe read(file, buffer.baseAddress, buffer.count)
          guard count > 0 else { return }
          var offset = 0
          while offset + Self.eventHeader <= count {
            let mask = unsafe buffer.load(fromByteOffset: offset + 4, as: UInt32.self)
            let name = unsafe buffer.load(fromByteOffset: offset + 12, as: UInt32.self)
            if mask & UInt32(IN_IGNORED) != 0 { isOver.store(true, ordering: .relaxed) }
            offset += Self.eventHeader + Int(name)
          }
        }
      }
    }

    /// Bytes of an event before its name: watch, mask, cookie, length of the name.
    private static let eventHeader = 16
  }
#endif
