import ArgumentParser
import Satchel
import SatchelInterchange
import SatchelModel
import TerminalInterface

/// `satchel explain`: shows how a query is answered and, with `--run`, what that takes.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract:
      "Shows the plan of a query: every access path with its exact cardinality and cost, and the chosen one.")

  @OptionGroup var store: StoreArgument

  @Argument(help: "conversations, messages, parts, announcements or identities.")
  var kind: ObjectKind

  @OptionGroup var query: QueryArguments

  @Flag(
    name: .customLong("run"),
    help: "Run the query, too, and say what was read, what came out and how long it took.")
  var isRunning = false

  @Option(help: "table for people, json for programs; without, a table, also in a pipe.")
  var format: OutputFormat = .table

  func run() throws {
    let description = try query.description(of: kind)
    let explanation = try store.read { try $0.explain(description, as: query.select, running: isRunning) }
    var output = Output()
    switch format {
    case .table: try output.line(explanation.description)
    case .json: try output.write(Self.line(explanation))
    }
    try output.flush()
  }

  private static func line(_ explanation: Explanation) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("plan")
    writer.string(explanation.plan)
    writer.key("paths")
    writer.beginArray()
    for path in explanation.paths {
      writer.object([
        ("index", .text(path.index)), ("bounds", .text(path.bounds)),
        ("cardinality", .number(Int64(path.cardinality))), ("isExact", .boolean(path.isExact)),
        ("residual", .text(path.residual)), ("order", .text(path.order)), ("cost", .double(path.cost)),
      ])
    }
    writer.endArray()
    writer.key("chosen")
    writer.integer(Int64(explanation.chosen))
    if let placing = explanation.placing {
      writer.key("placing")
      writer.string(placing.rawValue)
    }
    if let run = explanation.run {
      let counts = [
        ("nodesRead", run.nodesRead), ("entriesRead", run.entriesRead), ("recordsRead", run.recordsRead),
        ("recordsReadPlanning", run.recordsReadPlanning),
        ("returned", run.returned),
      ]
      for (key, count) in counts {
        writer.key(key)
        writer.integer(Int64(count))
      }
      writer.key("seconds")
      writer.number(run.seconds)
    }
    writer.endObject()
    writer.endLine()
    return writer.bytes
  }
}
