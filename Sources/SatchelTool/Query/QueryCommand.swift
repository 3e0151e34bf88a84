import ArgumentParser
import Satchel
import SatchelInterchange
import SatchelLines
import SatchelModel
import SatchelQuery
import SatchelStorage
import SatchelText
import TerminalInterface

/// `satchel query`: answers the query of the arguments or, with `--batch`, a query on each line of standard input.
struct QueryCommand: ParsableCommand, TakesRecordTypes {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Answers queries for conversations, messages, parts, announcements, identities or records.",
    discussion: """
      With --batch, each line of standard input is a query, such as {"from":"messages","where":"isUnread = true",\
      "sort":["-position"],"limit":20,"select":"identifiers"}, and gives one line of standard output. Objects are asked for by \
      name with {"from":"messages","id":"m1"}, or with an array of names.

      At a terminal, a list without --limit ends after 1,000 rows, and says how many there are.

      A query is answered from one commit. When the output is not read for as long as --lease says, it ends with whole \
      lines and status 1, and says how to ask for the rest.
      """)

  @OptionGroup var store: StoreArgument

  @Argument(help: QueriedKind.help)
  var kind: QueriedKind?

  @OptionGroup var query: QueryArguments
  @OptionGroup var shown: QueryOutputOptions
  @OptionGroup var lease: LeaseOptions

  @Flag(help: "One JSON query a line in, one JSON result a line out.")
  var batch = false

  func validate() throws {
    try kind?.validate(in: store)
    if batch {
      guard kind == nil, query.isEmpty, shown.isEmpty else {
        throw ValidationError(
          "--batch takes its queries from standard input and excludes the other arguments")
      }
    } else if kind == nil {
      throw ValidationError("Missing expected argument '<kind>': \(QueriedKind.names)")
    }
    try shown.validate(for: query)
  }

  func run() throws {
    guard let kind else { return try store.withStore { try BatchRunner(store: $0).run() } }
    let description = try query.description(of: kind)
    var output = Output()
    if let rank = shown.rank {
      try output.line(String(store.read { try $0.rank(of: rank, in: description) }))
      return try output.flush()
    }
    switch query.select {
    case .count: try output.line(String(store.read { try $0.count(description) }))
    case .identifiers:
      let (identifiers, total) = try store.read { snapshot in
        (try snapshot.identifiers(description), try countAll(description, snapshot))
      }
      try writeIdentifiers(identifiers, to: &output)
      try writeTotal(total, shown: identifiers.count, to: &output)
      if identifiers.isEmpty, total == nil, shown.resolved == .table {
        try writeEnd(of: description, nil, 0, to: &output)
      }
    case .objects: return try writeObjects(description)
    }
    try output.flush()
  }

  /// Returns the number that `--total` asks for; nil without it.
  private func countAll(_ description: QueryDescription, _ snapshot: StoreSnapshot) throws -> Int? {
    shown.total ? try snapshot.count(description.whole) : nil
  }

  /// Writes the number of all results after those that are shown.
  private func writeTotal(_ total: Int?, shown count: Int, to output: inout Output) throws {
    guard let total else { return }
    switch shown.resolved {
    case .table: try output.line("\(count) of \(total)")
    case .json: try output.write([("total", .number(Int64(total)))])
    // A line that is no record would be damage to whoever reads it.
    case .csv: StandardError.write("satchel: \(total) in all\n")
    }
  }

  /// Writes objects as they are read, to a reader that may stop reading.
  private func writeObjects(_ description: QueryDescription) throws {
    let stream = OutputStream(behind: WriteBehind(1))
    // Nobody reads a million rows at a terminal.
    let isCut = Terminal.isOutput && shown.resolved == .table && query.window.isOfWholeList
    var description = description
    if isCut { description.limit = Self.mostRows }
    var written = 0
    var last: String?
    do {
      try store.read { snapshot in
        stream.hold(ReaderLease(snapshot.base, lease.limits))
        var output = Output(stream)
        let note = { (object: ResultObject) in
          written += 1
          last = object.identifier
        }
        let total = try countAll(description, snapshot)
        switch shown.resolved {
        case .json where shown.columns == nil: try writeLines(description, snapshot, note, to: &output)
        case .table where shown.columns == nil:
          try ObjectTable.write(description, snapshot, note, to: &output)
        case let format:
          let columns = try ColumnList(shown.columns, of: description, snapshot)
          try columns.write(description, snapshot, format, note, to: &output)
        }
        try writeTotal(total, shown: written, to: &output)
        if shown.resolved == .table, total == nil {
          let isWhole = !isCut || written < Self.mostRows
          try writeEnd(
            of: description, isWhole ? nil : snapshot.count(description.whole), written, to: &output)
        }
      }
    } catch let error as SatchelError where error.code == .snapshotExpired {
      // What was read is whole lines. Their reader may now take them without a snapshot.
      try stream.finish()
      throw ToolError("\(error): \(advice(description, written, last))")
    }
    try stream.finish()
  }

  /// The most rows that are shown at a terminal to somebody who has set no limit.
  private static let mostRows = 1000

  /// Says that there is nothing, or that there is more.
  /// - Parameter all: How many results there are, if they may be more than are shown.
  private func writeEnd(
    of description: QueryDescription, _ all: Int?, _ written: Int, to output: inout Output
  ) throws {
    if written == 0 {
      return try output.line(
        "no \(description.recordType.map { "records of the type \($0)" } ?? description.kind.rawValue)")
    }
    guard let all, all > written else { return }
    try output.line("\(written) of \(all): --limit shows more, --offset later ones")
  }

  /// Returns how to ask for the rest, which another snapshot would give.
  private func advice(_ description: QueryDescription, _ written: Int, _ last: String?) -> String {
    let done = "\(written) objects are written"
    guard let last, query.window.before == nil, query.window.around == nil else { return done }
    var advice = "\(done), ask for the rest as the store is then with --after '\(last)'"
    if description.offset > 0 { advice += " and without --offset" }
    if let limit = description.limit { advice += " and with --limit \(max(0, limit - written))" }
    return advice
  }

  private func writeIdentifiers(_ identifiers: [String], to output: inout Output) throws {
    var writer = JSONWriter()
    if shown.resolved == .csv { try output.write(csv: ["identifier"]) }
    for identifier in identifiers {
      switch shown.resolved {
      case .table: try output.line(identifier.oneLine)
      case .csv: try output.write(csv: [identifier])
      case .json:
        writer.string(identifier)
        writer.endLine()
        try output.write(writer.bytes)
        writer.bytes.removeAll(keepingCapacity: true)
      }
    }
  }

  private func writeLines(
    _ description: QueryDescription, _ snapshot: StoreSnapshot, _ note: (ResultObject) -> Void,
    to output: inout Output
  ) throws {
    var encoder = ObjectEncoder()
    try snapshot.forEachObject(description) { object in
      note(object)
      try encoder.append(object, of: snapshot)
      encoder.writer.endLine()
      try output.write(encoder.writer.bytes)
      encoder.writer.bytes.removeAll(keepingCapacity: true)
    }
  }
}
