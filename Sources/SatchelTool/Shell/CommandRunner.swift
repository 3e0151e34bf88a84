import ArgumentParser
import SatchelModel
import TerminalInterface

/// Carries out lines of the shell: each command is a process of its own, so that it can be interrupted at any moment, and damage that ends
/// it does not end the shell.
struct CommandRunner {
  /// What has become of a line.
  enum Outcome {
    case done(status: Int32)
    /// The line says that the shell is to end.
    case end
    /// A signal says so, which the command has had as well.
    case ended
  }

  private let store: String
  private let user: String?
  private let takesInput: Bool
  /// The subcommands that begin with a store.
  let commands: [any ParsableCommand.Type]

  /// - Parameters:
  ///   - user: Whose store it has to be for each command; nil for anybody's.
  ///   - takesInput: Whether commands read what the shell reads.
  init(_ commands: [any ParsableCommand.Type], store: String, user: String?, takesInput: Bool) {
    self.commands = commands
    self.store = store
    self.user = user
    self.takesInput = takesInput
  }

  /// All words that a line may begin with, and what they are for.
  var names: [(name: String, abstract: String)] {
    commands.map { ($0.configuration.commandName ?? "", $0.configuration.abstract) } + Self.ownCommands
  }

  /// The words that the shell itself understands.
  private static let ownCommands: [(name: String, abstract: String)] = [
    ("help", "Lists the commands; help COMMAND tells the arguments of one."),
    ("exit", "Ends the shell, as Ctrl-D and quit do."),
    ("quit", "Ends the shell."),
  ]

  /// Carries out a line. What goes wrong is told on standard error.
  /// - Throws: What keeps any line from being carried out, such as an output that cannot be written.
  func run(_ line: String) throws -> Outcome {
    let parsed = ShellLine(line)
    if let column = parsed.unclosed {
      return fail("column \(column): a quotation mark that is not closed")
    }
    if line.utf8.contains(0) { return fail("a NUL, which no argument can have") }
    var words = parsed.words.map(\.text)
    guard !words.isEmpty else { return .done(status: ExitStatus.success) }
    let name = words.removeFirst()
    switch name {
    case "exit", "quit":
      return words.isEmpty ? .end : fail("\(name) takes no arguments, but '\(words.joined(separator: " "))'")
    case "help": return try help(words)
    case _ where isSubcommand(name):
      ErrorPlace.show(parsed)
      // A path that begins with a dash would be an option.
      let path = store.hasPrefix("-") ? "./" + store : store
      let place = declaration(of: name)?.placeOfStore(among: words) ?? 0
      words.insert(contentsOf: [path] + asUser(name, words), at: place)
      return run([name] + words)
    default:
      let names = names.map(\.name)
      let meant = Spelling.nearest(to: name, of: names).map { "did you mean '\($0)'?" }
      return fail("there is no command '\(name)': \(meant ?? names.joined(separator: ", "))")
    }
  }

  /// Returns the option that holds a command to the user of the shell: the store at the path may be another one by now.
  private func asUser(_ name: String, _ words: [String]) -> [String] {
    guard let user, let arguments = declaration(of: name), arguments.argument(named: "--as") != nil else {
      return []
    }
    // Two take the option only where they write.
    let writes =
      switch name {
      case AggregateCommand.configuration.commandName:
        ["--declare", "--drop"].contains { option in
          words.contains { $0 == option || $0.hasPrefix(option + "=") }
        }
      case IndexCommand.configuration.commandName:
        arguments.places(among: words).first.map { words[$0] != IndexCommand.Action.list.rawValue } ?? false
      default: true
      }
    return writes ? ["--as", user] : []
  }

  private func declaration(of name: String) -> CommandArguments? {
    commands.first { $0.configuration.commandName == name }.map { CommandArguments(of: $0) }
  }

  private func isSubcommand(_ name: String) -> Bool {
    commands.contains { $0.configuration.commandName == name }
  }

  private func run(_ arguments: [String]) -> Outcome {
    do {
      _ = TerminalSignals.takeInterrupt()
      let end = try ChildProcess.runInForeground(arguments, takesInput: takesInput)
      // The terminal has shown ^C, perhaps in the midst of a row.
      if TerminalSignals.takeInterrupt() { StandardError.write("\n") }
      if TerminalSignals.isEnding { return .ended }
      switch end {
      case .exited(let status): return .done(status: status)
      case .ended(let signal): return .done(status: 128 + signal)
      case .crashed(let signal):
        return fail(
          "the command was ended by signal \(signal): if pages of the store are damaged, verify tells",
          128 + signal)
      }
    } catch {
      return fail(String(describing: error), ExitStatus.failure)
    }
  }

  private func fail(_ message: String, _ status: Int32 = ExitStatus.usage) -> Outcome {
    StandardError.report(message)
    return .done(status: status)
  }

  private func help(_ words: [String]) throws -> Outcome {
    guard let name = words.first, !Self.ownCommands.contains(where: { $0.name == name }) else {
      var output = Output()
      let width = names.map(\.name.count).max() ?? 0
      for (name, abstract) in names { try output.line(name.padded(to: width) + "  " + abstract) }
      try output.line(
        "\nA line is a subcommand of satchel without the store. What follows --where needs no quotation marks."
      )
      try output.flush()
      return .done(status: ExitStatus.success)
    }
    guard words.count == 1, isSubcommand(name) else {
      return fail("help takes the name of one command: help lists them")
    }
    return run(["help", name])
  }
}
