package import StoreFiles

/// Changes under keys that are numbers.
extension LMDBWriteTransaction {
  /// `append` under the number's eight big-endian bytes.
  package func append(
    _ database: Database, number: UInt64, _ value: UnsafeRawBufferPointer
  ) throws(LMDBError) {
    unsafe try withKey(number) { key throws(LMDBError) in unsafe try append(database, key, value) }
  }

  /// `reserve` under the number's eight big-endian bytes.
  package func reserve(
    _ database: Database, number: UInt64, count: Int
  ) throws(LMDBError) -> UnsafeMutableRawBufferPointer {
    unsafe try withKey(number) { key throws(LMDBError) in unsafe try reserve(database, key, count: count) }
  }

  /// Removes the key that consists of the number's eight big-endian bytes. Returns whether it existed. O(log n).
  package func delete(_ database: Database, number: UInt64) throws(LMDBError) -> Bool {
    unsafe try withKey(number) { key throws(LMDBError) in unsafe try delete(database, key) }
  }

  /// Calls `body` with the eight big-endian bytes of a number.
  @inline(__always)
  func withKey<R>(
    _ number: UInt64, _ body: (UnsafeRawBufferPointer) throws(LMDBError) -> R
  ) throws(LMDBError) -> R {
    var bytes = number.bigEndian
    return unsafe try withUnsafeBytes(of: &bytes, body)
  }
}
