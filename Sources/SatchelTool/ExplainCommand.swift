import ArgumentParser
import Satchel
import SatchelLines
import SatchelModel
import TerminalInterface

/// `satchel explain`: shows how a query is answered and, with `--run`, what that takes.
struct ExplainCommand: ParsableCommand, TakesRecordTypes {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract:
      "Shows the plan of a query: every access path with its exact cardinality and cost, and the chosen one.")

  @OptionGroup var store: StoreArgument

  @Argument(help: QueriedKind.help)
  var kind: QueriedKind

  @OptionGroup var query: QueryArguments

  @Flag(
    name: .customLong("run"),
    help: "Run the query, too, and say what was read, what came out and how long it took.")
  var isRunning = false

  @Flag(
    help:
      "Look for an index that would answer the query at less cost, too: it can be declared by satchel index. Reads all objects of the kind."
  )
  var advise = false

  @Option(help: "table for people, json for programs; without, a table, also in a pipe.")
  var format: OutputFormat = .table

  func validate() throws { try kind.validate(in: store) }

  func run() throws {
    let description = try query.description(of: kind)
    let explanation = try store.read {
      try $0.explain(description, as: query.select, running: isRunning, advising: advise)
    }
    var output = Output()
    switch format {
    case .table:
      try output.line(explanation.description)
      if advise, explanation.advice == nil { try output.line("advice: no index would be of more use") }
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
    for path in explanation.paths { write(path, to: &writer) }
    writer.endArray()
    writer.key("chosen")
    writer.integer(Int64(explanation.chosen))
    if let placing = explanation.placing {
      writer.key("placing")
      writer.string(placing.rawValue)
    }
    if let advice = explanation.advice { write(advice, to: &writer) }
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

  private static func write(_ path: Explanation.Path, to writer: inout JSONWriter) {
    writer.object([
      ("index", .text(path.index)), ("bounds", .text(path.bounds)),
      ("cardinality", .number(Int64(path.cardinality))), ("isExact", .boolean(path.isExact)),
      ("residual", .text(path.residual)), ("order", .text(path.order)), ("cost", .double(path.cost)),
    ])
  }

  private static func write(_ advice: IndexAdvice, to writer: inout JSONWriter) {
    writer.key("advice")
    writer.beginObject()
    writer.key("columns")
    writer.beginArray()
    for column in advice.index.columns { writer.string(column.description) }
    writer.endArray()
    writer.key("entries")
    writer.integer(Int64(advice.entries))
    writer.key("path")
    write(advice.path, to: &writer)
    writer.key("costWithout")
    writer.number(advice.costWithout)
    writer.endObject()
  }
}
