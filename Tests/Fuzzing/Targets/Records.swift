import SatchelBytes
import SatchelCoding
import SatchelLines
import SatchelModel

extension FuzzTarget {
  /// One target for each kind of record. The input is the record without its checksum, which is put behind it: a decoder
  /// that stops at the checksum has seen nothing. Every record has one spelling only: what is accepted is written again as
  /// the same bytes, but for the version of the layout.
  static let records: [FuzzTarget] = [
    record("message", MessageKey(conversation: 7, sequence: 1042).bytes) { bytes in
      let key = MessageKey(conversation: 7, sequence: 1042)
      let view = try MessageView(bytes, key: key)
      for index in -1...view.partCount { _ = view.part(at: index)?.fields }
      _ = view.recipientStatus(of: 3)
      var values = 0
      var areFound = true
      view.metadata.forEachValue { path, value in
        switch value {
        case .text(let text): values += text.count
        case .scalar(let scalar): values += scalar.key?.bytes.count ?? 0
        case .list(let list): _ = unsafe list.contains { $0.count == values }
        case .reference(let bytes): values += bytes.count
        }
        let keys = MetadataPath(stored: String(decoding: path, as: UTF8.self))?.keys.map { Array($0.utf8) }
        if keys.map({ view.metadata.value(at: $0) == nil }) ?? true { areFound = false }
      }
      try expect(areFound, "a value is not found at its path")
      let head = try MessageHead(bytes, key: key)
      try expect(head.position == view.position && head.sender == view.sender, "head and view differ")
      var fields = try view.fields()
      fields.metadata = fields.metadata.remade
      return fields.encode(key: key)
    },
    record("conversation", ObjectKey.conversation(row: 7).bytes) { bytes in
      let view = try ConversationView(bytes, row: 7)
      _ = view.metadata.value(at: [Array("title".utf8)])
      var fields = try view.fields()
      fields.metadata = fields.metadata.remade
      return fields.encode(row: 7)
    },
    record("identity", ObjectKey.identity(row: 3).bytes) { bytes in
      let view = try IdentityView(bytes, row: 3)
      for field in ObjectField.ofIdentities { _ = try? view.text(field) }
      var fields = try view.fields()
      fields.metadata = fields.metadata.remade
      return fields.encode(row: 3)
    },
    record("dictionaryText", ObjectKey.dictionary(.users, id: 2).bytes) {
      try DictionaryEntry($0, .users, id: 2).encode(.users, id: 2)
    },
    record("dictionarySet", ObjectKey.dictionary(.participantSets, id: 4).bytes) {
      try DictionaryEntry($0, .participantSets, id: 4).encode(.participantSets, id: 4)
    },
    record("header", ObjectKey.header.bytes) { try StoreHeader($0).encode() },
    record("seal", ObjectKey.seal.bytes) { try Seal($0).encode() },
    record("changeLog", ObjectKey.changeLog(commit: 12).bytes) {
      try ChangeLogEntry($0, commit: 12).encode(commit: 12)
    },
    record("consumer", ObjectKey.consumer(id: 1).bytes) { try ConsumerEntry($0, id: 1).encode(id: 1) },
    record("purge", ObjectKey.purge(MessageKey(conversation: 7, sequence: 1042)).bytes) {
      let key = MessageKey(conversation: 7, sequence: 1042)
      return try PurgeEntry($0, key: key).encode(key: key)
    },
    record("staging", ObjectKey.staging(importNumber: 1, ordinal: 500).bytes) {
      try StagingEntry($0, importNumber: 1, ordinal: 500).encode(importNumber: 1, ordinal: 500)
    },
    record("aggregate", ObjectKey.aggregate(id: 3).bytes) { try AggregateEntry($0, id: 3).encode(id: 3) },
    record("deletedMessages", ObjectKey.deletedMessages(conversation: 7, block: 0).bytes) {
      try DeletedMessages($0, conversation: 7, block: 0).encode(conversation: 7, block: 0)
    },
    record("deletedConversation", ObjectKey.deletedConversation(hash: deletedName).bytes) {
      var entry = try DeletedConversation($0, hash: deletedName)
      entry.metadata = entry.metadata.remade
      return entry.encode(hash: deletedName)
    },
    record("indexBuild", ObjectKey.indexBuild.bytes) { try IndexBuild($0).encode() },
    record("recordType", ObjectKey.recordType(id: 3).bytes) { try RecordTypeEntry($0, id: 3).encode(id: 3) },
    record("record", TypedRecordKey(type: 3, sequence: 1042).bytes) { bytes in
      let key = TypedRecordKey(type: 3, sequence: 1042)
      let view = try RecordView(bytes, key: key)
      var values = try view.values()
      for entry in values.fields.entries {
        let found = try view.fields.decodedValue(of: Array(entry.key.utf8), in: .record)
        try expect(found?.hasSameBytes(as: entry.value) == true, "a field is not found by its name")
        let value = values.fields.value(forKey: entry.key)
        try expect(value?.hasSameBytes(as: entry.value) == true, "a value has no field of its name")
      }
      values.fields = values.fields.remade
      return values.encode(key: key)
    },
    record("declaredIndex", ObjectKey.declaredIndex(id: 7).bytes) {
      try DeclaredIndexEntry($0, id: 7).encode(id: 7)
    },
    FuzzTarget("aggregateGroup") { bytes in
      let bytes = [UInt8](bytes)
      guard let group = AggregateGroup(bytes: bytes) else { return false }
      try expect(group.bytes == bytes, "\(group) is written as \(String(hex: group.bytes))")
      return true
    },
    FuzzTarget("aggregateText") { bytes in
      let bytes = [UInt8](bytes)
      let entries = [.exactSum, .maximum].compactMap { AggregateEntryText(bytes: bytes, $0) }
      for entry in entries {
        try expect(entry.bytes == bytes, "\(entry) is written as \(String(hex: entry.bytes))")
      }
      return !entries.isEmpty
    },
    FuzzTarget("valueKey") { bytes in
      let bytes = [UInt8](bytes)
      guard let key = ValueKey(bytes: bytes) else { return false }
      try expect(
        key.bytes == bytes && (key == .list || key.value?.key == key),
        "\(key) is written as \(String(hex: key.bytes))")
      return true
    },
    body,
  ]

  /// The hash of the identifier that the seeds have.
  private static let deletedName = KeyWords.identifierHash(Array("lunch".utf8))

  /// A piece of a content. The first two bytes are the content's length, of which it is the first piece.
  private static let body = FuzzTarget("body", maximumBytes: 4200) { bytes in
    guard bytes.count >= 2 else { return false }
    let key = BodyKey(message: MessageKey(conversation: 7, sequence: 1042), part: 0, piece: 0)
    let length = UInt64(bytes[0]) | UInt64(bytes[1]) << 8
    let record = sealed([UInt8](bytes.dropFirst(2)), key: key.bytes)
    return try withExactCopy(of: record) { record in
      guard let content = try? BodyLayout.decode(record, key: key, length: length) else { return false }
      try expect(
        BodyLayout.encode(content.bytes, key: key) == [UInt8](record), "a piece is written in other bytes")
      return true
    }
  }

  private static func record(
    _ name: String, _ key: KeyBytes, _ rewrite: @escaping @Sendable (UnsafeRawBufferPointer) throws -> [UInt8]
  ) -> FuzzTarget {
    FuzzTarget(name) { bytes in
      let record = sealed([UInt8](bytes), key: key)
      // The bytes as they are, with whatever stands in the place of the checksum.
      if bytes.count < 64 { _ = try? rewrite(bytes) }
      do {
        let again = try withExactCopy(of: record) { try rewrite($0) }
        // A record in an earlier layout of its kind is written in the last one. A seal, a conversation and an entry of the log keep
        // their own; a message has a later one only if it has something that the earlier ones cannot say.
        var latest = [UInt8](bytes)
        if latest.first == RecordKind.identity.rawValue {
          latest[1] = RecordKind.identity.versions.upperBound
        } else if latest.first == RecordKind.message.rawValue, latest[1] == 1 {
          latest[1] = 2
        }
        try expect(
          again == sealed(latest, key: key),
          "a \(name) is accepted and written in other bytes: \(String(hex: again))")
        return true
      } catch is CodingError {
        return false
      }
    }
  }

  /// A record's bytes and the checksum that fits them and the key.
  private static func sealed(_ bytes: [UInt8], key: KeyBytes) -> [UInt8] {
    let checksum = Checksum.hash(bytes, seed: key.checksumSeed)
    return bytes + (0..<8).map { UInt8(truncatingIfNeeded: checksum >> UInt64(8 * $0)) }
  }
}

extension Metadata {
  /// The same, made of values as a program makes it: not of the bytes of a record, which would be written again as they are.
  fileprivate var remade: Metadata {
    Metadata(
      entries.map { entry in
        guard case .dictionary(let inner) = entry.value else { return (entry.key, entry.value) }
        return (entry.key, .dictionary(inner.remade))
      })
  }
}
