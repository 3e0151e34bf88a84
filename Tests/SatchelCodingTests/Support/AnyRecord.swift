import SatchelBytes
import SatchelCoding
import SatchelModel
import TestSupport

/// A record of any kind with its key: what every kind must do, asked in one way.
enum AnyRecord: Equatable {
  case message(MessageKey, StoredMessage)
  case conversation(UInt32, StoredConversation)
  case identity(UInt32, StoredIdentity)
  case dictionary(DictionaryKind, UInt32, DictionaryEntry)
  case header(StoreHeader)
  case seal(Seal)
  case changeLog(UInt64, ChangeLogEntry)
  case consumer(UInt32, ConsumerEntry)
  case purge(MessageKey, PurgeEntry)
  case staging(UInt32, UInt64, StagingEntry)
  case aggregate(UInt32, AggregateEntry)
  case deletedMessages(UInt32, UInt32, DeletedMessages)
  case deletedConversation(UInt64, DeletedConversation)
  case indexBuild(IndexBuild)
  case declaredIndex(UInt32, DeclaredIndexEntry)
  case recordType(UInt32, RecordTypeEntry)
  case record(TypedRecordKey, StoredRecord)

  var key: KeyBytes {
    switch self {
    case .message(let key, _): key.bytes
    case .conversation(let row, _): ObjectKey.conversation(row: row).bytes
    case .identity(let row, _): ObjectKey.identity(row: row).bytes
    case .dictionary(let kind, let id, _): ObjectKey.dictionary(kind, id: id).bytes
    case .header: ObjectKey.header.bytes
    case .seal: ObjectKey.seal.bytes
    case .changeLog(let commit, _): ObjectKey.changeLog(commit: commit).bytes
    case .consumer(let id, _): ObjectKey.consumer(id: id).bytes
    case .purge(let key, _): ObjectKey.purge(key).bytes
    case .staging(let number, let ordinal, _): ObjectKey.staging(importNumber: number, ordinal: ordinal).bytes
    case .aggregate(let id, _): ObjectKey.aggregate(id: id).bytes
    case .deletedMessages(let row, let block, _):
      ObjectKey.deletedMessages(conversation: row, block: block).bytes
    case .deletedConversation(let hash, _): ObjectKey.deletedConversation(hash: hash).bytes
    case .indexBuild: ObjectKey.indexBuild.bytes
    case .declaredIndex(let id, _): ObjectKey.declaredIndex(id: id).bytes
    case .recordType(let id, _): ObjectKey.recordType(id: id).bytes
    case .record(let key, _): key.bytes
    }
  }

  /// The bytes of the record, written of values: what the metadata was read from are not written again.
  func encode() -> [UInt8] {
    switch self {
    case .message(let key, var fields):
      fields.metadata = fields.metadata.remade
      return fields.encode(key: key)
    case .conversation(let row, var fields):
      fields.metadata = fields.metadata.remade
      return fields.encode(row: row)
    case .identity(let row, var fields):
      fields.metadata = fields.metadata.remade
      return fields.encode(row: row)
    case .deletedConversation(let hash, var entry):
      entry.metadata = entry.metadata.remade
      return entry.encode(hash: hash)
    case .record(let key, var values):
      values.fields = values.fields.remade
      return values.encode(key: key)
    case .dictionary(let kind, let id, let entry): return entry.encode(kind, id: id)
    case .header(let header): return header.encode()
    case .seal(let seal): return seal.encode()
    case .changeLog(let commit, let entry): return entry.encode(commit: commit)
    case .consumer(let id, let entry): return entry.encode(id: id)
    case .purge(let key, let entry): return entry.encode(key: key)
    case .staging(let number, let ordinal, let entry):
      return entry.encode(importNumber: number, ordinal: ordinal)
    case .aggregate(let id, let entry): return entry.encode(id: id)
    case .deletedMessages(let row, let block, let entry): return entry.encode(conversation: row, block: block)
    case .indexBuild(let build): return build.encode()
    case .declaredIndex(let id, let entry): return entry.encode(id: id)
    case .recordType(let id, let entry): return entry.encode(id: id)
    }
  }

  /// What the bytes hold under this record's key.
  func decode(_ bytes: [UInt8]) throws(CodingError) -> AnyRecord {
    let result: Result<AnyRecord, CodingError> = bytes.withUnsafeBytes { buffer in
      do throws(CodingError) {
        return .success(try decode(buffer))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func decode(_ bytes: UnsafeRawBufferPointer) throws(CodingError) -> AnyRecord {
    switch self {
    case .message(let key, _): .message(key, try MessageView(bytes, key: key).readEverything())
    case .conversation(let row, _): .conversation(row, try ConversationView(bytes, row: row).fields())
    case .identity(let row, _): .identity(row, try IdentityView(bytes, row: row).fields())
    case .dictionary(let kind, let id, _): .dictionary(kind, id, try DictionaryEntry(bytes, kind, id: id))
    case .header: .header(try StoreHeader(bytes))
    case .seal: .seal(try Seal(bytes))
    case .changeLog(let commit, _): .changeLog(commit, try ChangeLogEntry(bytes, commit: commit))
    case .consumer(let id, _): .consumer(id, try ConsumerEntry(bytes, id: id))
    case .purge(let key, _): .purge(key, try PurgeEntry(bytes, key: key))
    case .staging(let number, let ordinal, _):
      .staging(number, ordinal, try StagingEntry(bytes, importNumber: number, ordinal: ordinal))
    case .aggregate(let id, _): .aggregate(id, try AggregateEntry(bytes, id: id))
    case .deletedMessages(let row, let block, _):
      .deletedMessages(row, block, try DeletedMessages(bytes, conversation: row, block: block))
    case .deletedConversation(let hash, _):
      .deletedConversation(hash, try DeletedConversation(bytes, hash: hash))
    case .indexBuild: .indexBuild(try IndexBuild(bytes))
    case .declaredIndex(let id, _): .declaredIndex(id, try DeclaredIndexEntry(bytes, id: id))
    case .recordType(let id, _): .recordType(id, try RecordTypeEntry(bytes, id: id))
    case .record(let key, _): .record(key, try RecordView(bytes, key: key).values())
    }
  }

  /// The bytes with a checksum that fits them: what a hostile writer would store.
  func resealed(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 8 else { return bytes }
    var body = Array(bytes.dropLast(8))
    let checksum = Checksum.hash(body, seed: key.checksumSeed)
    for index in 0..<8 { body.append(UInt8(truncatingIfNeeded: checksum >> UInt64(8 * index))) }
    return body
  }

  /// The same record as it is written now: an older version that is read gets the present one.
  func inPresentVersion(_ bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .message, .identity:
      guard bytes.count > 8, let kind = RecordKind(rawValue: bytes[0]) else { return bytes }
      var present = bytes
      // A message has a later version only if it has something that the others cannot say.
      present[1] =
        kind == .message ? (bytes[3] & 8 != 0 ? 4 : bytes[3] == 0 ? 2 : 3) : kind.versions.upperBound
      return resealed(present)
    default: return bytes
    }
  }

  static func random(_ random: inout SeededGenerator) -> AnyRecord {
    switch Int.random(in: 0...18, using: &random) {
    case 0, 1: return .message(random.messageKey(), random.message())
    case 2: return .conversation(random.number(), random.conversation())
    case 3: return .identity(random.number(), random.identity())
    case 4: return .dictionary(.users, random.number(), .text(Array(random.text(0...40).utf8)))
    case 5:
      let ids = Set((0..<Int.random(in: 0...20, using: &random)).map { _ in random.number(UInt32.self) })
      return .dictionary(.participantSets, random.number(), .set(ids.sorted()))
    case 6: return .header(random.header())
    case 7: return .seal(random.seal())
    case 8: return .changeLog(random.number(), random.logEntry())
    case 9:
      let entry = ConsumerEntry(name: Array(random.text(1...20).utf8), readCommit: random.number())
      return .consumer(random.number(), entry)
    case 10:
      let entry = PurgeEntry(
        commit: random.number(), remaining: random.number(), nextSequence: random.number())
      return .purge(random.messageKey(), entry)
    case 11:
      func text() -> [UInt8] { Array(random.text(0...20).utf8) }
      let measure = AggregateEntry.Measure.allCases[Int.random(in: 0..<5, using: &random)]
      let kind = AggregateEntry.Kind.allCases[Int.random(in: 0..<6, using: &random)]
      let entry = AggregateEntry(
        name: Array(random.text(1...20).utf8), kind: kind, recordType: Self.recordType(kind, &random),
        predicate: text(), group: random.oneIn(2) ? text() : nil, measure: measure,
        of: measure == .count ? nil : text())
      return .aggregate(random.number(), entry)
    case 12:
      let count = Int.random(in: 1...(random.oneIn(8) ? DeletedMessages.most : 5), using: &random)
      let entry = DeletedMessages(hashes: (0..<count).map { _ in random.number() }, floor: random.floor())
      return .deletedMessages(random.number(), random.number(), entry)
    case 13:
      let entry = DeletedConversation(
        identifier: Array(random.text(1...30).utf8),
        remoteID: random.oneIn(2) ? Array(random.text(1...30).utf8) : nil, participantSet: random.number(),
        createdAt: random.optional { $0.signed() }, isDistinct: random.oneIn(2), metadata: random.metadata(),
        floor: random.floor())
      return .deletedConversation(entry.hashes[random.oneIn(2) ? 0 : entry.hashes.count - 1], entry)
    case 15: return .declaredIndex(random.number(), Self.declaredIndex(&random))
    case 16: return .recordType(random.number(), RecordTypeEntry(random.recordType()))
    case 17:
      return .record(TypedRecordKey(type: random.number(), sequence: random.number()), random.storedRecord())
    case 14: return .indexBuild(IndexBuild(indexes: .messageMetadata, next: random.number()))
    default:
      let content: StagingEntry.Content =
        random.oneIn(2) ? .created(random.objectRow(ofRecords: false)) : .line(random.bytes(0...50))
      return .staging(random.number(), random.number(), StagingEntry(line: random.number(), content: content))
    }
  }
}

extension AnyRecord {
  /// The name of a record type, for a definition of records.
  private static func recordType(
    _ kind: AggregateEntry.Kind, _ random: inout SeededGenerator
  ) -> [UInt8]? {
    kind == .records ? Array(random.recordType().name.utf8) : nil
  }

  private static func declaredIndex(_ random: inout SeededGenerator) -> DeclaredIndexEntry {
    let count = Int.random(in: 1...DeclaredIndexEntry.maximumColumns, using: &random)
    let elements = Int.random(in: 0..<2 * count, using: &random)
    let columns = (0..<count).map { column in
      DeclaredIndexEntry.Column(
        path: Array(random.text(1...20).utf8), descending: random.oneIn(2), isOfElements: column == elements)
    }
    let words = DeclaredIndexEntry.Column(path: Array(random.text(1...20).utf8), isOfWords: true)
    let isOfWords = random.oneIn(3)
    let kinds = AggregateEntry.Kind.allCases.filter { $0 != .parts }
    let kind = kinds[Int.random(in: 0..<kinds.count, using: &random)]
    let definition = DeclaredIndexEntry.Definition(
      name: Array(random.text(1...20).utf8), kind: kind, recordType: recordType(kind, &random),
      predicate: Array(random.text(0...40).utf8), columns: isOfWords ? [words] : columns,
      isUnique: !isOfWords && random.oneIn(2))
    let states: [DeclaredIndexEntry.State] = [
      .complete, .building(next: random.number()), .leaving, .refused,
    ]
    let state = states[Int.random(in: 0..<(definition.isUnique ? 4 : 3), using: &random)]
    let doubles = (0..<DeclaredIndexEntry.maximumDoubles).map { _ in
      DeclaredIndexEntry.Doubles(
        first: Array(random.text(1...20).utf8), second: Array(random.text(1...20).utf8))
    }
    let number =
      switch state {
      case .refused: Int.random(in: 1...doubles.count, using: &random)
      case .building where definition.isUnique: Int.random(in: 0..<doubles.count, using: &random)
      default: 0
      }
    return DeclaredIndexEntry(definition, state, doubles: Array(doubles.prefix(number)))
  }
}

extension MessageView {
  /// The record as values, after every other way of reading it has been used.
  func readEverything() throws(CodingError) -> StoredMessage {
    for index in -1...partCount { _ = part(at: index)?.fields }
    _ = recipientStatus(of: 3)
    for path in [[], ["a"], ["theme", "a"], ["a", "b", "a"]] {
      _ = metadata.value(at: path.map { Array($0.utf8) })
    }
    var bytes = 0
    metadata.forEachValue { path, value in
      bytes += path.count
      if case .text(let text) = value { bytes += text.count }
    }
    _ = metadata.needsVersion2
    _ = try identifier()
    return try fields()
  }
}
