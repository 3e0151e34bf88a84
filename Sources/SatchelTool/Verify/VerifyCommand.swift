import ArgumentParser
import SatchelCare
import SatchelExecution
import SatchelModel
import SatchelStorage
import TerminalInterface

/// `satchel verify`: checks a store against itself.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Checks a store: checksums, counts, indexes and records in both directions.",
    discussion: """
      Each fault is a line. The exit status is 4 when there are any. With --repair everything is made anew that follows \
      from the records: indexes, dictionaries' trees, counts, totals, the seal; a store whose records are damaged, or \
      pages other than those of indexes, is left as it is, and satchel salvage saves what of it is whole.

      As JSON it is one object: {"records":n,"indexEntries":n,"nodes":n,"faultCount":n,"faults":[{"location":"…",\
      "key":"…","finding":"…"},…]}, with the first 1000 faults. With --repair it tells the state after it, and has \
      "repair":{"before":{…},"actions":["…"],"refusal":[…]} besides; faults in refusal are why nothing was done.
      """)

  @OptionGroup var store: StoreArgument

  @Flag(help: "Make what follows from the records anew, in one transaction, and verify again.")
  var repair = false

  @Option(help: "table for people, json for programs; without, a table, also in a pipe.")
  var format: OutputFormat = .table

  /// Given to the process that does the work.
  @Flag(help: .hidden) var inThisProcess = false

  func run() throws {
    guard !inThisProcess else {
      ChildProcess.endWithStarter()
      return try verify()
    }
    // LMDB trusts its own pages: a damaged page can end the process that reads it.
    switch try ChildProcess.run(
      ["verify", "--in-this-process", "--format", format.rawValue] + (repair ? ["--repair"] : [])
        + ["--", store.store])
    {
    case .exited(let status)?:
      if status != 0 { throw ExitCode(status) }
    case .crashed(let signal)?:
      try VerifyOutput.unreadable(
        at: "data.mdb",
        "pages of LMDB's own are damaged: reading them ended the program that did (signal \(signal))"
      ).writeCheck(format)
      throw ExitCode(ExitStatus.damage)
    case .ended(let signal)?:
      throw ToolError("the check was ended from outside (signal \(signal))")
    case nil: try verify()
    }
  }

  /// Repairs the store if that is asked for, then checks it.
  private func verify() throws {
    var output = VerifyOutput()
    if repair {
      var options = Store.Options()
      options.aggregateEvaluator = QueryAggregateEvaluator()
      output.repair = try Store.repair(directory: store.store, options: options)
      try output.writeRepair(format)
    }
    if output.repair?.isRefused != true {
      do {
        output.report = try store.withStore { try $0.verify() }
      } catch let error as SatchelError where error.code == .corrupted {
        // The store is so damaged that it cannot be opened: that is the result of the check.
        output.unreadable = (nil, error.description)
      }
    }
    try output.writeCheck(format)
    if !output.isSound { throw ExitCode(ExitStatus.damage) }
  }
}
