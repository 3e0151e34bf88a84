import ArgumentParser
import SatchelInterchange
import SatchelLines
import SatchelModel
import SatchelStorage
import TerminalInterface

/// `satchel export`: writes everything in a store as an interchange file.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes everything in a store in the interchange format.",
    discussion: """
      That is what is in the store, also what its user cannot see. A file takes its place when it is complete; an \
      export that fails leaves an earlier file as it was. One that is killed leaves a file .NAME.….partial beside it, which \
      the next export to the same file removes. What was written to a file is said in one line.

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
    var export = StoreExport()
    export.since = since
    export.lease = lease.limits
    // Whether the output goes to a person at a terminal.
    export.escapes = file == "-" && Terminal.isOutput
    let bar = ProgressBar(total: 0, unit: "objects")
    let summary = try store.withStore { store in
      // Opening a pipe waits for its reader, so the file is opened before there is a snapshot.
      try write { descriptor in
        defer { bar.end() }
        return try export.write(store, to: descriptor) { bar.update($0.objects, of: $0.totalObjects) }
      }
    }
    if summary.overlongLines > 0 {
      StandardError.write(
        "satchel: warning: \(summary.overlongLines) lines are longer than the 64 MiB that an import takes\n")
    }
    // A pipe or a device may be this program's own standard output.
    if file != "-", RegularFile.isAt(file) {
      var output = Output()
      try output.line(Self.line(summary))
      try output.flush()
    }
    guard since != nil else { return }
    StandardError.write(
      "satchel: \(summary.lines) changes up to commit \(summary.sequence): go on with --since \(summary.sequence)\n"
    )
  }

  /// Returns what an export has written, as one line. Indexes, and what only changes have, are named where there are some.
  private static func line(_ summary: StoreExport.Summary) -> String {
    func count(_ kind: InterchangeKind) -> Int64 { summary.counts[kind] ?? 0 }
    var line =
      "\(count(.message)) messages, \(count(.conversation)) conversations, \(count(.identity)) identities, "
      + "\(count(.announcement)) announcements"
    if count(.recordType) > 0 {
      line += ", \(count(.record)) records, \(count(.recordType)) declarations of their types"
    }
    if count(.declaredIndex) > 0 { line += ", \(count(.declaredIndex)) indexes" }
    if count(.update) > 0 { line += ", \(count(.update)) updates" }
    if count(.delete) > 0 { line += ", \(count(.delete)) deletes" }
    return line + ", \(summary.bytes) bytes"
  }

  /// Calls `body` with a descriptor for the file, or for standard output.
  private func write<Result>(_ body: (Int32) throws -> Result) throws -> Result {
    file == "-" ? try body(1) : try OutputFile.write(to: file, body)
  }
}
