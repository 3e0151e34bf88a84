import SatchelCoding
import SatchelIndexing
import SatchelModel
import SatchelPlanning
import SatchelReading

/// Counts rows of one snapshot group by group.
struct GroupTally {
  private(set) var counts: [AggregateGroup: Int] = [:]
  private var groups: RowGroups<AggregateGroup>

  /// Makes a tally of rows that come from an index, or from none.
  init(
    _ kind: ObjectKind, by grouping: CompiledGrouping, on index: IndexDefinition?, in snapshot: Snapshot
  ) {
    let value = grouping.reader(PropertyReaders(snapshot: snapshot, kind: kind, index: index))
    groups = RowGroups(by: grouping.property, of: kind) { AggregateGroup(try value(&$0)) }
  }

  /// Adds a row, or as many as it stands for.
  mutating func add(_ row: inout RowContext, count: Int = 1) throws {
    counts[try groups.group(of: &row), default: 0] += count
  }

  /// Adds rows to a group that have been counted without being read.
  mutating func add(_ count: Int, to group: AggregateGroup) { counts[group, default: 0] += count }
}

extension CompiledGrouping {
  /// Returns the reader of what a row is grouped by: its value, or the period that its date is in.
  func reader(_ readers: PropertyReaders) -> PropertyReader {
    let value = readers.reader(of: property)
    guard let finder = periods.map({ PeriodFinder($0) }) else { return value }
    return { row in
      guard let date = try value(&row).microseconds else { return .missing }
      return .integer(finder.stretch(of: date).period)
    }
  }
}

extension PropertyValue {
  /// The microseconds of a date; nil for any other value.
  var microseconds: Int64? {
    switch self {
    case .integer(let microseconds): microseconds
    case .scalar(.date(let microseconds)): microseconds
    default: nil
    }
  }
}
