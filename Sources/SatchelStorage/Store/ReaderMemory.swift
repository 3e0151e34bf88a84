internal import LMDB
internal import RankedIndex
internal import SatchelCoding
internal import SatchelModel

/// What one of LMDB's readers keeps from one read of a store to the next. One thread at a time has it, so that none of it
/// needs a lock: with locks, eight readers on two processors made queues of sleeping threads, and a read took twenty times
/// as long.
///
/// It is Sendable because it goes from thread to thread only with its reader.
final class ReaderMemory: @unchecked Sendable {
  /// The store's cache, of which this keeps a part. Another handle of the same file has another one.
  let cache: DictionaryCache
  /// The seal that was read last.
  @safe @exclusivity(unchecked) var seal: SealOfTransaction?
  @safe @exclusivity(unchecked) private var tables: [TextTable]
  @safe @exclusivity(unchecked) private var generation: Int
  @safe @exclusivity(unchecked) private var participants: [UInt32: [Identity.ID]] = [:]

  /// The most participant sets that are kept; one more removes all.
  private static let maximumSets = 1024

  init(_ cache: DictionaryCache) {
    self.cache = cache
    generation = cache.generation
    tables = cache.tables
  }

  /// Returns the memory of the reader that a transaction has; nil in a write.
  static func of(_ transaction: ReadTransaction, _ cache: DictionaryCache) -> ReaderMemory? {
    if let memory = transaction.attachment as? ReaderMemory, memory.cache === cache { return memory }
    let memory = ReaderMemory(cache)
    transaction.attachment = memory
    return transaction.attachment == nil ? nil : memory
  }

  /// The texts that have been read of each dictionary, as they are in the cache.
  var textTables: [TextTable] {
    let now = cache.generation
    if now != generation {
      tables = cache.tables
      generation = now
    }
    return tables
  }

  /// Returns the user ids of a participant set, by ascending bytes, or nil if they are not remembered.
  func participants(_ set: UInt32) -> [Identity.ID]? {
    if let known = participants[set] { return known }
    guard let known = cache.participants(set) else { return nil }
    if participants.count >= Self.maximumSets { participants.removeAll(keepingCapacity: true) }
    participants[set] = known
    return known
  }
}

/// The seal that the transactions of one id see, with the directory of its trees decoded. Each commit gets a new
/// object, which all its readers share.
final class SealOfTransaction: Sendable {
  let transaction: UInt64
  let seal: Seal
  let directory: Directory

  init(transaction: UInt64, seal: Seal, directory: Directory) {
    self.transaction = transaction
    self.seal = seal
    self.directory = directory
  }
}
