package import LMDB
package import RecordStore
package import SatchelCoding
internal import SatchelGathering
internal import SatchelModel
internal import StoreFiles

/// The tables of records inside a write, with the seal, which counts their entries and gives out their numbers. A record
/// is written and removed here and nowhere else, so that the seal cannot disagree with a table.
///
/// The seal is not checked for exclusive access at run time: no access lasts while other code of the write runs, and a
/// write is used by one thread.
package final class RecordTables {
  let transaction: LMDBWriteTransaction
  let databases: Databases
  /// What has changed and has not reached LMDB yet.
  let pending: PendingTables
  @safe @exclusivity(unchecked) package private(set) var seal: Seal
  /// Takes records of messages and their contents, in an import into a new store.
  @safe @exclusivity(unchecked) var spool: RecordSpool?
  /// Called before changes are passed to LMDB in the middle of a write.
  var beginChanges: (() throws -> Void)?

  /// Whether each record that comes out of the spool has so far come after all others.
  private var isAppending = true

  package init(
    _ transaction: LMDBWriteTransaction, _ databases: Databases, seal: Seal, pending: PendingTables
  ) {
    self.transaction = transaction
    self.databases = databases
    self.seal = seal
    self.pending = pending
  }

  /// The tables as the write has left them so far.
  package var reader: TableReader { TableReader(transaction, databases, pending: pending) }

  /// Stores a record and counts it in the seal.
  /// - Parameter old: The checksum of the record that it replaces; nil if there is none.
  package func put(_ table: Seal.Table, _ key: KeyBytes, _ record: [UInt8], replacing old: UInt64?) throws {
    try writeIfFull()
    if let old { seal[table].remove(old) }
    seal[table].add(RecordFrame.storedChecksum(record))
    let database = Self.database(of: table)
    if let spool, database == .messages { return try spool.put(database, key, record) }
    pending.put(database, key, record)
  }

  /// Makes room for a piece of a content, counts nothing, and returns its memory, which the caller fills before anything
  /// else.
  func reserve(piece key: KeyBytes, count: Int) throws -> UnsafeMutableRawBufferPointer {
    try writeIfFull()
    if let spool { return unsafe try spool.reserve(.bodies, key, count: count) }
    return unsafe pending.reserve(.bodies, key, count: count)
  }

  /// Removes a record that must exist, and subtracts it from the seal. If it does not exist, the write fails when its
  /// changes are passed to LMDB.
  package func remove(_ table: Seal.Table, _ key: KeyBytes, checksum: UInt64) throws {
    try writeIfFull()
    pending.remove(Self.database(of: table), key)
    seal[table].remove(checksum)
  }

  /// Removes a record and subtracts it from the seal. Does nothing if there is none.
  package func removeIfPresent(_ table: Seal.Table, _ key: KeyBytes) throws {
    guard let bytes = unsafe try reader.get(Self.database(of: table), key) else { return }
    try remove(table, key, checksum: unsafe RecordFrame.storedChecksum(bytes))
  }

  /// Counts a piece of a content that has been put.
  func count(piece checksum: UInt64) { seal[.bodies].add(checksum) }

  // MARK: Numbers

  /// Returns the creation sequence of a new message or announcement.
  func takeSequence() -> UInt64 {
    defer { seal.nextSequence += 1 }
    return seal.nextSequence
  }

  /// Returns the row of a new conversation.
  func takeConversation() throws -> UInt32 {
    guard seal.nextConversation < MessageKey.announcements else {
      throw SatchelError(.storeFull, "The store has no numbers left for conversations")
    }
    defer { seal.nextConversation += 1 }
    return seal.nextConversation
  }

  /// Returns the row of a new identity.
  func takeIdentity() throws -> UInt32 {
    guard seal.nextIdentity < .max else {
      throw SatchelError(.storeFull, "The store has no numbers left for identities")
    }
    defer { seal.nextIdentity += 1 }
    return seal.nextIdentity
  }

  /// Returns the number of a new entry of a dictionary.
  func takeEntry(of dictionary: DictionaryKind) throws -> UInt32 {
    let number = seal[nextID: dictionary]
    guard number < .max else {
      throw SatchelError(
        .storeFull, "A dictionary of the store has no numbers left", ["dictionary": "\(dictionary)"])
    }
    seal[nextID: dictionary] = number + 1
    return number
  }

  /// Returns the number of a new import.
  func takeImport() throws -> UInt32 {
    guard seal.nextImport < .max else {
      throw SatchelError(.storeFull, "The store has no numbers left for imports")
    }
    defer { seal.nextImport += 1 }
    return seal.nextImport
  }

  /// Returns the number of a new consumer.
  func takeConsumer() throws -> UInt32 {
    guard seal.nextConsumer < .max else {
      throw SatchelError(.storeFull, "The store has no numbers left for consumers")
    }
    defer { seal.nextConsumer += 1 }
    return seal.nextConsumer
  }

  // MARK: Passing changes to LMDB

  /// Passes all changes to LMDB.
  package func write() throws { try pending.write(to: transaction, databases) }

  /// Writes a record that was counted when it was put into the spool. Records come in the order of their keys.
  package func write(
    _ database: RecordDatabase, _ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer
  ) throws {
    let database = databases[database]
    do throws(LMDBError) {
      if isAppending { return unsafe try transaction.append(database, key, record) }
    } catch {
      guard error.code == .keyOrder else { throw error }
      // There are records of other conversations, which were written before.
      isAppending = false
    }
    unsafe try transaction.put(database, key, record)
  }

  private func writeIfFull() throws {
    guard pending.byteCount > Self.maximumPendingBytes || pending.count > Self.maximumPendingChanges else {
      return
    }
    try beginChanges?()
    try write()
  }

  /// The most bytes of values that wait, and the most changes, each of which takes about 50 bytes more. What a large write
  /// lacks room for is noticed in that write, not at the end of a transaction that it shares with others.
  private static let maximumPendingBytes = 1 << 20
  private static let maximumPendingChanges = 20_000

  private static func database(of table: Seal.Table) -> RecordDatabase {
    guard let database = RecordDatabase(table) else { preconditionFailure("nodes are no records") }
    return database
  }

  // MARK: The seal

  /// Says how far the change log reaches now.
  package func setLog(_ log: Seal.Log) { seal.log = log }

  /// Ends a write: the next one is another commit.
  func advanceCommit() { seal.commit += 1 }

  /// Gives the seal its place in the journal.
  package func placeSeal(_ place: (inout Seal) throws -> Void) throws { try place(&seal) }

  /// Stores the seal with the directory of the indexes.
  package func putSeal(trees: [UInt8]) throws {
    seal.trees = trees
    // Nodes carry their own checksums, and their parents refer to them: only their number is left to seal.
    let nodes = try transaction.statistics(of: databases.nodes).entries
    seal[.nodes] = Seal.Summary(count: UInt64(nodes), digest: 0)
    let record = seal.encode()
    unsafe try ObjectKey.seal.bytes.withUnsafeBytes { key in
      unsafe try withUnsafeTemporaryKey(record) { value in
        unsafe try transaction.put(databases.objects, key, value)
      }
    }
  }
}

extension Seal.Table {
  /// The table that has the record of a message or an announcement.
  init(of key: MessageKey) { self = key.isAnnouncement ? .announcements : .messages }
}
