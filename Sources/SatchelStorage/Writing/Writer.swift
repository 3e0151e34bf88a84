package import LMDB
internal import RankedIndex
internal import SatchelCoding
package import SatchelModel

/// One write: changes of objects, with their index entries, derived values, log entry and seal. It has LMDB's transaction
/// to itself, or shares it with others that came before or come after it.
///
/// Every operation checks everything before it changes anything, so that a caller may go on after an error. Changed
/// objects are held in an overlay, which its own look-ups consult; queries flush it first. A closure that throws
/// discards all of it.
package final class Writer {
  package let transaction: WriteTransaction
  let databases: Databases
  let forest: Forest
  let cache: DictionaryCache
  /// Dictionary entries of the transaction, those of earlier writes in it included.
  let pending: PendingDictionaries
  let environmentOfWrites: WriterEnvironment
  /// What the transaction has flushed so far.
  let flushed: Snapshot
  var seal: Seal
  var overlay = Overlay()
  /// Identifiers that the indexes do not know of yet, of the whole transaction.
  var identifiers = PendingIdentifiers()
  var log = LogBuilder()
  /// Set by changes that neither the log nor the seal's counts show.
  var isChanged = false
  var aggregation: Aggregation
  /// An import has one for all its transactions.
  var distinctConversations = DistinctConversations()
  /// The sequence of the last commit before LMDB's transaction: those of earlier writes in it are not yet durable.
  let lastCommit: UInt64
  /// What earlier writes in the transaction have changed; kept only where aggregates are declared.
  let earlierLog: LogBuilder
  /// Whether each participant set that was met has the store's user.
  private var userParticipates: [UInt32: Bool] = [:]
  /// The memory of the records of added messages.
  var messageEncoder = MessageEncoder(capacity: 0)
  /// The types of the parts of the message added last.
  var lastTypes: InternedTypes?
  /// The text of each dictionary that was interned last.
  var lastInterned: [(text: String, number: UInt32)?] = Array(
    repeating: nil, count: DictionaryKind.allCases.count)
  private var identifierSource: (seeds: (UInt64, UInt64), count: UInt64)?
  private var currentTime: Timestamp?
  /// Why a change was left half done: nothing else will work, and the transaction cannot commit.
  private(set) var failure: (any Error)?

  init(
    transaction: WriteTransaction, databases: Databases, forest: Forest, header: StoreHeader, user: String,
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

  /// The id of the store's user.
  package var user: Identity.ID { Identity.ID(flushed.user) }

  /// The sequence that this transaction's commit will have.
  package var commit: UInt64 { seal.commit + 1 }

  /// The time of the transaction: one for all that it does.
  package var now: Timestamp {
    if let currentTime { return currentTime }
    let time = environmentOfWrites.clock()
    currentTime = time
    return time
  }

  /// Queries what the transaction has made so far. What `body` gets is good for the length of the call.
  package func read<R>(_ body: (Snapshot) throws -> R) throws -> R {
    try flush()
    try settleIdentifiers()
    // All trees before the query begins: one that was merged on its way, at its first use, would be a write under the
    // query's cursors and the records it has at hand.
    if forest.pendingCount > 0 { try changing { try forest.flush() } }
    return try body(flushed)
  }

  /// Runs a change whose arguments have been checked. It can only fail for want of room or for damage, and then leaves
  /// the transaction good for nothing but to be discarded, even when a caller swallows the error.
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

  /// Whether the store's user is in a set of participants.
  func userParticipates(in set: UInt32) throws -> Bool {
    if let known = userParticipates[set] { return known }
    let members = try flushed.participantSets.members(set)
    let participates = try flushed.userNumber.map(members.contains) ?? false
    if userParticipates.count > 10_000 { userParticipates.removeAll() }
    userParticipates[set] = participates
    return participates
  }

  /// An identifier that nobody else makes: a random UUID in text form.
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

  /// The system is asked for random bits once a write, which takes longer than everything else about an identifier; what
  /// follows is SplitMix64 of two counters that begin there.
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

/// Where a writer gets time and chance from; tests bring their own.
package struct WriterEnvironment: Sendable {
  package var clock: @Sendable () -> Timestamp
  package var random: @Sendable () -> UInt64

  /// Whether `random` is the system's source of random bits, which takes a system call each time.
  let isRandomFromSystem: Bool

  package init(
    clock: @escaping @Sendable () -> Timestamp = { Timestamp.now }, random: (@Sendable () -> UInt64)? = nil
  ) {
    self.clock = clock
    self.random = random ?? { UInt64.random(in: .min ... .max) }
    isRandomFromSystem = random == nil
  }
}
