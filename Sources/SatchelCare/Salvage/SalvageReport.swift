/// What a salvage has saved, and what is lost.
package struct SalvageReport: Sendable {
  /// Numbers of objects.
  package struct Counts: Sendable, Hashable {
    package var messages: UInt64 = 0
    package var conversations: UInt64 = 0
    package var identities: UInt64 = 0
    package var announcements: UInt64 = 0
    package var records: UInt64 = 0

    /// The number of all objects.
    package var objects: UInt64 { messages + conversations + identities + announcements + records }
  }

  package internal(set) var saved = Counts()
  /// How many declared indexes and aggregates were declared again.
  package internal(set) var indexes = 0
  package internal(set) var aggregates = 0
  /// How many objects are lost, as far as the store still records how many there were; nil if the seal of its last
  /// commit is lost too, or may be.
  package internal(set) var lost: Counts? = Counts()
  /// What is lost or was changed, one sentence each: records, ranges of tables, contents, names.
  package private(set) var losses: [String] = []
  /// The number of such sentences, including those that are not kept.
  package private(set) var lossCount = 0
  /// The number of LMDB's pages that could not be read.
  package internal(set) var damagedPages = 0
  /// The number of objects that were found outside the trees: they may be older versions than the lost ones.
  package internal(set) var uncertain = 0
  /// The commits that were taken from the journal.
  package internal(set) var journalCommits: [ClosedRange<UInt64>] = []
  /// The commits that are known to have been in the journal and that are lost. More may be: `losses` says why.
  package internal(set) var lostCommits: [ClosedRange<UInt64>] = []
  /// Objects that were saved without something that they had: what is missing is replaced by a value that says so, or is empty.
  package internal(set) var incomplete = 0

  /// The most sentences that are kept.
  package static let maximumLosses = 1000

  package var isComplete: Bool { lossCount == 0 && (lost.map { $0.objects == 0 } ?? false) }

  mutating func note(_ loss: String) {
    lossCount += 1
    if losses.count < Self.maximumLosses { losses.append(loss) }
  }
}
