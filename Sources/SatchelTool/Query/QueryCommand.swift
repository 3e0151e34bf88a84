import ArgumentParser
import Satchel
import SatchelInterchange
import SatchelModel
import SatchelQuery
import SatchelStorage

/// `satchel query`: one query of the arguments, or with `--batch` one of each line of standard input.
struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Answers queries for conversations, messages, parts, announcements or identities.",
    discussion: """
      With --batch, each line of standard input is a query, such as {"from":"messages","where":"isUnread = true",\
      "sort":["-position"],"limit":20,"select":"identifiers"}, and gives one line of standard output.
      """)

  @OptionGroup var store: StoreArgument

  @Argument(help: "conversations, messages, parts, announcements or identities.")
  var kind: ObjectKind?

  @OptionGroup var query: QueryArguments
  @OptionGroup var format: FormatOption

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
    try store.read { snapshot in
      var output = Output()
      switch query.select {
      case .count: try output.line(String(snapshot.count(description)))
      case .identifiers: try writeIdentifiers(snapshot.identifiers(description), to: &output)
      case .objects:
        switch format.resolved {
        case .json: try writeLines(description, snapshot, to: &output)
        case .table: try ObjectTable.write(description, snapshot, to: &output)
        }
      }
      try output.flush()
    }
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
    _ description: QueryDescription, _ snapshot: StoreSnapshot, to output: inout Output
  ) throws {
    var encoder = ObjectEncoder()
    try snapshot.forEachObject(description) { object in
      try encoder.append(object, of: snapshot)
      encoder.writer.endLine()
      try output.write(encoder.writer.bytes)
      encoder.writer.bytes.removeAll(keepingCapacity: true)
    }
  }
}
