import ArgumentParser
import SatchelInterchange
import SatchelModel

/// `satchel export`: everything in a store as an interchange file.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes everything in a store in the interchange format.",
    discussion: """
      That is what is in the store, also what its user cannot see. A file takes its place when it is complete; an \
      export that fails leaves an earlier file as it was.
      """)

  @OptionGroup var store: StoreArgument

  @Argument(help: "The file, or - for standard output.")
  var file = "-"

  @Option(
    help: ArgumentHelp(
      "Only what has changed since this commit, as lines that an import takes.", valueName: "sequence"))
  var since: UInt64?

  func run() throws {
    if let since { return try exportChanges(since: since) }
    let summary = try store.read { snapshot in
      let total = snapshot.base.seal
      let objects = total[.messages].count + total[.conversations].count + total[.identities].count
      let bar = ProgressBar(total: Int(clamping: objects + total[.announcements].count), unit: "objects")
      defer { bar.end() }
      return try OutputFile.write(to: file) { descriptor in
        var exporter = Exporter(snapshot.base, to: descriptor) { bar.update(Int($0.objects)) }
        return try exporter.run()
      }
    }
    Self.warn(overlongLines: summary.overlongLines)
  }

  private func exportChanges(since: UInt64) throws {
    let summary = try store.read { snapshot in
      try OutputFile.write(to: file) { descriptor in
        var exporter = ChangeExporter(snapshot.base, since: since, to: descriptor)
        return try exporter.run()
      }
    }
    Self.warn(overlongLines: summary.overlongLines)
    StandardError.write(
      "satchel: \(summary.changes) changes up to commit \(summary.sequence): go on with --since \(summary.sequence)\n"
    )
  }

  private static func warn(overlongLines: Int64) {
    guard overlongLines > 0 else { return }
    StandardError.write(
      "satchel: warning: \(overlongLines) lines are longer than the 64 MiB that an import takes\n")
  }
}
