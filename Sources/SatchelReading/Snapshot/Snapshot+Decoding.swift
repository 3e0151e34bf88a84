internal import RecordStore
package import SatchelCoding

extension Snapshot {
  /// Calls `visit` with each part and its index. Unlike the view's own function, passes errors on.
  package func forEachPart(of view: MessageView, _ visit: (PartView, Int) throws -> Void) throws {
    var index = 0
    var failure: (any Error)?
    view.forEachPart { part in
      guard failure == nil else { return }
      do { try visit(part, index) } catch { failure = error }
      index += 1
    }
    if let failure { throw failure }
  }

  /// Runs a decoder. An error of the decoder is thrown as a `RecordError` that names the record.
  func decoding<R>(
    _ table: String, _ key: @autoclosure () -> String, _ body: () throws(CodingError) -> R
  ) throws -> R {
    do { return try body() } catch { throw RecordError(table, key(), error.description) }
  }
}
