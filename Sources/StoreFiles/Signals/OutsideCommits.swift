/// Commits that readers see and LMDB does not have yet: those of a journal.
package protocol OutsideCommits: AnyObject, Sendable {
  /// A number that is a greater one after each of these commits, of whatever process.
  var count: UInt64 { get }
  /// The descriptor of a file that changes with each of them.
  var file: Int32 { get }
}
