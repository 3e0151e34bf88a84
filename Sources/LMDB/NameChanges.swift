#if !canImport(Darwin)
  internal import CLMDB
  internal import Synchronization

  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #endif

  /// Says whether something has happened to names in a directory, or to its own: inotify.
  ///
  /// The system puts it in a queue before the call that does it returns. Asking an empty queue costs a small part of asking for the
  /// names, also where other files come and go all the time.
  final class NameChanges: Sendable {
    private let file: Int32
    private let names: [[UInt8]]
    /// Whether the kernel has removed the watch, as it does when a file system is unmounted.
    private let isOver = Atomic(false)

    /// Nil if the system grants no more watches or descriptors.
    init?(of names: [String], in directory: Int32) {
      self.names = names.map { Array($0.utf8) }
      file = inotify_init1(O_NONBLOCK | O_CLOEXEC)
      // The directory itself, wherever its path leads by now.
      guard file >= 0, unsafe inotify_add_watch(file, "/proc/self/fd/\(directory)", Self.events) >= 0 else {
        return nil
      }
    }

    deinit { if file >= 0 { close(file) } }

    /// Whether something has happened since the last call. Says so for ever once nothing more is reported.
    func take() -> Bool {
      if isOver.load(ordering: .relaxed) { return true }
      return unsafe withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 8) { buffer in
        var found = false
        while true {
          let count = unsafe read(file, buffer.baseAddress, buffer.count)
          guard count > 0 else { return found || errno != EAGAIN }
          var offset = 0
          while offset + Self.header <= count {
            let mask = unsafe buffer.load(fromByteOffset: offset + 4, as: UInt32.self)
            let length = Int(unsafe buffer.load(fromByteOffset: offset + 12, as: UInt32.self))
            if mask & UInt32(IN_IGNORED) != 0 { isOver.store(true, ordering: .relaxed) }
            offset += Self.header
            let name = unsafe buffer[offset..<min(offset + length, count)].prefix { $0 != 0 }
            // What has no name concerns the directory, or the queue was too short.
            let isOurs = unsafe name.isEmpty || names.contains { unsafe name.elementsEqual($0) }
            found = found || isOurs
            offset += length
          }
        }
      }
    }

    private static let events = UInt32(
      IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_MOVE_SELF | IN_DELETE_SELF)
    /// Bytes of an event before its name: watch, mask, cookie, length of the name.
    private static let header = 16
  }
#endif
