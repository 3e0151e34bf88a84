import SatchelCoding
import SatchelIndexing
import SatchelModel
import SatchelPlanning
import SatchelReading

/// Adds up what rows of one snapshot contribute to the entries of an aggregate.
struct AggregateTally {
  private(set) var totals: AggregateTotals = [:]
  private let measure: AggregateEntry.Measure
  private let measured: PropertyReader?
  /// What the texts of the entries of a row's group begin with; nil for one group of all.
  private var prefixes: RowGroups<[UInt8]>?

  /// Makes a tally of rows that come from an index, or from none.
  init(_ aggregate: CompiledAggregate, on index: IndexDefinition?, in snapshot: Snapshot) {
    let readers = PropertyReaders(snapshot: snapshot, kind: aggregate.kind, index: index)
    let measure = aggregate.measure
    self.measure = measure
    measured = aggregate.measured.map(readers.reader(of:))
    prefixes = aggregate.group.map { property in
      let value = readers.reader(of: property)
      return RowGroups(by: property, of: aggregate.kind) {
        AggregateEntryText.prefix(of: AggregateGroup(try value(&$0)), measure)
      }
    }
  }

  /// Adds what a row contributes.
  mutating func add(_ row: inout RowContext) throws {
    guard let measured else { return totals[try prefix(&row), default: 0] &+= 1 }
    let value = try measured(&row)
    switch measure {
    case .count, .sum:
      if case .integer(let number) = value { totals[try prefix(&row), default: 0] &+= number }
    case .exactSum:
      guard case .scalar(let scalar) = value else { return }
      let prefix = try prefix(&row)
      ExactSum.forEachLimb(of: scalar) { limb, amount in totals[prefix + [limb], default: 0] &+= amount }
    case .minimum, .maximum:
      let value = AggregateGroup(value)
      if value != .missing { totals[try prefix(&row) + value.bytes, default: 0] &+= 1 }
    }
  }

  /// Adds a number of rows to the group of all; the rows have been counted without being read.
  mutating func add(_ count: Int) {
    totals[AggregateEntryText.prefix(of: .missing, .count), default: 0] &+= Int64(count)
  }

  private mutating func prefix(_ row: inout RowContext) throws -> [UInt8] {
    try prefixes?.group(of: &row) ?? AggregateEntryText.prefix(of: .missing, measure)
  }
}

extension AggregateGroup {
  init(_ value: PropertyValue) {
    self =
      switch value {
      // A list belongs to no one group.
      case .missing, .list: .missing
      case .integer(let number): .integer(number)
      case .scalar(let scalar): scalar.key.map { .scalar($0) } ?? .missing
      case .mapped(let bytes): unsafe AggregateGroup(bytes)
      case .bytes(let bytes): AggregateGroup(bytes)
      case .reference(let bytes): unsafe .reference(Array(bytes))
      }
  }
}
