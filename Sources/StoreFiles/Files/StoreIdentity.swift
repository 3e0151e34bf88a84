/// The identity of a store: its directory and the data file in it, by device and inode.
package struct StoreIdentity: Equatable, Sendable {
  package let directory: FileIdentity
  package let file: FileIdentity

  /// Whether the directory or the file is the same: two such environments would share lock files or pages.
  package func overlaps(_ other: StoreIdentity) -> Bool {
    directory == other.directory || file == other.file
  }
}
