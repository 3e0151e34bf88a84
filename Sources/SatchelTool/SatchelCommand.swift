import ArgumentParser
import TerminalInterface

/// `satchel`: the command with its subcommands, each of which has a file of its own.
struct SatchelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "satchel",
    abstract: "Looks into message stores, moves data in and out of them, asks and checks them.",
    discussion: """
      Exit status: 0 done, 1 failed, 3 done but lines were rejected, 4 verify found damage, 64 arguments that do not \
      parse.
      """,
    version: Version.text,
    subcommands: [
      ImportCommand.self, ExportCommand.self, QueryCommand.self, SearchCommand.self, SuggestCommand.self,
      CountCommand.self, AggregateCommand.self,
      IndexCommand.self, ExplainCommand.self, WatchCommand.self, SendCommand.self, MarkReadCommand.self,
      EditCommand.self,
      SetCommand.self, DeleteCommand.self, StatsCommand.self, DumpCommand.self, VerifyCommand.self,
      SalvageCommand.self, BackupCommand.self,
      CompactCommand.self, GenerateCommand.self, ShellCommand.self,
    ])

  /// The names of the subcommands, in the order of the help.
  private static var names: [String] {
    configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
  }

  /// What other tools call options that this one has under another name.
  private static let otherNames = [
    "--count": "--select count", "--identifiers": "--select identifiers", "--ids": "--select identifiers",
    "--filter": "--where", "--order": "--sort", "--order-by": "--sort",
  ]

  /// Returns what is wrong with arguments that the parser refuses, if this program has a better guess of what was meant than the
  /// parser; nil otherwise.
  static func complaint(aboutRefused arguments: [String]) -> String? {
    if let complaint = complaint(about: arguments) { return complaint }
    if ["query", "explain", "watch", "count", "aggregate", "index"].contains(arguments.first),
      let option = arguments.first(where: { otherNames[$0] != nil }), let meant = otherNames[option],
      meant.hasPrefix("--where") || !["count", "aggregate", "index"].contains(arguments.first)
    {
      return "there is no option '\(option)': did you mean '\(meant)'?"
    }
    // A word with a space, or with one dash, was hardly meant as an option.
    guard let stray = stray(among: arguments), !stray.hasPrefix("--") || stray.contains(where: \.isWhitespace)
    else { return nil }
    return complaint(about: stray)
  }

  /// Returns what is wrong with arguments that the parser takes for a request for help or for the version, if they are none; nil if they
  /// are. To the parser, `-hello` is `-h` and more, and a text may well be `--version`: whoever meant one must not be told that all is done.
  static func complaint(aboutHelpIn arguments: [String]) -> String? {
    guard let stray = stray(among: arguments) else { return nil }
    let takesTexts = commandArguments(of: arguments[0])?.argument(at: .max) != nil
    let isRequest = CommandArguments.requests.contains(stray) && (arguments.count == 2 || !takesTexts)
    return isRequest ? nil : complaint(about: stray)
  }

  private static func complaint(about stray: String) -> String {
    "'\(stray)' is no option here: a text that begins with - stands behind --, as in -- '\(stray)'"
  }

  private static func commandArguments(of name: String) -> CommandArguments? {
    configuration.subcommands.first { $0.configuration.commandName == name }.map { CommandArguments(of: $0) }
  }

  private static func stray(among arguments: [String]) -> String? {
    guard let name = arguments.first else { return nil }
    return commandArguments(of: name)?.stray(among: arguments.dropFirst())
  }

  /// Returns what is wrong with a name that no subcommand has, also where help for it is asked for, with the one that may be
  /// meant; nil for any other arguments.
  static func complaint(about arguments: [String]) -> String? {
    guard let name = arguments.first == "help" ? arguments.dropFirst().first : arguments.first,
      !name.hasPrefix("-"), !names.contains(name)
    else { return nil }
    let complaint = "there is no subcommand '\(name)'"
    guard let meant = Spelling.nearest(to: name, of: names) else {
      return "\(complaint): \(names.joined(separator: ", "))"
    }
    return "\(complaint): did you mean '\(meant)'?"
  }
}
