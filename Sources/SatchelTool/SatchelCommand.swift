import ArgumentParser

/// `satchel`: the command with its subcommands, each of which has a file of its own.
struct SatchelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "satchel",
    abstract: "Looks into message stores, moves data in and out of them, asks and checks them.",
    discussion: """
      Exit status: 0 done, 1 failed, 3 done but lines were rejected, 4 verify found damage, 64 arguments that do not \
      parse.
      """,
    subcommands: [
      ImportCommand.self, ExportCommand.self, QueryCommand.self, ExplainCommand.self, WatchCommand.self,
      StatsCommand.self, DumpCommand.self, VerifyCommand.self, SalvageCommand.self, BackupCommand.self,
      GenerateCommand.self,
    ])
}
