import SatchelCoding
import SatchelIndexing
import SatchelModel
import SatchelPlanning
import SatchelReading

/// Adds up what rows of one snapshot contribute to an aggregate, group by group.
struct AggregateTally {
  private(set) var totals: AggregateTotals = [:]
  private let group: PropertyReader?
  private let sum: PropertyReader?
  /// The group of each conversation seen so far, if the group depends on the conversation alone.
  private var groups: [UInt32: [UInt8]] = [:]
  private let groupsByConversation: Bool

  /// Makes a tally of rows that come from an index, or from none.
  init(_ aggregate: CompiledAggregate, on index: IndexDefinition?, in snapshot: Snapshot) {
    let readers = PropertyReaders(snapshot: snapshot, kind: aggregate.kind, index: index)
    group = aggregate.group.map(readers.reader(of:))
    sum = aggregate.sum.map(readers.reader(of:))
    let ofMessage = aggregate.group.map { $0.stripping(.message) ?? $0 }
    groupsByConversation =
      (aggregate.kind == .messages || aggregate.kind == .parts) && ofMessage?.stripping(.conversation) != nil
  }

  /// Adds what a row contributes, multiplied by a factor: 1 for a row that is counted, −1 for one that is no longer
  /// counted.
  mutating func add(_ row: inout RowContext, factor: Int64 = 1) throws {
    var weight: Int64 = 1
    if let sum {
      guard case .integer(let number) = try sum(&row) else { return }
      weight = number
    }
    totals[try bytesOfGroup(&row), default: 0] &+= factor &* weight
  }

  /// Adds a number of rows to a group; the rows have been counted without being read.
  mutating func add(_ count: Int, to group: AggregateGroup) {
    totals[group.bytes, default: 0] &+= Int64(count)
  }

  private mutating func bytesOfGroup(_ row: inout RowContext) throws -> [UInt8] {
    guard let group else { return AggregateGroup.missing.bytes }
    guard groupsByConversation else { return try AggregateGroup(group(&row)).bytes }
    if let known = groups[row.reference.conversation] { return known }
    let bytes = try AggregateGroup(group(&row)).bytes
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
