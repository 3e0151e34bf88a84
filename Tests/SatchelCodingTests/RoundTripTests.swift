import SatchelBytes
import SatchelCoding
import SatchelModel
import SatchelText
import TestSupport
import Testing

/// Every record reads as it was written.
struct RoundTripTests {
  @Test func everyRecordReadsAsItWasWritten() throws {
    let seed = TestEnvironment.seed()
    var random = SeededGenerator(seed: seed)
    for round in 0..<TestEnvironment.rounds(3000) {
      let record = AnyRecord.random(&random)
      let bytes = record.encode()
      let decoded = try record.decode(bytes)
      #expect(decoded == record, "seed \(seed), round \(round)")
      // Metadata compare in NFC: the bytes say whether the very spelling came back.
      #expect(decoded.encode() == bytes, "seed \(seed), round \(round)")
      #expect(
        RecordFrame.storedChecksum(bytes)
          == Checksum.hash(Array(bytes.dropLast(8)), seed: record.key.checksumSeed))
    }
  }

  @Test func fieldsAreReadInPlace() throws {
    var random = SeededGenerator()
    for _ in 0..<TestEnvironment.rounds(500) {
      let fields = random.message()
      let key = random.messageKey()
      let bytes = fields.encode(key: key)
      try bytes.withUnsafeBytes { buffer in
        let view = try MessageView(buffer, key: key)
        #expect(view.sender == fields.sender)
        #expect(view.position == fields.position)
        #expect(view.sentAt == fields.sentAt)
        #expect(view.receivedAt == fields.receivedAt)
        #expect(view.isSent == fields.isSent)
        #expect(view.isUnread == fields.isUnread)
        #expect(view.typeSet == fields.typeSet)
        #expect(view.partCount == fields.parts.count)
        for (index, part) in fields.parts.enumerated() { #expect(view.part(at: index)?.fields == part) }
        #expect(view.part(at: fields.parts.count) == nil)
        #expect(view.part(at: -1) == nil)
        for recipient in fields.recipients {
          #expect(view.recipientStatus(of: recipient.user) == recipient.status)
        }
        #expect(view.withIdentifier { $0.array } == fields.identifier)
        #expect(view.checksum == RecordFrame.storedChecksum(bytes))
        var read = fields
        read.isUnread = false
        #expect(view.head.recordMarkedRead() == read.encode(key: key))

        var expected: [ByteString: String] = [:]
        fields.metadata.forEachValue { path, value in
          expected[ByteString(MetadataPath(path).stored)] = Self.spelling(value)
          #expect(
            view.metadata.value(at: path.map { Array($0.utf8) }).map(Self.spelling) == Self.spelling(value))
          #expect(view.metadata.value(at: path.map { Array($0.utf8) } + [Array("a".utf8)]) == nil)
        }
        var found: [ByteString: String] = [:]
        view.metadata.forEachValue { path, value in
          found[ByteString(String(decoding: path, as: UTF8.self))] = Self.spelling(value)
        }
        #expect(found == expected)
        #expect(
          view.metadata.needsVersion2
            == (expected.values.contains { !$0.hasPrefix("text") } || !fields.metadata.hasOnlyNames))
        #expect(try view.fields().metadata.hasSameBytes(as: fields.metadata))
        #expect(view.metadata.isEmpty == fields.metadata.isEmpty)
      }
    }
  }

  /// A value of metadata as it was given: its type, and its bytes.
  private static func spelling(_ value: MetadataValue) -> String {
    if case .text(let text) = value { return "text \(Array(text.utf8))" }
    if case .list(let texts) = value { return "list \(texts.map { Array($0.utf8) })" }
    return "\(MetadataScalar(value)!)"
  }

  private static func spelling(_ value: MetadataView.Value) -> String {
    switch value {
    case .text(let bytes): "text \([UInt8](bytes))"
    case .scalar(let scalar): "\(scalar)"
    case .reference(let bytes): "reference \([UInt8](bytes))"
    case .list(let list):
      {
        var texts: [[UInt8]] = []
        _ = list.contains {
          texts.append([UInt8]($0))
          return false
        }
        return "list \(texts)"
      }()
    }
  }

  /// What a value of metadata may not be: another byte than those there are, a number that is not finite, or bytes too few or
  /// too many. The bytes are those behind the zero byte.
  @Test(
    arguments: [
      [], [0], [6, 1], [6, 2, 65], [6, 1, 65, 1], [6, 0x80], [7], [255], [1, 0], [2, 0], [3], [3, 0x80],
      [3, 0x80, 0], [3, 1, 1], [4, 0, 0, 0, 0, 0, 0, 0],
      [4, 0, 0, 0, 0, 0, 0, 0xF0, 0x7F], [4, 0, 0, 0, 0, 0, 0, 0xF8, 0x7F], [5, 1, 2, 3],
      [5, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ] as [[UInt8]])
  func wrongValuesOfMetadataAreRefused(_ value: [UInt8]) throws {
    let key = MessageKey(conversation: 1, sequence: 1)
    // `a` is a text of as many bytes; its place is taken by the value, and its head says that it is none.
    let text = String(repeating: "x", count: value.count + 1)
    let fields = StoredMessage(identifier: [65], sender: 0, typeSet: 0, metadata: ["a": .text(text)])
    var bytes = fields.encode(key: key)
    let wanted = [2, 97, UInt8(text.utf8.count)] + Array(text.utf8)
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: wanted) })
    bytes.replaceSubrange(start..<start + wanted.count, with: [3, 97, UInt8(text.utf8.count), 0] + value)
    let record = AnyRecord.message(key, fields)
    #expect(throws: CodingError.self) { try record.decode(record.resealed(bytes)) }
  }

  /// What a key of a record may be: any text of 1 to 256 bytes without NUL, and of any length a name, as programs of older formats took
  /// it.
  @Test(
    arguments: [
      (Array("a.b\\c".utf8), true), (Array("😀'\"".utf8), true), (Array(repeating: 0xC3, count: 1), false),
      ([0], false),
      (Array("a\0b".utf8), false), ([0xED, 0xA0, 0x80], false), (Array(repeating: 0x21, count: 256), true),
      (Array(repeating: 0x21, count: 257), false), (Array(repeating: 0x61, count: 257), true),
      (Array(repeating: 0x61, count: 1000) + [0x2E], false),
    ] as [([UInt8], Bool)])
  func keysOfRecordsAreChecked(_ wanted: [UInt8], _ isTaken: Bool) throws {
    let key = MessageKey(conversation: 1, sequence: 1)
    let name = String(repeating: "k", count: wanted.count)
    let fields = StoredMessage(identifier: [65], sender: 0, typeSet: 0, metadata: ["x": [name: "v"]])
    var bytes = fields.encode(key: key)
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: name.utf8) })
    bytes.replaceSubrange(start..<start + wanted.count, with: wanted)
    let record = AnyRecord.message(key, fields)
    guard isTaken else {
      #expect(throws: CodingError.self) { try record.decode(record.resealed(bytes)) }
      return
    }
    guard case .message(_, let read) = try record.decode(record.resealed(bytes)) else { return }
    var paths: [MetadataPath] = []
    read.metadata.forEachValue { path, _ in paths.append(MetadataPath(path)) }
    #expect(paths == [MetadataPath(["x", String(decoding: wanted, as: UTF8.self)])])
    #expect(Metadata.isStoredKey(paths[0].keys[1]) && MetadataPath(stored: paths[0].stored) == paths[0])
  }

  @Test func recipientsAreWrittenInOrderAndOnce() throws {
    let key = MessageKey(conversation: 1, sequence: 1)
    let fields = StoredMessage(
      identifier: [65], sender: 0, typeSet: 0,
      recipients: [
        .init(user: 9, status: .sent), .init(user: 0, status: .read), .init(user: 9, status: .read),
      ])
    let decoded = try fields.encode(key: key).withUnsafeBytes { try MessageView($0, key: key).fields() }
    #expect(decoded.recipients == [.init(user: 0, status: .read), .init(user: 9, status: .read)])
  }

  @Test func textsOfAnIdentityAreReadInPlace() throws {
    var random = SeededGenerator()
    for _ in 0..<TestEnvironment.rounds(200) {
      let fields = random.identity()
      try fields.encode(row: 4).withUnsafeBytes { buffer in
        let view = try IdentityView(buffer, row: 4)
        #expect(view.user == fields.user)
        #expect(view.followed == fields.values.followed)
        for field in ObjectField.ofIdentities {
          guard case .text(let text) = fields[field] else { continue }
          #expect(view.bytes(of: field).map { [UInt8]($0) } == text.map { Array($0.utf8) })
        }
      }
    }
  }

  @Test func setsHaveOneSpelling() throws {
    #expect(DictionaryEntry.packed([7, 3, 7, 900]) == DictionaryEntry.packed([3, 7, 900]))
    #expect(DictionaryEntry.packed([]) == [])
    #expect(DictionaryEntry.packed([0]) == [0])
    #expect(DictionaryEntry.packed([0, .max]) == [0, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F])
  }
}
