#if !canImport(Darwin)
  internal import CSystem
  internal import Synchronization

  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #endif

  /// What the system tells of changes of open files and directories: inotify's queue of events.
  ///
  /// An event is there before the call that causes it returns. Asking an empty queue costs one call of the system.
  final class ChangeQueue: Sendable {
    /// The descriptor, for those who wait for events.
    let file: Int32
    private let ended = Atomic(false)

    /// Nil if the system grants no more queues or descriptors.
    init?() {
      file = inotify_init1(O_NONBLOCK | O_CLOEXEC)
      if file < 0 { return nil }
    }

    deinit { close(file) }

    /// Asks for events of an open file or directory, wherever its path leads by now. Returns false if the system grants no more.
    func add(_ descriptor: Int32, _ events: Int32) -> Bool {
      unsafe inotify_add_watch(file, "/proc/self/fd/\(descriptor)", UInt32(events)) >= 0
    }

    /// Whether the kernel has removed what was asked for, as it does when a file system is unmounted: nothing more is told.
    var isOver: Bool { ended.load(ordering: .relaxed) }

    /// Takes all events from the queue. The kernel does not queue an event that is equal to the last one there, so there are few.
    /// - Parameter body: Called with the name in the directory that an event is of; empty if it is of what was asked for itself, or if
    ///   events were lost.
    /// - Returns: False if the queue could not be read.
    @discardableResult
    func takeAll(_ body: (_ name: Slice<UnsafeMutableRawBufferPointer>) -> Void = { _ in }) -> Bool {
      unsafe withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 8) { buffer in
        while true {
          let count = unsafe read(file, buffer.baseAddress, buffer.count)
          guard count > 0 else { return errno == EAGAIN }
          var offset = 0
          while offset + Self.header <= count {
            let mask = unsafe buffer.load(fromByteOffset: offset + 4, as: UInt32.self)
            let length = Int(unsafe buffer.load(fromByteOffset: offset + 12, as: UInt32.self))
            if mask & UInt32(IN_IGNORED) != 0 { ended.store(true, ordering: .relaxed) }
            offset += Self.header
            unsafe body(buffer[offset..<min(offset + length, count)].prefix { $0 != 0 })
            offset += length
          }
        }
      }
    }

    /// Bytes of an event before its name: watch, mask, cookie, length of the name.
    private static let header = 16
  }
#endif
