import ArgumentParser

/// `satchel-torture`: crashes, kills, failing calls and damage, and what they must not do.
@main
struct Program: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "satchel-torture",
    abstract:
      "Crashes, kills, failing calls and damage, at length; and what of the store's promises they break.",
    discussion: """
      Everything follows from the seed. Exit status 0: every promise was kept and every negative control was found; \
      1: not so, and each failure is told.
      """,
    subcommands: [
      RunCommand.self, WorkSubcommand.self, ImagesSubcommand.self, OpenSubcommand.self, MoreSubcommand.self,
      CrowdSubcommand.self, VisitSubcommand.self, HoldSubcommand.self, LookSubcommand.self,
    ],
    defaultSubcommand: RunCommand.self)
}
