package import StoreFiles

/// The files beside a store that its journal needs.
package enum JournalName: Sendable, Hashable, CaseIterable {
  case journal
  case head

  /// The file's name in the store's directory.
  package var file: String {
    switch self {
    case .journal: StoreFiles.journalFile
    case .head: StoreFiles.headFile
    }
  }
}

/// The locks between the processes that use a store's journal.
package enum JournalLockName: Sendable, Hashable {
  /// On the journal: those who open it do so one after the other.
  case openers
  /// On the head: says who has it open.
  case presence
  /// On `data.mdb`, whose loss nobody survives: says that somebody has a journal of the store open, also if the journal and its head
  /// have lost their names.
  case claim

  /// The name of the file that it is on.
  package var file: String {
    switch self {
    case .openers: StoreFiles.journalFile
    case .presence: StoreFiles.headFile
    case .claim: StoreFiles.dataFile
    }
  }
}

/// What a journal asks of the place where it lies: its files by their names, the locks on them, and the machine. The protocol
/// simulator puts another place there, in which it plays what disks and processes can do.
package protocol JournalPlace: Sendable {
  /// The path of the store's directory, for errors.
  var path: String { get }
  /// Whether there is something under a name.
  func exists(_ name: JournalName) -> Bool
  /// Opens the journal's file.
  func openJournal(_ access: JournalFile.Access) throws(JournalError) -> JournalFile
  /// Opens the head, or makes it.
  func openHead(_ access: JournalFile.Access) throws(JournalError) -> JournalHead
  /// Opens a lock, without taking it.
  func openLock(_ name: JournalLockName, _ access: JournalFile.Access) throws(JournalError) -> JournalLock
  /// Returns which file a name leads to now; nil if there is none.
  func identity(of name: JournalName) throws(JournalError) -> FileIdentity?
  /// The current start of the machine; nil where the system does not tell.
  var boot: BootIdentity? { get }
  /// Returns the lower half of a writer's generations: not 0, and a different number for each writer.
  func makeNonce() -> UInt32
}

extension JournalPlace {
  /// The path of a file, for errors.
  package func path(of name: JournalName) -> String { "\(path)/\(name.file)" }
}
