import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// A running `satchel watch` at a terminal.
final class TerminalWatch {
  private let process = Process()
  private let master: Int32
  private var bytes: [UInt8] = []

  /// Starts it with the environment of the tests and these variables.
  init(_ arguments: [String], columns: Int, environment: [String: String] = [:]) throws {
    let (master, slave) = try TerminalRun.open()
    self.master = master
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    process.executableURL = URL(fileURLWithPath: Tool.path)
    process.arguments = ["watch"] + arguments
    var all = ProcessInfo.processInfo.environment
    all["NO_COLOR"] = nil
    all["TERM"] = "xterm"
    process.environment = all.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    let end = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
    process.standardOutput = end
    process.standardError = end
    resize(columns)
    try process.run()
    close(slave)
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    close(master)
  }

  /// Gives the terminal another width.
  func resize(_ columns: Int) {
    var size = winsize()
    size.ws_col = UInt16(columns)
    size.ws_row = 40
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// Waits until there are so many lines, for a minute at most; they are fewer where they do not come.
  func lines(atLeast count: Int) async throws -> [String] {
    var lines = read()
    for _ in 0..<6000 where lines.count < count && process.isRunning {
      try await Task.sleep(for: .milliseconds(10))
      lines = read()
    }
    return lines
  }

  /// The complete lines so far, without their ends.
  private func read() -> [String] {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Foundation.read(master, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes.append(contentsOf: buffer.prefix(count))
    }
    let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }
}
