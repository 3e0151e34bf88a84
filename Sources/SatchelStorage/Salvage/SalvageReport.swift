/// What a salvage has saved, and what of the store is lost.
package struct SalvageReport: Sendable {
  /// Numbers of objects.
  package struct Counts: Sendable, Hashable {
    package var messages: UInt64 = 0
    package var conversations: UInt64 = 0
    package var identities: UInt64 = 0
    package var announcements: UInt64 = 0

    /// All of them.
    package var objects: UInt64 { messages + conversations + identities + announcements }
  }

  package internal(set) var saved = Counts()
  /// How many are lost, as far as the store still says how many there were; nil when its seal is lost, too.
  package internal(set) var lost: Counts? = Counts()
  /// What is lost or not as it was, a sentence each: records, stretches of tables, contents, names.
  package private(set) var losses: [String] = []
  /// The number of such sentences, with those that are not kept.
  package private(set) var lossCount = 0
  /// Pages of LMDB's that could not be read.
  package internal(set) var damagedPages = 0
  /// Objects that were found outside the trees: they may be older than what is lost.
  package internal(set) var uncertain = 0
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
