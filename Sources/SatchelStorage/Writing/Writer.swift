package import LMDB
internal import RankedIndex
internal import SatchelCoding
package import SatchelModel

/// A write: changes of objects, with their index entries, derived values, log entry and seal. It has an LMDB
/// transaction of its own, or shares one with earlier or later writes.
///
/// Every operation checks all its arguments before it changes anything, so a caller may go on after an error. Changed
/// objects are held in an overlay. The writer's own look-ups consult the overlay; queries flush it first. If the
/// write's closure throws, all its changes are discarded.
package final class Writer {
  package let transaction: LMDBWriteTransaction
  let databases: Databases
  let forest: Forest
  let cache: DictionaryCache
  /// The dictionary entries that the transaction has added, including those of its earlier writes.
  let pending: PendingDictionaries
  let environmentOfWrites: WriterEnvironment
  /// The state that the transaction has flushed so far.
  let flushed: Snapshot
  var seal: Seal
  var overlay = Overlay()
  /// Identifiers of the whole transaction that have not reached the indexes yet.
  var identifiers = PendingIdentifiers()
  var log = LogBuilder()
  /// Set by changes that appear neither in the log nor in the seal's counts.
  var isChanged = false
  var aggregation: Aggregation
  /// An import shares one object among all its transactions.
  var distinctConversations = DistinctConversations()
  /// The sequence of the last commit before LMDB's transaction: later sequences, of earlier writes in it, are not
  /// durable yet.
  let lastCommit: UInt64
  /// The changes of earlier writes in the transaction; kept only if aggregates are declared.
  let earlierLog: LogBuilder
  /// Whether the store's user belongs to each participant set that was looked at.
  private var userParticipates: [UInt32: Bool] = [:]
  /// Encodes the records of added messages; kept so that its memory is reused.
  var messageEncoder = MessageEncoder(capacity: 0)
  /// The types of the parts of the last added message.
  var lastTypes: InternedTypes?
  /// The last interned text of each dictionary, with its number.
  var lastInterned: [(text: String, number: UInt32)?] = Array(
    repeating: nil, count: DictionaryKind.allCases.count)
  private var identifierSource: (seeds: (UInt64, UInt64), count: UInt64)?
  private var currentTime: Timestamp?
  /// The error that interrupted a change. After it every operation fails, and the transaction cannot commit.
  private(set) var failure: (any Error)?

  init(
    transaction: LMDBWriteTransaction, databases: Databases, forest: Forest, header: StoreHeader,
    user: String,
    seal: Seal, cache: DictionaryCache, environment: WriterEnvironment,
    aggregation: Aggregation = Aggregation(evaluator: nil, readBefore: { _, _ in }),
    pending: PendingDictionaries = PendingDictionaries(), lastCommit: UInt64? = nil,
    earlierLog: LogBuilder = LogBuilder()
  ) {
    self.transaction = transaction
    self.databases = databases
    self.forest = forest
    self.cache = cache
    self.seal = seal
    self.pending = pending
    self.lastCommit = lastCommit ?? seal.commit
    self.earlierLog = earlierLog
    environmentOfWrites = environment
    self.aggregation = aggregation
    flushed = Snapshot(
      transaction: transaction, databases: databases, forest: forest, header: header, user: user, seal: seal,
      cache: cache, pending: pending)
    flushed.pendingAggregateTotals = { [weak self] in try self?.aggregateChanges() ?? [:] }
  }

  /// The user id of the store's user.
  package var user: Identity.ID { Identity.ID(flushed.user) }

  /// The sequence that this write will get.
  package var commit: UInt64 { seal.commit + 1 }

  /// The time of the write: the same for everything that it does.
  package var now: Timestamp {
    if let currentTime { return currentTime }
    let time = environmentOfWrites.clock()
    currentTime = time
    return time
  }

  /// Runs `body` on the current state of the transaction. The snapshot that `body` gets is valid only during the call.
  package func read<R>(_ body: (Snapshot) throws -> R) throws -> R {
    try flush()
    try settleIdentifiers()
    // All trees are merged before the query begins. A tree that was merged at its first use, during the query, would
    // write under the query's cursors and the records that it has read.
    if forest.pendingCount > 0 { try changing { try forest.flush() } }
    return try body(flushed)
  }

  /// Runs a change whose arguments have been checked. It can fail only if there is no room or the store is damaged.
  /// After such a failure the transaction can only be discarded, even if a caller ignores the error.
  func changing<R>(_ body: () throws -> R) throws -> R {
    if let failure { throw failure }
    flushed.changes &+= 1
    do {
      return try body()
    } catch {
      if failure == nil { failure = error }
      throw error
    }
  }

  /// Whether the store's user belongs to a participant set.
  func userParticipates(in set: UInt32) throws -> Bool {
    if let known = userParticipates[set] { return known }
    let members = try flushed.participantSets.members(set)
    let participates = try flushed.userNumber.map(members.contains) ?? false
    if userParticipates.count > 10_000 { userParticipates.removeAll() }
    userParticipates[set] = participates
    return participates
  }

  /// Returns a new unique identifier: a random UUID as text.
  func makeIdentifier() -> String {
    let words = nextIdentifierWords()
    let high = words.0 & ~0xF000 | 0x4000
    let low = words.1 & ~(3 << 62) | 1 << 63
    return String(unsafeUninitializedCapacity: 36) { buffer in
      var place = 0
      for index in 0..<32 {
        if index == 8 || index == 12 || index == 16 || index == 20 {
          buffer[place] = UInt8(ascii: "-")
          place += 1
        }
        let digit = UInt8(truncatingIfNeeded: (index < 16 ? high : low) >> UInt64(60 - 4 * (index & 15)) & 15)
        buffer[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
        place += 1
      }
      return place
    }
  }

  /// Returns 128 random bits. The system is asked for random bits only once per write, because that takes longer than
  /// everything else about an identifier. The following words are SplitMix64 of two counters that start from those
  /// bits.
  private func nextIdentifierWords() -> (UInt64, UInt64) {
    guard environmentOfWrites.isRandomFromSystem else {
      return (environmentOfWrites.random(), environmentOfWrites.random())
    }
    var source = identifierSource ?? ((environmentOfWrites.random(), environmentOfWrites.random()), 0)
    let step = source.count &* 0x9E37_79B9_7F4A_7C15
    source.count += 1
    identifierSource = source
    return (Self.scramble(source.seeds.0 &+ step), Self.scramble(source.seeds.1 &+ step))
  }

  private static func scramble(_ word: UInt64) -> UInt64 {
    var word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }
}

/// Where a writer gets the time and random numbers from; tests provide their own.
package struct WriterEnvironment: Sendable {
  package var clock: @Sendable () -> Timestamp
  package var random: @Sendable () -> UInt64

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
