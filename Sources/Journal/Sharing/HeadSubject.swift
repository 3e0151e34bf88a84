package import StoreFiles

/// What a head speaks of. What it says is no proof for another file, as a copy is, and what was not synced is none after the machine
/// has started anew.
package struct HeadSubject: Sendable, Hashable {
  package let owner: JournalOwner
  /// The file of the journal.
  package let journal: FileIdentity
  /// The current start of the machine; nil where the system does not tell.
  package let boot: BootIdentity?

  package init(owner: JournalOwner, journal: FileIdentity, boot: BootIdentity?) {
    self.owner = owner
    self.journal = journal
    self.boot = boot
  }

  /// The words that a head has of it.
  var words: [UInt64] {
    [
      owner.high, owner.low, UInt64(truncatingIfNeeded: journal.device),
      UInt64(truncatingIfNeeded: journal.inode),
      boot?.high ?? 0, boot?.low ?? 0,
    ]
  }
}
