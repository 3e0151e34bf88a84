internal import Journal
package import SatchelCoding
internal import SatchelModel

/// What becomes of the file of a journal whose commits are given up.
extension CommitJournal {
  /// Empties a journal that was given up, after the commit of LMDB that says so.
  package func emptyUnreadable(after seal: Seal) throws {
    try empty(place.openJournal(.writing), upon: durable(seal, by: .thisProcess))
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
