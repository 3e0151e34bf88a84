import ArgumentParser
import Satchel
import TerminalInterface

/// `satchel shell`: carries out the subcommands that are typed, on one store.
struct ShellCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shell",
    abstract: "Carries out commands on one store, line by line: at a terminal with completion and history.",
    discussion: """
      A line is a subcommand of satchel without the store: query messages --where isUnread = TRUE --limit 5. Words are separated by \
      spaces and quoted by '…', "…" and \\. What follows --where needs no quotation marks around it: it goes to the next option.

      At a terminal, Tab completes commands, options, properties, operators and names of conversations and users; Ctrl-C \
      interrupts a command, Ctrl-D on an empty line ends the shell, and so do exit and quit. A line that begins with a space is \
      not kept in the history.

      From a file or a pipe, lines are carried out without a prompt, up to the first one that fails, whose status is that of the shell. \
      Empty lines and those that begin with # are passed over. A command of these lines has no standard input.
      """)

  @OptionGroup var store: StoreArgument

  @Option(
    name: .customLong("as"), parsing: .unconditional,
    help: "The user whose store it has to be: a store of anybody else is not opened.")
  var user: String?

  @Flag(help: "From a file or a pipe, go on after a line that fails: the status is that of the first one.")
  var keepGoing = false

  func run() throws {
    let names = try StoreNames(opening: { [store, user] in
      var options = MessageStore.Options()
      options.isReadOnly = true
      return try MessageStore.existing(at: store.store, of: user, options)
    })
    defer { names.close() }
    let runner = CommandRunner(Self.commands, store: store.store, user: user, takesInput: Terminal.isInput)
    if Terminal.isInput {
      var shell = InteractiveShell(runner, names)
      try shell.run()
    } else {
      let status = try ShellScript(runner, keepsGoing: keepGoing).run()
      if status != ExitStatus.success { throw ExitCode(status) }
    }
  }

  /// The subcommands that begin with a store.
  private static var commands: [any ParsableCommand.Type] {
    SatchelCommand.configuration.subcommands.filter { $0 != ShellCommand.self && $0 != GenerateCommand.self }
  }
}
