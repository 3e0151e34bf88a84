package import CommitEngine
package import LMDB
internal import SatchelCoding
internal import SatchelModel
import SatchelText

/// What one of LMDB's readers keeps from one read of a store to the next. One thread at a time has it, so that none of it
/// needs a lock: with locks, eight readers on two processors made queues of sleeping threads, and a read took twenty times
/// as long.
///
/// It is Sendable because it goes from thread to thread only with its reader.
package final class ReaderMemory: @unchecked Sendable {
  /// What is kept of the journal.
  package let tails = KeptTails()
  /// The store's cache, of which this keeps a part. Another handle of the same file has another one.
  let cache: DictionaryCache
  /// The seal that was read last.
  @safe @exclusivity(unchecked) package var seal: SealOfTransaction?
  /// What the planning layer has made of the declared indexes, and the count and digest of their table.
  @safe @exclusivity(unchecked) var plannedIndexes: (table: Seal.Summary, made: any AnyObject & Sendable)?
  @safe @exclusivity(unchecked) private var tables: [TextTable]
  @safe @exclusivity(unchecked) private var generation: Int
  @safe @exclusivity(unchecked) private var participants = Kept<UInt32, [Identity.ID]>()
  @safe @exclusivity(unchecked) private var numbers = Kept<DictionaryName<ByteString>, UInt32>()
  @safe @exclusivity(unchecked) private var members = Kept<DictionaryName<UInt32>, [UInt32]>()
  @safe @exclusivity(unchecked) private var setNumbers = Kept<DictionaryName<[UInt32]>, UInt32>()
  /// The declared record types, and the count and digest of their table.
  @safe @exclusivity(unchecked) private var recordTypes: KeptRecordTypes?
  /// What the planning layer has found of records alone, and the count and digest of their table.
  @safe @exclusivity(unchecked) var keptReferences: (table: Seal.Summary, made: any AnyObject & Sendable)?

  /// The records of what conversations are to the store's user, by the rows of these, and the count and digest of their table.
  @safe @exclusivity(unchecked) private var ownRecords: (table: Seal.Summary, kept: Kept<UInt32, UInt64?>)?

  init(_ cache: DictionaryCache) {
    self.cache = cache
    generation = cache.generation
    tables = cache.tables
  }

  /// Returns the memory of the reader that a transaction has; nil in a write.
  package static func of(_ transaction: ReadTransaction, _ cache: DictionaryCache) -> ReaderMemory? {
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

  /// Returns the record types of a table with a count and digest, as `DictionaryCache` does.
  func recordTypes(
    of table: Seal.Summary, else read: () throws -> DeclaredRecordTypes
  ) throws -> DeclaredRecordTypes {
    if let recordTypes, recordTypes.table == table { return recordTypes.types }
    let types = try cache.recordTypes(of: table, else: read)
    recordTypes = KeptRecordTypes(table: table, types: types)
    return types
  }

  /// Returns the sequence of the record of what a conversation is to the store's user, and nil if there is none, by the row of the conversation.
  /// - Parameter table: The count and digest of the table of records.
  func ownRecord(of row: UInt32, in table: Seal.Summary, else find: () throws -> UInt64?) rethrows -> UInt64?
  {
    if ownRecords?.table != table { ownRecords = (table, Kept()) }
    return try ownRecords?.kept.value(row, else: find).flatMap(\.self)
  }

  /// Returns the user ids of a participant set, by ascending bytes, or nil if they are not remembered.
  func participants(_ set: UInt32) -> [Identity.ID]? {
    participants.value(set) { cache.participants(set) }
  }

  /// Returns the number of a text, or nil if it is not remembered.
  func number(_ kind: DictionaryKind, of text: String, in table: TextTable) -> UInt32? {
    numbers.value(DictionaryName(kind, ByteString(text))) { table.number(of: text) }
  }

  /// Returns the members of a set, or nil if they are not remembered.
  func members(_ kind: DictionaryKind, _ number: UInt32) -> [UInt32]? {
    members.value(DictionaryName(kind, number)) { cache.members(kind, number) }
  }

  /// Returns the number of a set, or nil if it is not remembered.
  func number(_ kind: DictionaryKind, of members: [UInt32]) -> UInt32? {
    setNumbers.value(DictionaryName(kind, members)) { cache.number(kind, of: members) }
  }
}

/// A name in one of the dictionaries.
private struct DictionaryName<Name: Hashable>: Hashable {
  let kind: DictionaryKind
  let name: Name

  init(_ kind: DictionaryKind, _ name: Name) {
    self.kind = kind
    self.name = name
  }
}

/// Values that were asked for, as long as there are not too many.
private struct Kept<Key: Hashable, Value> {
  private var values: [Key: Value] = [:]

  /// One more removes all.
  private static var capacity: Int { 512 }

  /// Returns the value of a key: the kept one, or the one that `find` returns, which is then kept.
  mutating func value(_ key: Key, else find: () throws -> Value?) rethrows -> Value? {
    if let known = values[key] { return known }
    guard let found = try find() else { return nil }
    if values.count >= Self.capacity { values.removeAll(keepingCapacity: true) }
    values[key] = found
    return found
  }
}
