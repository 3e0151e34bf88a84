internal import RankedKeys
package import SatchelCoding
internal import SatchelModel
package import SatchelReading

/// What of the snapshot gives no view of a record.
extension FlushedState {
  // MARK: The store

  var header: StoreHeader { read { $0.header } }
  var user: String { read { $0.user } }
  var cache: DictionaryCache { read { $0.cache } }
  /// The seal of the commit before the write.
  var seal: Seal { read { $0.seal } }
  var userNumber: UInt32? { get throws { try read { try $0.userNumber } } }
  var users: TextDictionary { read { $0.users } }
  var mimeTypes: TextDictionary { read { $0.mimeTypes } }
  package var participantSets: SetDictionary { read { $0.participantSets } }

  /// The number of changes that the transaction has made.
  var changes: Int { read { $0.changes } }

  /// Takes note of a change: what was read before it need not agree with what is read after it.
  func noteChange() { read { $0.changes &+= 1 } }

  func forgetIdentifiers() { read { $0.forgetIdentifiers() } }

  package func dictionaryEntry(_ kind: DictionaryKind, _ number: UInt32) throws -> DictionaryEntry {
    try read { try $0.dictionaryEntry(kind, number) }
  }

  // MARK: Aggregates and consumers

  package func aggregates() throws -> [DeclaredAggregate] { try read { try $0.aggregates() } }

  func aggregate(named name: [UInt8]) throws -> DeclaredAggregate? {
    try read { try $0.aggregate(named: name) }
  }

  func forgetAggregates() { read { $0.forgetAggregates() } }

  func storedTotals(of id: UInt32) throws -> AggregateTotals { try read { try $0.storedTotals(of: id) } }

  func storedTotal(of id: UInt32, in text: [UInt8]) throws -> Int64 {
    try read { try $0.storedTotal(of: id, in: text) }
  }

  func consumerRecords() throws -> [(id: UInt32, entry: ConsumerEntry, checksum: UInt64)] {
    try read { try $0.consumerRecords() }
  }

  // MARK: Declared indexes

  func declaredIndexes() throws -> [DeclaredIndexRecord] { try read { try $0.declaredIndexes() } }

  func forgetDeclaredIndexes() { read { $0.forgetDeclaredIndexes() } }

  // MARK: Record types

  package func recordTypes() throws -> [DeclaredRecordType] { try read { try $0.recordTypes() } }

  func existingRecordType(_ name: String) throws -> DeclaredRecordType {
    try read { try $0.existingRecordType(name) }
  }

  func note(_ declared: DeclaredRecordType) { read { $0.note(declared) } }

  // MARK: Identifiers

  func recordType(named name: String) throws -> DeclaredRecordType? {
    try read { try $0.recordType(named: name) }
  }

  func locateRecord(ofType type: UInt32, _ identifier: [UInt8]) throws -> TypedRecordKey? {
    try read { try $0.locateRecord(ofType: type, identifier) }
  }

  func locateKnownRecord(ofType type: UInt32, _ identifier: [UInt8]) throws -> TypedRecordKey? {
    try read { try $0.locateKnownRecord(ofType: type, identifier) }
  }

  func locateMessage(
    _ identifier: [UInt8], hash: UInt64, others: inout Int, _ isLive: (Words) -> Bool
  ) throws -> MessageKey? {
    try read { try $0.locateMessage(identifier, hash: hash, others: &others, isLive) }
  }

  func countMessages(ofHash hash: UInt64, _ isLive: (Words) -> Bool) throws -> Int {
    try read { try $0.countMessages(ofHash: hash, isLive) }
  }

  func message(of row: Words, identifier: [UInt8]) throws -> MessageKey? {
    try read { try $0.message(of: row, identifier: identifier) }
  }

  /// Returns the row of the conversation of an identifier; nil if there is none. Adds to `others` how many other
  /// conversations have the identifier's hash.
  func locateConversation(_ identifier: [UInt8], others: inout Int) throws -> UInt32? {
    try read { try $0.conversation(of: identifier, others: &others)?.row }
  }

  func locateIdentity(user: UInt32) throws -> UInt32? { try read { try $0.locateIdentity(user: user) } }

  // MARK: Scans

  // The bytes are valid during the call of `visit`, which changes nothing. See `Snapshot.scanMessages`.

  @safe package func scanMessages(
    from start: MessageKey, _ visit: (MessageKey, UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    try read { try $0.scanMessages(from: start, visit) }
  }

  @safe package func scanBodies(_ visit: (BodyKey, UnsafeRawBufferPointer) throws -> Bool) throws {
    try read { try $0.scanBodies(visit) }
  }

  @safe package func scanObjects(
    from start: ObjectKey, _ visit: (ObjectKey, UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    try read { try $0.scanObjects(from: start, visit) }
  }
}
