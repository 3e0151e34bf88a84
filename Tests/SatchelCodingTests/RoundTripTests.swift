import SatchelBytes
import SatchelCoding
import SatchelModel
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

        var expected: [String: [UInt8]] = [:]
        fields.metadata.forEachText { path, text in
          expected[path.joined(separator: ".")] = Array(text.utf8)
          #expect(view.metadata.text(at: path.map { Array($0.utf8) }).map { [UInt8]($0) } == Array(text.utf8))
          #expect(view.metadata.text(at: path.map { Array($0.utf8) } + [Array("a".utf8)]) == nil)
        }
        var found: [String: [UInt8]] = [:]
        view.metadata.forEachText { found[String(decoding: $0, as: UTF8.self)] = [UInt8]($1) }
        #expect(found == expected)
        #expect(view.metadata.isEmpty == fields.metadata.isEmpty)
      }
    }
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
