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
    let value = aggregate.measure.words.map { "\($0.word) of \(SortKey($0.path))" } ?? "count"
    try write(values, of: SortKey(group).description, as: value)
  }

  /// Writes a row for each group.
  /// - Parameter periods: What the groups are if they are periods, by their beginnings.
  mutating func write(
    _ values: [(group: QueryPredicate.Constant, value: QueryPredicate.Constant)], of group: String,
    as value: String = "count", _ periods: CalendarPeriods? = nil
  ) throws {
    var table = Table([.init(group, limit: 48), .init(value, isNumber: true)])
    for (group, value) in values {
      var members = [("group", ColumnValue(group)), ("value", ColumnValue(value))]
      if let periods, case .date(let date) = group {
        let label = ColumnValue.text(periods.label(of: date.microseconds))
        members.replaceSubrange(0..<1, with: [("group", label), ("from", ColumnValue(group))])
      }
      switch format {
      case .table:
        let cells = [members.first, members.last].compactMap { $0?.1.text }
        try table.add(zip([group, value], cells).map { $0 == .null ? "(none)" : $1 }, to: &output)
      case .json: try output.write(members)
      }
    }
    if format == .table {
      try table.end(&output)
      if values.isEmpty { try output.line("no groups") }
    }
    try output.flush()
  }

  /// Writes one value: in a table as it is, as JSON like a value of a group.
  mutating func write(_ value: QueryPredicate.Constant) throws {
    switch format {
    case .table: try output.line(value == .null ? "(none)" : ColumnValue(value).text)
    case .json:
      var writer = JSONWriter()
      ColumnValue(value).write(to: &writer)
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
        var members: [(String, ColumnValue)] = [
          ("name", .text(aggregate.name)), ("from", .text(aggregate.kind.rawValue)),
        ]
        if aggregate.predicate != .true { members.append(("where", .text(aggregate.predicate.description))) }
        if let group = aggregate.group { members.append(("by", .text(SortKey(group).description))) }
        if let (word, path) = aggregate.measure.words {
          // Under the name of the option that asks for it.
          members.append((String(word.prefix(3)), .text(SortKey(path).description)))
        }
        try output.write(members)
      }
    }
    try output.flush()
  }
}

extension ColumnValue {
  fileprivate init(_ constant: QueryPredicate.Constant) {
    switch constant {
    case .null: self = .missing
    case .boolean(let flag): self = .boolean(flag)
    case .integer(let number): self = .number(number)
    case .number(let number): self = .double(number)
    case .text(let text): self = .text(text)
    case .date(let date): self = .date(date)
    }
  }
}
