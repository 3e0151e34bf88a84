import ArgumentParser
import SatchelCare
import SatchelExecution
import SatchelModel
import SatchelStorage
import SatchelText
import TerminalInterface

/// `satchel salvage`: saves what is whole of a damaged store into a new store.
struct SalvageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "salvage",
    abstract: "Saves what is whole of a store that does not open, into a new one, and lists what is lost.",
    discussion: """
      The damaged store is only read. Where its pages lead to its records they are followed; where they do not, records \
      are looked for in the whole file, and one that is found so may be an older version. Commits that only the journal \
      has are taken from there; those that it is known to have had and that are gone are named. Indexes and aggregates that were \
      declared are declared again; consumers of the change log are not, and the log begins anew. The exit status is 3 when anything \
      is lost, or may be.

      A salvage that is ended in the middle leaves directories NEW.backup-… and NEW.importing beside the new store's path, which \
      the next salvage to the same path removes.
      """)

  @OptionGroup var store: StoreArgument

  @Argument(help: "The directory of the new store.")
  var new: String

  @Option(
    name: .customLong("as"), parsing: .unconditional,
    help: "The user whose store it is; needed when the store does not say so any more.")
  var user: String?

  func run() throws {
    let bar = ProgressBar(total: 0, unit: "objects")
    let report = try {
      defer { bar.end() }
      var options = Store.Options()
      options.aggregateEvaluator = QueryAggregateEvaluator()
      return try Store.salvage(directory: store.store, into: new, user: user, options: options) {
        bar.update(Int(clamping: $0))
      }
    }()
    var output = Output()
    for loss in report.losses { try output.line("lost: \(loss)".oneLine) }
    if report.lossCount > report.losses.count {
      try output.line("lost: … and \(report.lossCount - report.losses.count) more")
    }
    for commits in report.journalCommits {
      try output.line(
        "taken from the journal: the commits from \(commits.lowerBound) to \(commits.upperBound)")
    }
    try output.line("saved: \(Self.text(report.saved))")
    if report.indexes + report.aggregates > 0 {
      try output.line("declared again: \(report.indexes) indexes, \(report.aggregates) aggregates")
    }
    if report.incomplete > 0 {
      try output.line("incomplete: \(report.incomplete) of the saved objects, which are named above")
    }
    try output.line(
      "lost: \(report.lost.map(Self.text) ?? "nobody knows how many"), \(report.uncertain) uncertain")
    try output.flush()
    if !report.isComplete { throw ExitCode(ExitStatus.rejectedLines) }
  }

  private static func text(_ counts: SalvageReport.Counts) -> String {
    "\(counts.messages) messages, \(counts.conversations) conversations, \(counts.identities) identities, "
      + "\(counts.announcements) announcements"
      + (counts.records > 0 ? ", \(counts.records) records" : "")
  }
}
