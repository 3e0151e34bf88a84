import ArgumentParser
import Satchel
import SatchelInterchange
import SatchelModel
import TerminalInterface

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Carries out what somebody types at a terminal, until that somebody has enough.
struct InteractiveShell {
  private let runner: CommandRunner
  private let completer: ShellCompleter
  private var history = CommandHistory()

  init(_ runner: CommandRunner, _ store: MessageStore) {
    self.runner = runner
    completer = ShellCompleter(runner, store)
  }

  private static let prompt = "satchel> "

  mutating func run() throws {
    TerminalSignals.catchAll()
    try isEditing ? runEditing() : runReading()
    if TerminalSignals.isEnding { throw ExitCode(128 + TerminalSignals.ending) }
  }

  /// Whether the terminal can do what editing a line takes.
  private var isEditing: Bool {
    let name = EnvironmentVariable.text("TERM") ?? ""
    return Terminal.isOutput && !name.isEmpty && name != "dumb"
  }

  private mutating func runEditing() throws {
    let completer = completer
    var editor = LineEditor(prompt: Self.prompt) { completer.complete($0) }
    while true {
      switch editor.read(history: history.lines) {
      case .line(let line):
        history.add(line)
        if case .end = try runner.run(line) { return }
      case .interrupted: continue
      case .end: return
      }
      if TerminalSignals.isEnding { return }
    }
  }

  /// Does without editing: the terminal's own has to do.
  private mutating func runReading() throws {
    var bytes: [UInt8] = []
    while true {
      if Terminal.isErrorOutput { StandardError.write(Self.prompt) }
      switch PlainLines.read(&bytes) {
      case .line(let line): if case .end = try runner.run(line) { return }
      case .interrupted: if Terminal.isErrorOutput { StandardError.write("\n") }
      case .invalid(let reason): StandardError.report("the line is \(reason)")
      case .end:
        if Terminal.isErrorOutput { StandardError.write("\n") }
        return
      }
      if TerminalSignals.isEnding { return }
    }
  }
}

/// Lines of a terminal that edits them itself.
private enum PlainLines {
  enum Input {
    case line(String)
    case interrupted, end
    case invalid(String)
  }

  /// Waits for the next line.
  /// - Parameter bytes: What was read behind the line before.
  static func read(_ bytes: inout [UInt8]) -> Input {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      if let end = bytes.firstIndex(of: 0x0A) {
        let line = String(validating: bytes[..<end], as: UTF8.self)
        bytes.removeSubrange(...end)
        return line.map { .line($0) } ?? .invalid("not UTF-8")
      }
      let isInterrupted = !TerminalSignals.awaitInput()
      let count = isInterrupted ? -1 : unsafe readInput(&buffer, buffer.count)
      guard count > 0 else {
        guard count < 0, isInterrupted || errno == EINTR, !TerminalSignals.isEnding else { return .end }
        guard TerminalSignals.takeInterrupt() else { continue }
        // The terminal has thrown away what was typed of the line.
        bytes.removeAll()
        return .interrupted
      }
      bytes.append(contentsOf: buffer[..<count])
      guard bytes.count <= ShellScript.limit else {
        bytes.removeAll()
        return .invalid("longer than \(ShellScript.limit) bytes")
      }
    }
  }

  private static func readInput(_ buffer: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
    #if canImport(Darwin)
      return unsafe Darwin.read(0, buffer, count)
    #elseif canImport(Glibc)
      return unsafe Glibc.read(0, buffer, count)
    #elseif canImport(Musl)
      return unsafe Musl.read(0, buffer, count)
    #endif
  }
}
