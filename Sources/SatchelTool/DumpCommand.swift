import ArgumentParser
import Dumping
import Satchel
import SatchelIndexing
import SatchelInterchange
import SatchelModel
import SatchelReading
import SatchelStorage
import TerminalInterface

extension DumpFormat: ExpressibleByArgument {}

/// `satchel dump`: records and index nodes as they are in the file, decoded.
struct DumpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract:
      "Shows records and index nodes as they are in the file, decoded; hex explains them byte by byte.",
    discussion: """
      TABLE is header, seal, messages, conversations, identities, announcements, bodies, dictionaries, log, consumers, \
      purge, staging, aggregates, deletions, indexBuild, indexes, recordTypes, records, nodes, or an index such as \
      message.when; without it the header and the seal are shown. --key takes a key as a dump prints it, or what names the \
      object: for messages, announcements, conversations and identities an identifier, for recordTypes, indexes, aggregates and \
      consumers a name, for records the type and the name with a slash between them, such as todo/write; for an index the \
      first of its columns. Damaged records are shown as far as their bytes can be understood.

      What is shown is the state after the last commit. Where the journal has commits that data.mdb does not have, each record \
      and row says by "in" which of the two has it, and there are two seals: that of data.mdb and that of the last commit. \
      Nodes are always those of data.mdb.

      When the output is not read for as long as --lease says, a dump of records goes on from the key it has come to, in \
      the commit that is the last one then, and says so on standard error; that of an index or of nodes ends with status 1.
      """)

  @OptionGroup var store: StoreArgument

  @Argument(help: "What to show.")
  var table: String?

  @Option(parsing: .unconditional, help: "Only what is under this key.")
  var key: String?

  @Option(parsing: .unconditional, help: "The most records to show.")
  var limit: Int?

  @Option(help: "table, json or hex; without, a table at a terminal and json elsewhere.")
  var format: DumpFormat?

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit takes a number from 0 on, not \(limit)") }
  }

  @OptionGroup var lease: LeaseOptions

  func run() throws {
    let stream = OutputStream(behind: WriteBehind(1))
    let progress = DumpProgress()
    var isDone = false
    while !isDone {
      do {
        try store.read { snapshot in
          stream.hold(ReaderLease(snapshot.base, lease.limits, written: stream.written))
          try show(snapshot.base, progress, to: stream)
        }
        isDone = true
      } catch let error as SatchelError where error.code == .snapshotExpired {
        // What was read is whole records. Their reader may now take them without a snapshot.
        try stream.finish()
        try goOn(after: error, progress)
      }
    }
    try stream.finish()
  }

  private func show(_ snapshot: Snapshot, _ progress: DumpProgress, to stream: OutputStream) throws {
    let format = format ?? (Terminal.isOutput ? .table : .json)
    var dump = Dump(snapshot, format, key: key, limit: limit, progress, to: stream)
    guard let table else {
      try dump.show(.header)
      return try dump.show(.seal)
    }
    if let table = DumpTable(rawValue: table) {
      try dump.show(table)
    } else if let index = IndexCatalog.numeric.first(where: { $0.name == table }) {
      try dump.show(index)
    } else if let index = IndexCatalog.text.first(where: { $0.name == table }) {
      try dump.show(index.tree)
    } else {
      throw ToolError("there is no table or index \"\(table)\": \(DumpTable.names)")
    }
    try dump.end(of: DumpTable(rawValue: table))
  }

  /// Reports that the rest comes from a later snapshot, or throws if there is no key from which a later snapshot
  /// could go on.
  private func goOn(after error: SatchelError, _ progress: DumpProgress) throws {
    let last = progress.key ?? ""
    guard progress.canResume else {
      throw ToolError("\(error): \(progress.shown) records are shown, the last one under the key \(last)")
    }
    StandardError.report(
      "note: what follows the key \(last) is of a later commit: the output was not read for so long that the snapshot was "
        + "given up")
  }
}
