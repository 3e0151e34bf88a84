import Satchel
import SatchelLines
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
      return try write(values.first?.value ?? aggregate.measure.nothing, of: aggregate)
    }
    let words = aggregate.measure.words
    try write(
      values, of: SortKey(group).description, try ObjectProperty(path: group, of: aggregate.kind).type,
      as: words.map { "\($0.word) of \(SortKey($0.path))" } ?? "count",
      try words.map { try ObjectProperty(path: $0.path, of: aggregate.kind).type })
  }

  /// Writes a row for each group.
  /// - Parameters:
  ///   - type: The type of the values that distinguish the groups.
  ///   - measured: That of the values, if they are values of a property.
  ///   - periods: What the groups are if they are periods, by their beginnings.
  mutating func write(
    _ values: [(group: QueryPredicate.Constant, value: QueryPredicate.Constant)], of name: String,
    _ type: ValueType, as value: String = "count", _ measured: ValueType? = nil,
    periods: CalendarPeriods? = nil
  ) throws {
    var table = Table([.init(name, limit: 48), .init(value, isNumber: true)])
    for (group, value) in values {
      // A period is shown by its name, and its beginning is a date.
      var (group, beginning) = (TypedValue(group, of: type), TypedValue?.none)
      if let periods, case .date(let date) = group.constant {
        beginning = TypedValue(group.constant, of: .date)
        group = TypedValue(.text(periods.label(of: date.microseconds)), of: .text)
      }
      let value = TypedValue(value, of: measured)
      switch format {
      case .table: try table.add([group.text, value.text], to: &output)
      case .json:
        var writer = JSONWriter()
        writer.beginObject()
        let members: [(String, TypedValue?)] = [("group", group), ("from", beginning), ("value", value)]
        for case (let key, let value?) in members {
          writer.key(key)
          value.write(to: &writer)
        }
        writer.endObject()
        writer.endLine()
        try output.write(writer.bytes)
      }
    }
    if format == .table {
      try table.end(&output)
      if values.isEmpty { try output.line("no groups") }
    }
    try output.flush()
  }

  /// Writes one value: in a table as it is, as JSON like a value of a group.
  mutating func write(_ value: QueryPredicate.Constant, of aggregate: AggregateDescription) throws {
    let type = try aggregate.measure.words.map { try ObjectProperty(path: $0.path, of: aggregate.kind).type }
    let value = TypedValue(value, of: type)
    switch format {
    case .table: try output.line(value.text)
    case .json:
      var writer = JSONWriter()
      value.write(to: &writer)
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
          ("name", .text(aggregate.name)), ("from", .text(aggregate.nameOfKind)),
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
