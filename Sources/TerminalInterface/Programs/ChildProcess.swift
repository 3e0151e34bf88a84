import SatchelInterchange
import StoreFiles

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// This program, run once more: for work during which a damaged file may crash it, or which somebody may want to interrupt.
package enum ChildProcess {
  /// Why a program could not be run.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  package enum End {
    case exited(Int32)
    /// Ended by a signal that says the program did something it must not do.
    case crashed(Int32)
    /// Ended by a signal that somebody sent.
    case ended(Int32)
  }

  /// Runs the program with these arguments and with this process's input and output, and waits for its end. Returns
  /// nil if it cannot be started. What it writes to standard error is passed on, unless it crashes.
  package static func run(_ arguments: [String]) throws -> End? {
    guard let program = executable else { return nil }
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    defer { close(ends[0]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = unsafe noActions
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
    for end in ends { unsafe posix_spawn_file_actions_addclose(&actions, end) }
    let process = try? unsafe spawn(program, arguments, &actions)
    close(ends[1])
    guard let process else { return nil }
    let errors = readAll(ends[0])
    guard let end = try? wait(for: process) else { return nil }
    if case .crashed = end { return end }
    try? FileDescriptor.write(2, errors[...])
    return end
  }

  #if canImport(Glibc) || canImport(Musl)
    private typealias FileActions = posix_spawn_file_actions_t
    private static var noActions: FileActions { unsafe FileActions() }
  #else
    private typealias FileActions = posix_spawn_file_actions_t?
    private static var noActions: FileActions { nil }
  #endif

  /// Starts the program.
  /// - Throws: `Failure` with the reason of the system.
  private static func spawn(
    _ program: String, _ arguments: [String], _ actions: inout FileActions
  ) throws -> pid_t {
    var process: pid_t = 0
    // Swift's runtime would print pages about a crash, which is an expected answer here.
    unsafe setenv("SWIFT_BACKTRACE", "enable=no", 1)
    let code = unsafe withStrings([program] + arguments) {
      unsafe posix_spawn(&process, program, &actions, nil, $0, environ)
    }
    guard code == 0 else {
      // The system's words name neither.
      if code == E2BIG, let longest = arguments.max(by: { $0.utf8.count < $1.utf8.count }) {
        throw Failure(
          description: "the arguments are too long for a program, one of them \(longest.utf8.count) bytes; "
            + "the system takes \(argumentLimit): what is larger comes into a store by import")
      }
      throw Failure(
        description: "\(program) cannot be started: \(unsafe String(cString: strerror(code)))")
    }
    return process
  }

  /// What the system takes of one argument and of all, in words.
  private static var argumentLimit: String {
    #if os(Linux)
      "131,071 bytes of each, and \(sysconf(Int32(_SC_ARG_MAX))) of all"
    #else
      "\(sysconf(Int32(_SC_ARG_MAX))) of all"
    #endif
  }

  /// Waits for the end of a process that was started.
  private static func wait(for process: pid_t) throws -> End {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else {
        throw Failure(
          description:
            "the end of process \(process) cannot be told: \(unsafe String(cString: strerror(errno)))")
      }
    }
    let signal = status & 0x7f
    let crashes = [SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP, SIGFPE]
    if crashes.contains(signal) { return .crashed(signal) }
    return signal == 0 ? .exited(status >> 8 & 0xff) : .ended(signal)
  }

  /// Runs the program with these arguments and with this process's output, and waits for its end. Signals of the terminal reach it, and
  /// those that ask this process to end are passed on.
  /// - Parameter takesInput: Whether it has this process's input; otherwise it has none.
  /// - Throws: `Failure` if it cannot be started.
  package static func runInForeground(_ arguments: [String], takesInput: Bool) throws -> End {
    guard let program = executable else {
      throw Failure(description: "the file of this program cannot be found")
    }
    var actions = unsafe noActions
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    if !takesInput { unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) }
    return try TerminalSignals.passingEnds { pass in
      let process = try unsafe spawn(program, arguments, &actions)
      pass(process)
      return try wait(for: process)
    }
  }

  /// Ends this process as soon as the one that has started it by `run` is gone, however that ended: nobody waits for a
  /// result any more, and who works on keeps the locks of the store. What is not committed is undone, as at any end.
  ///
  /// Standard error is a pipe to the process that has started this one: without that, nobody reads from it.
  package static func endWithStarter() {
    _ = BackgroundThread.start {
      var reader = pollfd(fd: 2, events: 0, revents: 0)
      while unsafe poll(&reader, 1, -1) < 0 {
        guard errno == EINTR || errno == EAGAIN else { return }
      }
      if Int32(reader.revents) & Int32(POLLERR | POLLHUP) != 0 { _exit(1) }
    }
  }

  /// The path of this program's file.
  private static var executable: String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    #if canImport(Darwin)
      var size = UInt32(buffer.count)
      guard unsafe _NSGetExecutablePath(&buffer, &size) == 0 else { return nil }
    #else
      guard unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1) > 0 else { return nil }
    #endif
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Calls `body` with the strings as C strings, with a nil after the last.
  private static func withStrings<R>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R
  ) -> R {
    var pointers = unsafe strings.map { unsafe strdup($0) } + [nil]
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe pointers.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("it holds at least the nil") }
      return unsafe body(base)
    }
  }

  private static func readAll(_ file: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe read(file, &buffer, buffer.count)
      if count > 0 {
        bytes.append(contentsOf: buffer.prefix(count))
      } else if count == 0 || errno != EINTR {
        return bytes
      }
    }
  }
}
