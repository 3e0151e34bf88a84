internal import RecordStore
internal import SatchelCoding

/// Runs a decoder. An error of the decoder is thrown as a `RecordError` that names the record.
///
/// `Snapshot` has the same for reads. It is generic, so that only its own target could call it specialised.
func decoding<R>(
  _ table: String, _ key: @autoclosure () -> String, _ body: () throws(CodingError) -> R
) throws -> R {
  do { return try body() } catch { throw RecordError(table, key(), error.description) }
}
