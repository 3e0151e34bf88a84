import SatchelCoding
import SatchelIndexing
import SatchelModel
import SatchelPlanning
import SatchelReading

/// Adds up what rows of one snapshot contribute to the entries of an aggregate.
struct AggregateTally {
  private(set) var totals: AggregateTotals = [:]
  private let group: PropertyReader?
  private let measure: AggregateEntry.Measure
  private let measured: PropertyReader?
  /// The prefix of the group of each conversation seen so far, if the group depends on the conversation alone.
  private var groups: [UInt32: [UInt8]] = [:]
  private let groupsByConversation: Bool

  /// Makes a tally of rows that come from an index, or from none.
  init(_ aggregate: CompiledAggregate, on index: IndexDefinition?, in snapshot: Snapshot) {
    let readers = PropertyReaders(snapshot: snapshot, kind: aggregate.kind, index: index)
    group = aggregate.group.map(readers.reader(of:))
    measure = aggregate.measure
    measured = aggregate.measured.map(readers.reader(of:))
    let ofMessage = aggregate.group.map { $0.stripping(.message) ?? $0 }
    groupsByConversation =
      (aggregate.kind == .messages || aggregate.kind == .parts) && ofMessage?.stripping(.conversation) != nil
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

  /// Returns what the texts of the group's entries begin with.
  private mutating func prefix(_ row: inout RowContext) throws -> [UInt8] {
    func prefix(_ group: AggregateGroup) -> [UInt8] { AggregateEntryText.prefix(of: group, measure) }
    guard let group else { return prefix(.missing) }
    guard groupsByConversation else { return try prefix(AggregateGroup(group(&row))) }
    if let known = groups[row.reference.conversation] { return known }
    let bytes = try prefix(AggregateGroup(group(&row)))
    groups[row.reference.conversation] = bytes
    return bytes
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
      }
  }
}
