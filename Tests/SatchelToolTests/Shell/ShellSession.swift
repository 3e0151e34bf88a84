import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// A running `satchel shell` at a terminal of its own, which it controls as the shell of a terminal window does.
final class ShellSession {
  private let master: Int32
  private var process: pid_t = 0
  private var ended: Int32?
  private var bytes: [UInt8] = []
  private var columns: Int
  /// Where the history is kept, if no other place is given.
  static let stateVariable = "XDG_STATE_HOME"

  /// Starts it, and waits until it asks for a line.
  static func start(
    _ store: String, state: String, arguments: [String] = [], columns: Int = 80, terminal: String? = "xterm"
  ) async throws -> ShellSession {
    let session = try ShellSession(
      ["shell", store] + arguments, columns: columns,
      environment: [stateVariable: state, "HOME": state, "TERM": terminal])
    try await session.waits { $0.line == prompt }
    return session
  }

  init(_ arguments: [String], columns: Int, environment: [String: String?]) throws {
    let name: String
    (master, name) = try TerminalRun.openMaster()
    self.columns = columns
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    // Held until the program has it: a terminal whose other end nobody has open is one that was hung up.
    let held = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    defer { close(held) }
    resize(columns)
    var all = ProcessInfo.processInfo.environment
    for (key, value) in environment { all[key] = value }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    #if canImport(Darwin)
      let newSession = Int16(POSIX_SPAWN_SETSID)
    #else
      // Glibc's module lacks POSIX_SPAWN_SETSID.
      let newSession: Int16 = 0x80
    #endif
    posix_spawnattr_setflags(&attributes, newSession)
    // The leader of a session controls the first terminal that it opens.
    posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    let words = ([Tool.path] + arguments).map { strdup($0) } + [nil]
    let variables = all.map { strdup("\($0)=\($1)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    let code = posix_spawn(&process, Tool.path, &actions, &attributes, words, variables)
    try #require(code == 0, "\(String(cString: strerror(code)))")
  }

  deinit {
    if ended == nil {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    close(master)
  }

  /// Gives the terminal another width.
  func resize(_ columns: Int) {
    self.columns = columns
    var size = winsize()
    size.ws_col = UInt16(columns)
    size.ws_row = 40
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// Types a text.
  func type(_ text: String) { type(bytes: Array(text.utf8)) }

  func type(bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) } else { receive() }
    }
  }

  /// What the terminal shows now.
  var screen: Screen {
    receive()
    var screen = Screen(columns: columns)
    screen.show(text)
    return screen
  }

  /// All that was written to the terminal.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  private func receive() {
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(master, &buffer, buffer.count)
      guard count > 0 else { return }
      bytes.append(contentsOf: buffer.prefix(count))
    }
  }

  /// Waits until the terminal shows what is wanted, for a minute at most.
  @discardableResult
  func waits(_ place: SourceLocation = #_sourceLocation, for isWanted: (Screen) -> Bool) async throws
    -> Screen
  {
    for _ in 0..<6000 {
      let screen = screen
      if isWanted(screen) { return screen }
      try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("never shown; there is \(screen.lines)", sourceLocation: place)
    return screen
  }

  /// Types a line and Enter, waits until the next one is asked for, and returns the lines in between.
  @discardableResult
  func enter(_ line: String, _ place: SourceLocation = #_sourceLocation) async throws -> [String] {
    let before = screen.lines.count
    type(line + "\r")
    let after = try await waits(place) { $0.lines.count > before && $0.line == Self.prompt }
    return Array(after.lines[before..<(after.lines.count - 1)])
  }

  static let prompt = "satchel>"

  /// Sends a signal.
  func signal(_ number: Int32) { kill(process, number) }

  /// Waits for the end, for a minute at most, and gives the status; negative for a signal that ended it.
  func status() async throws -> Int32? {
    for _ in 0..<6000 where ended == nil {
      receive()
      var status: Int32 = 0
      if waitpid(process, &status, WNOHANG) == process {
        ended = status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
      } else {
        try await Task.sleep(for: .milliseconds(10))
      }
    }
    receive()
    return ended
  }

  /// Whether the terminal shows what is typed, and hands over whole lines, as it did at first.
  var hasUsualMode: Bool {
    var mode = termios()
    return tcgetattr(master, &mode) == 0 && mode.c_lflag & tcflag_t(ECHO) != 0
      && mode.c_lflag & tcflag_t(ICANON) != 0 && mode.c_lflag & tcflag_t(ISIG) != 0
  }
}
