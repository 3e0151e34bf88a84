package import Journal

/// The open files of a store's journal.
package struct JournalFiles: Sendable {
  let file: JournalFile
  /// Nil for a program that may only read, where no writer has made one.
  let head: JournalHead?
  /// Held as long as the files are open, shared: whoever gets it alone knows that nobody else has the store's journal open.
  /// Nil for a program that may only read.
  let presence: JournalLock?
  /// Held shared for as long, too: it tells those who open the store of a journal that has lost its name. Nil for a program that may
  /// only read.
  let claim: JournalLock?

  /// Opens the files of the store in a place. Returns nil if there is no journal.
  ///
  /// They are opened by their names, one after the other. If somebody takes a name away meanwhile, or gives it to another file, does it
  /// once more: a lock on the head of another journal would be nobody's.
  static func open(
    _ place: any JournalPlace, _ access: JournalFile.Access
  ) throws(JournalError) -> JournalFiles? {
    try whileNamesStay(place) { () throws(JournalError) -> JournalFiles? in try openOnce(place, access) }
  }

  /// Does the same for a writer who opens a journal that is there, and opens its openers' lock.
  static func openInTurn(
    _ place: any JournalPlace
  ) throws(JournalError) -> (files: JournalFiles, turn: JournalLock)? {
    var turn: JournalLock?
    let files = try whileNamesStay(place) { () throws(JournalError) -> JournalFiles? in
      let files = try openOnce(place, .writing)
      turn = try files.map { _ throws(JournalError) in try place.openLock(.openers, .writing) }
      return files
    }
    guard let files, let turn else { return nil }
    return (files, turn)
  }

  private static func whileNamesStay(
    _ place: any JournalPlace, _ open: () throws(JournalError) -> JournalFiles?
  ) throws(JournalError) -> JournalFiles? {
    var attempts = 0
    while true {
      attempts += 1
      do throws(JournalError) {
        guard let files = try open() else { return nil }
        if try files.haveNames(in: place) { return files }
        guard attempts < mostAttempts else {
          throw JournalError(.busy(process: 0), operation: "open", path: place.path(of: .journal))
        }
      } catch {
        guard error.isNotThere, attempts < mostAttempts else { throw error }
      }
    }
  }

  /// How often to open files whose names somebody takes away. More often than anybody does that.
  private static let mostAttempts = 100

  /// Whether the names lead to these files.
  private func haveNames(in place: any JournalPlace) throws(JournalError) -> Bool {
    // A program that may only read has no lock that could be another's.
    guard let head, presence != nil else { return true }
    guard try place.identity(of: .journal) == file.identity() else { return false }
    let found = try place.identity(of: .head)
    return head.identity == nil || head.identity == found
  }

  private static func openOnce(
    _ place: any JournalPlace, _ access: JournalFile.Access
  ) throws(JournalError) -> JournalFiles? {
    guard let file = try access == .creating ? place.openJournal(access) : openFile(place, access) else {
      return nil
    }
    if access == .reading {
      let head = try readHead(place)
      return JournalFiles(file: file, head: head, presence: nil, claim: nil)
    }
    let head = try openHead(place)
    return JournalFiles(
      file: file, head: head, presence: try place.openLock(.presence, .writing),
      claim: try place.openLock(.claim, .writing))
  }

  /// Opens the head for reading. Nil if there is none, or one that was left while it was being made.
  private static func readHead(_ place: any JournalPlace) throws(JournalError) -> JournalHead? {
    guard place.exists(.head) else { return nil }
    do {
      return try place.openHead(.reading)
    } catch  where error.code == .invalid {
      return nil
    }
  }

  /// Opens the journal alone. Returns nil if there is none.
  package static func openFile(
    _ place: any JournalPlace, _ access: JournalFile.Access = .reading
  ) throws(JournalError) -> JournalFile? {
    guard place.exists(.journal) else { return nil }
    do { return try place.openJournal(access) } catch {
      // Somebody has taken it away meanwhile.
      if !place.exists(.journal) { return nil }
      throw error
    }
  }

  /// Opens the head, and makes one that is missing, or that was left while it was being made.
  private static func openHead(_ place: any JournalPlace) throws(JournalError) -> JournalHead {
    if let head = try? place.openHead(.writing) { return head }
    return try place.openHead(.creating)
  }
}
