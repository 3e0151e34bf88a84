import ArgumentParser
import Satchel
import SatchelInterchange
import SatchelModel
import SatchelQuery
import SatchelStorage

/// `satchel query`: answers the query of the arguments or, with `--batch`, a query on each line of standard input.
struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Answers queries for conversations, messages, parts, announcements or identities.",
    discussion: """
      With --batch, each line of standard input is a query, such as {"from":"messages","where":"isUnread = true",\
      "sort":["-position"],"limit":20,"select":"identifiers"}, and gives one line of standard output.

      A query is answered from one commit. When the output is not read for as long as --lease says, it ends with whole \
      lines and status 1, and says how to ask for the rest.
      """)

  @OptionGroup var store: StoreArgument

  @Argument(help: "conversations, messages, parts, announcements or identities.")
  var kind: ObjectKind?

  @OptionGroup var query: QueryArguments
  @OptionGroup var format: FormatOption
  @OptionGroup var lease: LeaseOptions

  @Flag(help: "One JSON query a line in, one JSON result a line out.")
  var batch = false

  func validate() throws {
    if batch {
      guard kind == nil, query.isEmpty, format.format == nil else {
        throw ValidationError(
          "--batch takes its queries from standard input and excludes the other arguments")
      }
    } else if kind == nil {
      throw ValidationError("Missing expected argument '<kind>': \(ObjectKind.names)")
    }
  }

  func run() throws {
    guard let kind else { return try store.withStore { try BatchRunner(store: $0).run() } }
    let description = try query.description(of: kind)
    var output = Output()
    switch query.select {
    case .count: try output.line(String(store.read { try $0.count(description) }))
    case .identifiers: try writeIdentifiers(store.read { try $0.identifiers(description) }, to: &output)
    case .objects: return try writeObjects(description)
    }
    try output.flush()
  }

  /// Writes objects as they are read, to a reader that may stop reading.
  private func writeObjects(_ description: QueryDescription) throws {
    let stream = OutputStream(behind: WriteBehind(1))
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
        switch format.resolved {
        case .json: try writeLines(description, snapshot, note, to: &output)
        case .table: try ObjectTable.write(description, snapshot, note, to: &output)
        }
      }
    } catch let error as SatchelError where error.code == .snapshotExpired {
      // What was read is whole lines. Their reader may now take them without a snapshot.
      try stream.finish()
      throw ToolError("\(error): \(advice(description, written, last))")
    }
    try stream.finish()
  }

  /// Returns how to ask for the rest, which another snapshot would give.
  private func advice(_ description: QueryDescription, _ written: Int, _ last: String?) -> String {
    let done = "\(written) objects are written"
    guard let last, query.before == nil, query.around == nil else { return done }
    var advice = "\(done), ask for the rest as the store is then with --after '\(last)'"
    if description.offset > 0 { advice += " and without --offset" }
    if let limit = description.limit { advice += " and with --limit \(max(0, limit - written))" }
    return advice
  }

  private func writeIdentifiers(_ identifiers: [String], to output: inout Output) throws {
    var writer = JSONWriter()
    for identifier in identifiers {
      switch format.resolved {
      case .table: try output.line(identifier.oneLine)
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
