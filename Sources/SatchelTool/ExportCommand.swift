import ArgumentParser
import SatchelInterchange
import SatchelModel
import SatchelStorage

/// `satchel export`: writes everything in a store as an interchange file.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes everything in a store in the interchange format.",
    discussion: """
      That is what is in the store, also what its user cannot see. A file takes its place when it is complete; an \
      export that fails leaves an earlier file as it was. One that is killed leaves a file .NAME.….partial beside it.

      An export is of one commit. When standard output is not read for as long as --lease says, the export ends with \
      status 1 and without its last line, so that no import takes what there is.
      """)

  @OptionGroup var store: StoreArgument

  @Argument(help: "The file, or - for standard output.")
  var file = "-"

  @Option(
    help: ArgumentHelp(
      "Only what has changed since this commit, as lines that an import takes.", valueName: "sequence"))
  var since: UInt64?

  @OptionGroup var lease: LeaseOptions

  func run() throws {
    if let since { return try exportChanges(since: since) }
    let summary = try write { try export($0, to: $1) }
    Self.warn(overlongLines: summary.overlongLines)
  }

  private func exportChanges(since: UInt64) throws {
    let summary = try write { snapshot, output in
      var exporter = ChangeExporter(
        snapshot, since: since, to: output, lease: lease.limits, escapes: isShown)
      return try exporter.run()
    }
    Self.warn(overlongLines: summary.overlongLines)
    StandardError.write(
      "satchel: \(summary.changes) changes up to commit \(summary.sequence): go on with --since \(summary.sequence)\n"
    )
  }

  /// Calls `body` with a snapshot and an output. What the output has taken can be written after the snapshot has
  /// ended.
  private func write<Summary>(_ body: (Snapshot, WriteBehind) throws -> Summary) throws -> Summary {
    try store.withStore { store in
      // Opening a pipe waits for its reader, so the file is opened before there is a snapshot.
      try OutputFile.write(to: file) { descriptor in
        let output = WriteBehind(descriptor)
        defer { output.end() }
        let summary = try store.read { try body($0, output) }
        try output.drain()
        return summary
      }
    }
  }

  /// Whether the output goes to a person at a terminal.
  private var isShown: Bool { file == "-" && Terminal.isOutput }

  private static func warn(overlongLines: Int64) {
    guard overlongLines > 0 else { return }
    StandardError.write(
      "satchel: warning: \(overlongLines) lines are longer than the 64 MiB that an import takes\n")
  }

  private func export(_ snapshot: Snapshot, to output: WriteBehind) throws -> Exporter.Summary {
    let total = snapshot.seal
    let objects = total[.messages].count + total[.conversations].count + total[.identities].count
    let bar = ProgressBar(total: Int(clamping: objects + total[.announcements].count), unit: "objects")
    defer { bar.end() }
    var exporter = Exporter(
      snapshot, to: output, lease: lease.limits, escapes: isShown
    ) {
      bar.update(Int($0.objects))
    }
    return try exporter.run()
  }
}
