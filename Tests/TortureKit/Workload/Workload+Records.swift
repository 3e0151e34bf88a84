internal import SatchelWriting
internal import StoreModel

/// A script's own records, beside those that its random operations make: whatever is drawn, a type is declared, it gets records, then
/// fields, and some of its records go.
extension Workload {
  /// After so many commits the script declares another type.
  private static let roundOfRecords = 4

  /// Does what a commit does to records, on the model alone without a writer.
  func changeRecords(_ number: Int, _ operations: inout RandomOperations, _ writer: Writer?) throws {
    let (round, place) = (number - 1).quotientAndRemainder(dividingBy: Self.roundOfRecords)
    let name = "script-\(round)"
    // The commit that has declared it may have been thrown away.
    if !operations.model.recordTypes.contains(where: { $0.name == name }) {
      try operations.declareType(writer, named: name)
    }
    switch place {
    case 0: try operations.saveRecords(writer, 2, ofType: name)
    case 1: try operations.saveRecords(writer, 4, ofType: name)
    case 2: try operations.declareFields(writer, ofType: name)
    default: for _ in 0..<2 { try operations.deleteRecord(writer, ofType: name) }
    }
  }
}
