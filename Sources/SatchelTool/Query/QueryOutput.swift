import ArgumentParser
import TerminalInterface

/// How `query` writes its results.
enum QueryFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json, csv
}

/// What `query` shows of its results, and how.
struct QueryOutputOptions: ParsableArguments {
  @Option(
    help: """
      table for people, json or csv (RFC 4180, with a line of titles; a list is JSON in its cell) for programs; without, a \
      table at a terminal and json elsewhere.
      """)
  var format: QueryFormat?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What to show of each object: properties as queries name them, joined by commas.", valueName: "paths"))
  var columns: String?

  @Flag(
    help: """
      After the results, how many there are without --limit, --offset and an anchor: the last line, as JSON \
      {"total":n}; for CSV it goes to standard error.
      """)
  var total = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only the place of this object in the whole list, counted from 0: what --offset takes to begin with it.",
      valueName: "id"))
  var rank: String?

  /// Whether no argument was given.
  var isEmpty: Bool { format == nil && columns == nil && !total && rank == nil }

  var resolved: QueryFormat { format ?? (Terminal.isOutput ? .table : .json) }

  func validate(for query: QueryArguments) throws {
    if rank != nil, !query.window.isOfWholeList || query.select != .objects || columns != nil || total {
      throw ValidationError("--rank goes with --where and --sort alone: it is a place in the whole list")
    }
    if columns != nil, query.select != .objects {
      throw ValidationError("--columns goes with objects, not with --select \(query.select.rawValue)")
    }
    if total, query.select == .count {
      throw ValidationError("--total goes with objects and identifiers: --select count is a number already")
    }
  }
}
