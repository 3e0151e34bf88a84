import Satchel
import SatchelInterchange
import SatchelModel
import TerminalInterface

/// Writes aggregates and their values.
struct AggregateOutput: ~Copyable {
  let format: OutputFormat
  private var output = Output()

  init(_ format: OutputFormat) { self.format = format }

  /// Writes the values of an aggregate: one value if it has no groups, or else a row a group.
  mutating func write(
    _ values: [(group: QueryPredicate.Constant, value: QueryPredicate.Constant)],
    of aggregate: AggregateDescription
  ) throws {
    guard let group = aggregate.group else {
      return try write(values.first?.value ?? aggregate.measure.nothing)
    }
    switch format {
    case .table:
      let value = aggregate.measure.words.map { "\($0.word) of \(SortKey($0.path))" } ?? "count"
      var table = Table([.init(SortKey(group).description, limit: 48), .init(value, isNumber: true)])
      for (group, value) in values {
        try table.add([group, value].map { ColumnValue($0)?.text ?? "(none)" }, to: &output)
      }
      try table.end(&output)
      if values.isEmpty { try output.line("no groups") }
    case .json:
      for (group, value) in values {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("group")
        (ColumnValue(group) ?? .missing).write(to: &writer)
        writer.key("value")
        (ColumnValue(value) ?? .missing).write(to: &writer)
        writer.endObject()
        writer.endLine()
        try output.write(writer.bytes)
      }
    }
    try output.flush()
  }

  /// Writes one value: in a table as it is, as JSON like a value of a group.
  mutating func write(_ value: QueryPredicate.Constant) throws {
    switch format {
    case .table: try output.line(ColumnValue(value)?.text ?? "(none)")
    case .json:
      var writer = JSONWriter()
      (ColumnValue(value) ?? .missing).write(to: &writer)
      writer.endLine()
      try output.write(writer.bytes)
    }
    try output.flush()
  }

  /// Writes what is declared, a row an aggregate.
  mutating func write(_ aggregates: [AggregateDescription]) throws {
    switch format {
    case .table:
      var table = Table([.init("name", limit: 32), .init("what it counts or adds up")])
      for aggregate in aggregates {
        let words = aggregate.description.dropFirst(aggregate.name.count + 2)
        try table.add([aggregate.name, String(words)], to: &output)
      }
      try table.end(&output)
      if aggregates.isEmpty { try output.line("no aggregates") }
    case .json:
      for aggregate in aggregates {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("name")
        writer.string(aggregate.name)
        writer.key("from")
        writer.string(aggregate.kind.rawValue)
        let texts: [(String, String?)] = [
          ("where", aggregate.predicate == .true ? nil : aggregate.predicate.description),
          ("by", aggregate.group.map { SortKey($0).description }),
          aggregate.measure.words.map { (String($0.word.prefix(3)), SortKey($0.path).description) } ?? (
            "", nil
          ),
        ]
        for case (let key, let text?) in texts {
          writer.key(key)
          writer.string(text)
        }
        writer.endObject()
        writer.endLine()
        try output.write(writer.bytes)
      }
    }
    try output.flush()
  }
}

extension ColumnValue {
  /// Makes the value of a constant; nil for no value.
  fileprivate init?(_ constant: QueryPredicate.Constant) {
    switch constant {
    case .null: return nil
    case .boolean(let flag): self = .boolean(flag)
    case .integer(let number): self = .number(number)
    case .number(let number): self = .double(number)
    case .text(let text): self = .text(text)
    case .date(let date): self = .date(date)
    }
  }
}
