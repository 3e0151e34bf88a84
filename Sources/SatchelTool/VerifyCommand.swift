import ArgumentParser
import SatchelExecution
import SatchelModel
import SatchelStorage

/// `satchel verify`: checks a store against itself.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Checks a store: checksums, counts, indexes and records in both directions.",
    discussion: """
      Each fault is a line. The exit status is 4 when there are any. With --repair everything is made anew that follows \
      from the records: indexes, dictionaries' trees, counts, totals, the seal; a store whose records or pages are damaged \
      is left as it is, and satchel salvage saves what of it is whole.
      """)

  @OptionGroup var store: StoreArgument

  @Flag(help: "Make what follows from the records anew, in one transaction, and verify again.")
  var repair = false

  /// Given to the process that does the work.
  @Flag(help: .hidden) var inThisProcess = false

  func run() throws {
    guard !inThisProcess else {
      ChildProcess.endWithStarter()
      return try repair ? repairAndVerify() : verify()
    }
    // LMDB trusts its own pages: a damaged page can end the process that reads it.
    switch try ChildProcess.run(
      ["verify", "--in-this-process"] + (repair ? ["--repair"] : []) + ["--", store.store])
    {
    case .exited(let status)?:
      if status != 0 { throw ExitCode(status) }
    case .crashed(let signal)?:
      var output = Output()
      try output.line(
        "data.mdb: pages of LMDB's own are damaged: reading them ended the program that did (signal \(signal))"
      )
      try output.line("checked: 0 records, 0 index entries, 0 nodes; 1 faults")
      try output.flush()
      throw ExitCode(ExitStatus.damage)
    case .ended(let signal)?:
      throw ToolError("the check was ended from outside (signal \(signal))")
    case nil: try repair ? repairAndVerify() : verify()
    }
  }

  private func verify() throws {
    var output = Output()
    let report: VerificationReport
    do {
      report = try store.read { try Verifier.verify($0.base) }
    } catch let error as SatchelError where error.code == .corrupted {
      // The store is so damaged that it cannot be opened: that is the result of the check.
      try output.line(error.description.oneLine)
      try output.line("checked: 0 records, 0 index entries, 0 nodes; 1 faults")
      try output.flush()
      throw ExitCode(ExitStatus.damage)
    }
    try Self.write(report, to: &output)
    try output.flush()
    if !report.isSound { throw ExitCode(ExitStatus.damage) }
  }

  private func repairAndVerify() throws {
    var options = Store.Options()
    options.aggregateEvaluator = QueryAggregateEvaluator()
    let report = try Store.repair(directory: store.store, options: options)
    var output = Output()
    if !report.before.isSound { try Self.write(report.before, to: &output) }
    if report.isRefused {
      for fault in report.refusal.prefix(Self.mostReasons) {
        try output.line("not repaired: \(fault.location) \(fault.key): \(fault.finding)".oneLine)
      }
      try output.line(
        "not repaired: records are damaged; satchel salvage saves those that are whole into a new store")
      try output.flush()
      throw ExitCode(ExitStatus.damage)
    }
    for action in report.actions { try output.line("repaired: \(action)".oneLine) }
    try output.flush()
    try verify()
  }

  /// How many reasons of a refusal are written. More of them tell a person nothing new.
  private static let mostReasons = 20

  private static func write(_ report: VerificationReport, to output: inout Output) throws {
    for fault in report.faults {
      try output.line("\(fault.location) \(fault.key): \(fault.finding)".oneLine)
    }
    if report.faultCount > report.faults.count {
      try output.line("… and \(report.faultCount - report.faults.count) more")
    }
    try output.line(
      "checked: \(report.records) records, \(report.indexEntries) index entries, \(report.nodes) nodes; "
        + "\(report.faultCount) faults")
  }
}
