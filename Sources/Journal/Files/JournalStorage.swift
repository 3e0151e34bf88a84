package import StoreFiles

/// The `errno` of a call that failed.
package struct SystemFailure: Error, Sendable, Hashable {
  package let number: Int32

  package init(_ number: Int32) { self.number = number }
}

/// Puts something between a journal and its file.
package typealias JournalInterposer = @Sendable (any JournalStorage) -> any JournalStorage

/// What the journal asks of its file. Tests put something else in the file's place, which keeps a record of the calls or
/// lets them fail.
package protocol JournalStorage: Sendable {
  /// Returns the bytes of the file.
  func size() throws(SystemFailure) -> Int
  /// Reads from an offset on, and returns how many bytes there were; fewer than asked for at the end of the file.
  func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int
  /// Writes from an offset on, and returns how many bytes were written, which may be fewer.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int
  /// Makes all writes before it survive a power cut.
  func sync() throws(SystemFailure)
  /// Makes the file's name survive a power cut.
  func syncName() throws(SystemFailure)
  /// Removes all bytes.
  func truncate() throws(SystemFailure)
  /// Returns which file it is, whatever its name leads to by now.
  func identity() throws(SystemFailure) -> FileIdentity
}
