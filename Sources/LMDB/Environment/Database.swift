/// A handle of one named table of byte strings, ordered by comparing the bytes of the keys.
///
/// It is valid only in transactions of the environment that returned it, until that environment closes.
package struct Database: Sendable {
  /// The name by which it was opened.
  package let name: String
  /// The number of the environment that it belongs to.
  let environment: UInt32
  /// LMDB's handle.
  let handle: UInt32
  /// The number of a transaction in which it was found or created: every later snapshot contains it. `UInt64.max` if
  /// unknown.
  let since: UInt64
}
