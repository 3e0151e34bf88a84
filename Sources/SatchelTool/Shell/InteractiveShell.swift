import ArgumentParser
import TerminalInterface

/// Carries out what somebody types at a terminal, until that somebody has enough.
struct InteractiveShell {
  private let runner: CommandRunner
  private let completer: ShellCompleter
  private var history = CommandHistory()

  init(_ runner: CommandRunner, _ names: StoreNames) {
    self.runner = runner
    completer = ShellCompleter(runner, names)
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
        guard case .done = try runner.run(line) else { return }
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
      switch PlainLines.read(&bytes, limit: ShellScript.limit) {
      case .line(let line): guard case .done = try runner.run(line) else { return }
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
