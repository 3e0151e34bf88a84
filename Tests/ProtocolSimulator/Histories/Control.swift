/// A deliberate defect, of the simulated machine or of what uses the protocol: the simulator has to find each.
package enum Control: String, CaseIterable, Sendable {
  /// A sync of the journal does nothing, and says that it has worked.
  case noSync
  /// A commit counts as acknowledged when its record is written, before it is synced.
  case acknowledgedEarly
  /// The journal's space is used again before the database has synced what was in it.
  case spaceUsedEarly
  /// Two writers write in the same generation.
  case generationKept
  /// Nobody looks for a commit of the database that was made and not announced.
  case unannouncedIgnored
  /// The first opener after a start of the machine does not find out that he is alone.
  case headBelieved
  /// Who has waited for the presence does not ask once more whether he is alone.
  case openerKilled
  /// Somebody puts another journal in the place of the one that writers have open, and nobody looks.
  case fileReplaced
}
