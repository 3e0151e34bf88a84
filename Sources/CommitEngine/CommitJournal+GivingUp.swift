internal import Journal
internal import SatchelModel

/// What becomes of the file of a journal whose commits are given up.
extension CommitJournal {
  /// Empties a journal that was given up, after the commit of LMDB that says so.
  package func emptyUnreadable() throws {
    if !isSynced { try database?.syncAfterCommit() }
    try place.openJournal(.writing).empty()
  }

  /// Copies the journal's file, under a name that is free. Returns the path of the copy; nil if there is no file.
  package func copyAside() throws -> String? {
    guard let file = try JournalFiles.openFile(place) else { return nil }
    let path = "\(place.path(of: .journal)).damaged"
    for number in 1..<1000 {
      let name = number == 1 ? path : "\(path)-\(number)"
      guard !Directories.exists(name) else { continue }
      try file.copy(to: name)
      return name
    }
    throw SatchelError(
      .io, "There are a thousand copies of damaged journals: move them away", ["store": place.path])
  }
}
