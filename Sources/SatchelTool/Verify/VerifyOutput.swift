import SatchelCare
import SatchelLines
import SatchelModel
import SatchelStorage
import SatchelText
import TerminalInterface

/// What `verify` prints: what a repair has done, if there was one, and what is wrong with the store now.
struct VerifyOutput {
  var repair: RepairReport?
  /// The check; nil if it was not possible, or if a repair was refused: then the state before it is also that after it.
  var report: VerificationReport?
  /// Why the check was not possible, and the file at fault if that is known.
  var unreadable: (file: String?, finding: String)?

  /// The output of a check that damage has ended.
  static func unreadable(at file: String, _ finding: String) -> VerifyOutput {
    VerifyOutput(unreadable: (file, finding))
  }

  /// Whether nothing was found.
  var isSound: Bool { unreadable == nil && state?.isSound == true }

  /// The last check.
  private var state: VerificationReport? { report ?? repair?.before }

  /// Writes what the repair has done, for people: they get it even if the check that follows does not end.
  func writeRepair(_ format: OutputFormat) throws {
    guard format == .table, let repair else { return }
    var output = Output()
    if !repair.before.isSound { try Self.write(repair.before, to: &output) }
    for fault in repair.refusal.prefix(Self.mostReasons) {
      try output.line("not repaired: \(Self.text(fault))")
    }
    if repair.isRefused {
      try output.line(
        "not repaired: records are damaged or may be missing; satchel salvage saves what is whole into a new store"
      )
    }
    for action in repair.actions { try output.line("repaired: \(action)".oneLine) }
    try output.flush()
  }

  /// Writes the result of the check, for programs together with that of the repair.
  func writeCheck(_ format: OutputFormat) throws {
    var output = Output()
    switch format {
    case .table: try writeLines(to: &output)
    case .json: try output.write(line())
    }
    try output.flush()
  }

  // MARK: For people

  private func writeLines(to output: inout Output) throws {
    if let unreadable {
      try output.line(((unreadable.file.map { $0 + ": " } ?? "") + unreadable.finding).oneLine)
      try output.line("checked: 0 records, 0 index entries, 0 nodes; 1 faults")
    }
    if let report { try Self.write(report, to: &output) }
  }

  private static func write(_ report: VerificationReport, to output: inout Output) throws {
    for fault in report.faults { try output.line(text(fault)) }
    if report.faultCount > report.faults.count {
      try output.line("… and \(report.faultCount - report.faults.count) more")
    }
    try output.line(
      "checked: \(report.records) records, \(report.indexEntries) index entries, \(report.nodes) nodes; "
        + "\(report.faultCount) faults")
  }

  private static func text(_ fault: VerificationReport.Fault) -> String {
    "\(fault.location) \(fault.key): \(fault.finding)".oneLine
  }

  /// How many reasons of a refusal are written for people. More of them tell a person nothing new.
  private static let mostReasons = 20

  // MARK: For programs

  private func line() -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    if let unreadable {
      writer.write(counts: (0, 0, 0), faultCount: 1) {
        $0.beginObject()
        $0.key("location")
        $0.string(unreadable.file ?? "store")
        $0.key("finding")
        $0.string(unreadable.finding)
        $0.endObject()
      }
    } else if let state {
      writer.write(state)
    }
    if let repair {
      writer.key("repair")
      writer.beginObject()
      writer.key("before")
      writer.beginObject()
      writer.write(repair.before)
      writer.endObject()
      writer.key("actions")
      writer.beginArray()
      for action in repair.actions { writer.string(action) }
      writer.endArray()
      writer.key("refusal")
      writer.beginArray()
      for fault in repair.refusal { writer.write(fault) }
      writer.endArray()
      writer.endObject()
    }
    writer.endObject()
    writer.endLine()
    return writer.bytes
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ report: VerificationReport) {
    write(counts: (report.records, report.indexEntries, report.nodes), faultCount: report.faultCount) {
      for fault in report.faults { $0.write(fault) }
    }
  }

  fileprivate mutating func write(
    counts: (records: Int, indexEntries: Int, nodes: Int), faultCount: Int,
    _ faults: (inout JSONWriter) -> Void
  ) {
    let numbers = [
      ("records", counts.records), ("indexEntries", counts.indexEntries), ("nodes", counts.nodes),
      ("faultCount", faultCount),
    ]
    for (name, number) in numbers {
      key(name)
      integer(Int64(number))
    }
    key("faults")
    beginArray()
    faults(&self)
    endArray()
  }

  fileprivate mutating func write(_ fault: VerificationReport.Fault) {
    beginObject()
    for (name, text) in [("location", fault.location), ("key", fault.key), ("finding", fault.finding)] {
      key(name)
      string(text)
    }
    endObject()
  }
}
