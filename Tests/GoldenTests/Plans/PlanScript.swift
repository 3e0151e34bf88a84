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
    /// The first line: what is asked for, `objects`, `identifiers` or `count`, and the kind of object, or a record type. Or `declare`, a name
    /// without spaces and a kind; or `drop` and a name.
    var name: String
    /// The lines behind it: `where …`, `order …`, `limit …`, `offset …`; of an index `where …`, `columns …`.
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
      let kind = Self.kind(name.split(separator: " ").last.map(String.init) ?? "")
      var query = QueryDescription(kind: kind.kind)
      query.recordType = kind.recordType
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

extension PlanScript.Command {
  /// The index that is to be declared; nil if the command is another one.
  var declaration: Index? {
    get throws {
      let words = name.split(separator: " ").map(String.init)
      guard words.first == "declare" else { return nil }
      guard words.count == 3 else { throw PlanScript.Failure(description: "not a declaration: \(name)") }
      let kind = Self.kind(words[2])
      var predicate = QueryPredicate.true
      var columns: [IndexColumn] = []
      for line in input {
        if line.hasPrefix("where ") { predicate = try QueryPredicate(format: String(line.dropFirst(6))) }
        if line.hasPrefix("columns ") {
          columns = try line.dropFirst(8).split(separator: ",").map { try Self.column(String($0)) }
        }
      }
      return Index(
        named: words[1], kind: kind.kind, recordType: kind.recordType, where: predicate, columns: columns)
    }
  }

  /// The kind that a word stands for: what is the name of no kind is that of a record type.
  private static func kind(_ word: String) -> (kind: ObjectKind, recordType: String?) {
    if let kind = ObjectKind(rawValue: word), kind != .records { return (kind, nil) }
    return (.records, word)
  }

  private static func column(_ text: String) throws -> IndexColumn {
    let words = text.split(separator: " ").map(String.init)
    let key = try SortKey(words.last ?? "")
    return IndexColumn(
      key.path, descending: key.descending, isOfElements: words.first == "each",
      isOfWords: words.first == "words")
  }

  /// The name of the index that is to be dropped; nil if the command is another one.
  var dropped: String? {
    name.hasPrefix("drop ") ? String(name.dropFirst(5)) : nil
  }
}
