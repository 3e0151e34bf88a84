import SatchelIndexing
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading

/// Reads the sort values of a row.
struct SortKeyReader {
  private let readers: [(read: PropertyReader, missing: SortValue)]

  init(_ sort: [ResolvedSort], of kind: ObjectKind, on index: IndexDefinition?, in snapshot: Snapshot) {
    let make = PropertyReaders(snapshot: snapshot, kind: kind, index: index)
    readers = sort.map { key in
      // Also a path through references that ends in a position has missing ones behind all others.
      let isPosition = key.property.referenced.property.field == .position
      return (make.reader(of: key.property), isPosition ? .unsent : .missing)
    }
  }

  /// Returns the row with its sort values.
  func row(_ context: inout RowContext) throws -> SortRow {
    var keys: [SortValue] = []
    keys.reserveCapacity(readers.count)
    for (read, missing) in readers {
      switch try read(&context) {
      case .missing: keys.append(missing)
      case .integer(let number): keys.append(.integer(number))
      // What is in a record is no NaN.
      case .scalar(let scalar): keys.append(scalar.key.map { .scalar($0) } ?? missing)
      case .list: keys.append(.list)
      case .reference(let bytes): unsafe keys.append(.reference(Array(bytes)))
      case .mapped(let bytes): unsafe keys.append(.bytes(Array(bytes)))
      case .bytes(let bytes): keys.append(.bytes(bytes))
      }
    }
    return SortRow(keys: keys, reference: context.reference)
  }
}
