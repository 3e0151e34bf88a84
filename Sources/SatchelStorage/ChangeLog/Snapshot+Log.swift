package import SatchelCoding

extension Snapshot {
  /// What commits after `commit` have changed, oldest first; nil when the log no longer reaches back that far, so that
  /// the reader has to select everything anew.
  package func changes(after commit: UInt64) throws -> [(commit: UInt64, entry: ChangeLogEntry)]? {
    guard commit < seal.commit else { return [] }
    guard seal.log.first <= commit + 1 else { return nil }
    var entries: [(commit: UInt64, entry: ChangeLogEntry)] = []
    try scanObjects(from: .changeLog(commit: commit + 1)) { key, value in
      guard case .changeLog(let number) = key else { return false }
      let entry = try decoding("changeLog", "\(number)") { () throws(CodingError) in
        unsafe try ChangeLogEntry(value, commit: number)
      }
      entries.append((number, entry))
      return true
    }
    return entries
  }
}
