package import SatchelPlanning
package import SatchelReading

/// Reads the sort values of objects.
package final class SortRowReader {
  private let reader: SortKeyReader
  private var context = RowContext()

  /// Makes a reader of a question's sort keys on one snapshot.
  package init(_ question: Question, in snapshot: Snapshot) {
    reader = SortKeyReader(question.sort, of: question.kind, on: nil, in: snapshot)
  }

  /// Returns an object with its sort values; the object has to exist.
  package func row(_ reference: RowReference) throws -> SortRow {
    context.begin(reference)
    return try reader.row(&context)
  }
}
