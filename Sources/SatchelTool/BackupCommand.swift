import ArgumentParser
import SatchelCare
import SatchelModel
import SatchelStorage
import TerminalInterface

/// `satchel backup`: copies one snapshot of a store into a store of its own.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copies a store while others read and write it.",
    discussion: """
      The copy is a store in a directory of its own, for its owner alone; it appears when it is complete, synced and \
      verified. To restore, name it in the place of the store, or put its data.mdb there while no program has the store \
      open. As long as the copy is made its snapshot is held: the store grows by what writers give up meanwhile.

      A backup that is ended in the middle leaves a directory COPY.backup-… beside the copy's path, which the next backup to the \
      same path removes.
      """)

  @OptionGroup var store: StoreArgument

  @Argument(help: "A path where nothing is, or an empty directory.")
  var destination: String

  @Flag(help: "Leave out free pages and fill the others: smaller, and slower to make.")
  var compact = false

  @Flag(inversion: .prefixedNo, help: "Verify the copy before it takes its place.")
  var verify = true

  func run() throws {
    let summary = try store.withStore { store in
      let bar = ProgressBar(total: 0, unit: "bytes")
      defer { bar.end() }
      return try store.backup(to: destination, compacting: compact, verifying: verify) { progress in
        if progress.phase == .copying { bar.update(progress.bytes, of: progress.totalBytes) }
      }
    }
    var output = Output()
    try output.line(
      "\(summary.bytes) bytes\(verify ? ", verified" : ""), up to commit \(summary.sequence)"
        + (summary.commitsMeanwhile > 0 ? "; \(summary.commitsMeanwhile) commits came meanwhile" : ""))
    try output.flush()
  }
}
