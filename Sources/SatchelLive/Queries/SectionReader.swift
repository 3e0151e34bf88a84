import SatchelExecution
import SatchelPlanning
import SatchelQuery
import SatchelReading

/// Reads the section of a row: the value of the query's first sort key.
struct SectionReader {
  private let reader: SortRowReader?

  /// Makes a reader; without a section key it gives `missing` for every row.
  init(_ key: String?, _ question: Question, _ snapshot: Snapshot) {
    guard key != nil, let first = question.sort.first else {
      reader = nil
      return
    }
    var sectioned = question
    sectioned.sort = [first]
    reader = SortRowReader(sectioned, in: snapshot)
  }

  func section(of row: RowReference) throws -> SortValue {
    try reader?.row(row).keys.first ?? .missing
  }
}
