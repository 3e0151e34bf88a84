import TestSupport

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// What happens to the files of a store while programs have it open, and how these may end.
final class Removal {
  private enum Target: CaseIterable { case journal, lock, data, directory }

  private(set) var store = ""
  private let target: Target
  /// Whether a copy of a journal that is written to was put in its place: it may have what its writer has taken back.
  private(set) var hasCopied = false
  /// What has to be renamed back.
  private var away: (from: String, to: String)?
  private(set) var text = ""

  init(_ round: Int, _ generator: inout SeededGenerator) {
    // Every third one is one that its programs do not outlive.
    target = round % 3 == 2 ? [.lock, .data, .directory][round / 3 % 3] : .journal
  }

  /// Says where the store is.
  func move(to store: String) { self.store = store }

  /// Whether programs that have it open end by it.
  var isFatal: Bool { target != .journal }
  /// Whether there is still something that can be opened.
  var leavesStore: Bool { target == .journal || target == .lock }

  /// Does it. Returns false if there is nothing to do it to.
  func happen(_ generator: inout SeededGenerator) throws -> Bool {
    switch target {
    case .journal:
      let names = [["journal"], ["journal.head"], ["journal", "journal.head"]][generator.draw(below: 3)]
      let way = generator.draw(below: 3)
      var isDone = false
      for name in names { isDone = try take(store + "/" + name, way) || isDone }
      return isDone
    case .lock:
      if generator.chance(50) { return try take(store + "/lock.mdb", 0) }
      return try take(store + "/lock.mdb", 2)
    case .data: return try putAway(store + "/data.mdb")
    case .directory: return try putAway(store)
    }
  }

  private func take(_ path: String, _ way: Int) throws -> Bool {
    let name = path.split(separator: "/").last ?? ""
    switch way {
    case 0:
      text += " \(name) removed;"
      return unlink(path) == 0
    case 1:
      text += " \(name) renamed;"
      return rename(path, path + ".away") == 0
    default:
      guard let bytes = try? Files.read(path) else { return false }
      text += " \(name) replaced by a copy;"
      try Files.write(bytes, to: path + ".copy")
      hasCopied = true
      return rename(path + ".copy", path) == 0
    }
  }

  private func putAway(_ path: String) throws -> Bool {
    text += " \(path.split(separator: "/").last ?? "") renamed;"
    guard rename(path, path + ".away") == 0 else { return false }
    away = (path + ".away", path)
    return true
  }

  /// Puts back what can be put back.
  func undo() throws {
    if let away { guard rename(away.from, away.to) == 0 else { throw TortureError("cannot rename \(away)") } }
  }

  /// What is wrong with the end of a program; nil if it is as it may be.
  /// - Parameter writers: How many threads of it write.
  /// - Parameter commitsAfter: How many commits it has told of after it had happened; nil if it has come after that.
  func flaw(of end: Child.Result, writers: Int, commitsAfter: Int?, _ result: inout PartResult) -> String? {
    let isLate = commitsAfter == nil
    if end.end == .exited(0) {
      guard isFatal, let commitsAfter else { return nil }
      // Each thread may just have acknowledged a commit of which it tells afterwards: its program was about to end.
      guard commitsAfter <= writers else { return "it has acknowledged \(commitsAfter) commits after that" }
      result["ended before it had happened"] += 1
      return nil
    }
    guard case .exited = end.end else { return end.brief }
    let names = isLate ? Self.refusals : isFatal ? [Self.replaced] : hasCopied ? [Self.foreign] : []
    guard names.contains(where: end.errors.contains) else { return end.brief }
    result["ended with an error by name"] += 1
    return nil
  }

  private static let replaced = "files of the open store were removed"
  static let foreign = "The journal is not that of the file beside it"
  /// Whoever comes while the files are not there.
  private static let refusals = [
    replaced, foreign, "journal or its head was removed", "last commits are in the store's journal",
  ]
}
