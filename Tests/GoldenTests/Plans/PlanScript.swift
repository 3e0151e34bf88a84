import Satchel
import SatchelQuery

/// A file of commands and what they print: a command line, lines of input, `----`, the output, an empty line. Lines
/// before the first command and between two of them that begin with `#` are comments and stay.
struct PlanScript {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private enum Item {
    case comment(String)
    case command(Command)
  }

  struct Command {
    /// The first line: what is asked for, `objects`, `identifiers` or `count`, and the kind of object.
    var name: String
    /// The lines behind it: `where …`, `order …`, `limit …`, `offset …`.
    var input: [String]
  }

  private var items: [Item] = []

  init(_ text: String) throws {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...]
    while let line = lines.popFirst() {
      if line.isEmpty || line.hasPrefix("#") {
        items.append(.comment(line))
        continue
      }
      var command = Command(name: line, input: [])
      while let input = lines.popFirst(), input != "----" {
        guard !input.isEmpty else { throw Failure(description: "a command without ----: \(line)") }
        command.input.append(input)
      }
      while let output = lines.first, !output.isEmpty {
        _ = output
        lines.removeFirst()
      }
      items.append(.command(command))
    }
  }

  var commands: [Command] {
    items.compactMap { if case .command(let command) = $0 { command } else { nil } }
  }

  /// The file with what the commands print now.
  func run(_ answer: (Command) throws -> String) rethrows -> String {
    try items.map { item in
      switch item {
      case .comment(let line): line
      case .command(let command):
        ([command.name] + command.input + ["----", try answer(command)]).joined(separator: "\n")
      }
    }.joined(separator: "\n")
  }
}

extension PlanScript.Command {
  /// What of the results is wanted.
  var type: ResultType {
    get throws {
      guard let type = name.split(separator: " ").first.flatMap({ ResultType(rawValue: String($0)) }) else {
        throw PlanScript.Failure(description: "not a type of result: \(name)")
      }
      return type
    }
  }

  /// The query that the lines describe.
  var query: QueryDescription {
    get throws {
      guard let kind = name.split(separator: " ").last.flatMap({ ObjectKind(rawValue: String($0)) }) else {
        throw PlanScript.Failure(description: "not a kind of object: \(name)")
      }
      var query = QueryDescription(kind: kind)
      for line in input {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        let rest = words.count > 1 ? words[1] : ""
        switch words[0] {
        case "where": query.predicate = try QueryPredicate(format: rest)
        case "order": query.sort = try rest.split(separator: ",").map { try SortKey($0.filter { $0 != " " }) }
        case "limit": query.limit = Int(rest)
        case "offset": query.offset = Int(rest) ?? 0
        case "after": query.anchor = .after(rest)
        case "before": query.anchor = .before(rest)
        default: throw PlanScript.Failure(description: "not a line of a query: \(line)")
        }
      }
      return query
    }
  }
}
