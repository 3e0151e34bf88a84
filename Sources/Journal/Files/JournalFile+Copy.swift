extension JournalFile {
  /// Writes all bytes that the disk gives to a new file, durably, with zeros for those that it does not give.
  /// - Parameter path: Where nothing is yet.
  /// - Throws: `file`, `system`. What was begun is left.
  package func copy(to path: String) throws(JournalError) {
    let bytes = try readableContents().bytes
    let copy = try JournalFile(path, .creating)
    try copy.write(bytes, at: 0, "copy")
    try copy.sync("copy")
    try copy.syncName("copy")
  }
}
