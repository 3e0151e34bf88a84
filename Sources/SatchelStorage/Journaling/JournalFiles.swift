internal import Journal

/// The open files of a store's journal.
struct JournalFiles: Sendable {
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
  static func open(
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
  static func openFile(
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
