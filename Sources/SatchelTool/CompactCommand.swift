import ArgumentParser
import SatchelExecution
import SatchelStorage
import TerminalInterface

/// `satchel compact`: makes a store's file smaller where it is.
struct CompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Gives back to the file system what a store does not need.",
    discussion: """
      Others may read and write the store meanwhile. Takes all commits to data.mdb, writes neighbouring pages anew that would be \
      fewer then, in short steps, and makes holes in the file where it is free. It stays as long as it was: du shows what it \
      takes, ls its length. What is kept for deletions on a full disk stays, and what readers of old snapshots still need. \
      satchel backup --compact makes a copy that is as short as can be.
      """)

  @OptionGroup var store: StoreArgument

  func run() throws {
    var options = Store.Options()
    options.create = false
    options.aggregateEvaluator = QueryAggregateEvaluator()
    let opened = try Store.open(directory: store.store, user: nil, options: options)
    defer { opened.close() }
    let done = try opened.compact()
    var output = Output()
    try output.line("\(done.bytes) bytes of the disk, \(done.bytesBefore) before")
    try output.flush()
  }
}
