import TerminalInterface

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What ends a command that would go on for ever.
struct WatchEnd {
  private let path: String
  private let file: (device: dev_t, number: ino_t)?

  /// Remembers the file of a store that has been opened.
  init(store: String) {
    path = store + "/data.mdb"
    file = Self.file(at: path)
  }

  /// Makes SIGINT and SIGTERM end the program with status 0, whatever its threads are doing, even if the process that
  /// started it ignores them. Makes the signals that LMDB causes with damaged pages end it with a line on standard
  /// error and status 1.
  static func exitOnSignals() {
    for number in [SIGINT, SIGTERM] { signal(number) { _ in _exit(ExitStatus.success) } }
    for number in [SIGBUS, SIGSEGV, SIGABRT] {
      signal(number) { _ in
        let message: StaticString =
          "satchel: The file of the store was cut off, or pages of LMDB's own are damaged: verify looks closer\n"
        _ = unsafe write(2, message.utf8Start, message.utf8CodeUnitCount)
        _exit(ExitStatus.failure)
      }
    }
  }

  /// Returns when nobody reads standard output any more, as far as the system tells; never if it is a file.
  /// - Throws: `ToolError` if the store's file was removed or replaced: the old file cannot change any more.
  func wait() throws {
    var status = stat()
    let isRead = unsafe fstat(1, &status) == 0 && [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    while true {
      // Without events to wait for, `poll` returns for an error or a hang-up only.
      var request = pollfd(fd: isRead ? 1 : -1, events: 0, revents: 0)
      if unsafe poll(&request, 1, Self.interval) > 0 { return }
      let now = Self.file(at: path)
      guard now?.device == file?.device, now?.number == file?.number else {
        throw ToolError("the store was removed or replaced while it was watched: \(path) is another file now")
      }
    }
  }

  private static func file(at path: String) -> (device: dev_t, number: ino_t)? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? (status.st_dev, status.st_ino) : nil
  }

  /// The milliseconds between two checks of the store's file.
  private static let interval: Int32 = 1000
}
