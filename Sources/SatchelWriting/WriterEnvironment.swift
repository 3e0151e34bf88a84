package import Journal
package import SatchelModel

/// Where a writer gets the time and random numbers from; tests provide their own.
package struct WriterEnvironment: Sendable {
  package var clock: @Sendable () -> Timestamp
  package var random: @Sendable () -> UInt64

  /// Which keys of metadata may be written.
  package var metadataKeys = Metadata.KeyRule.any

  /// Gets what each transaction changes, as the bytes of `CommitChanges`, before it goes to LMDB; nil if part of it is
  /// there already, as in large writes. Tests make tails of it.
  package var onChanges: (@Sendable ([UInt8]?) -> Void)?

  /// Puts something between the journal and its file. Tests let calls fail there.
  package var journalStorage: JournalInterposer?

  /// Whether `random` is the system's source of random bits, which costs a system call each time.
  let isRandomFromSystem: Bool

  package init(
    clock: @escaping @Sendable () -> Timestamp = { Timestamp.now }, random: (@Sendable () -> UInt64)? = nil
  ) {
    self.clock = clock
    self.random = random ?? { UInt64.random(in: .min ... .max) }
    isRandomFromSystem = random == nil
  }
}
