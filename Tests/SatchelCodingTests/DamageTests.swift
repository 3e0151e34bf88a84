import SatchelBytes
import SatchelCoding
import SatchelModel
import TestSupport
import Testing

/// Bytes that are not what was written never trap, and never pass for a record.
struct DamageTests {
  @Test func everyChangedBitIsFound() {
    let seed = TestEnvironment.seed()
    var random = SeededGenerator(seed: seed)
    for round in 0..<TestEnvironment.rounds(40) {
      let record = AnyRecord.random(&random)
      let bytes = record.encode()
      for bit in 0..<bytes.count * 8 {
        var damaged = bytes
        damaged[bit / 8] ^= 1 << UInt8(bit % 8)
        #expect(throws: CodingError.self, "seed \(seed), round \(round), bit \(bit)") {
          try record.decode(damaged)
        }
      }
    }
  }

  @Test func everyTruncationIsFound() {
    var random = SeededGenerator()
    for _ in 0..<TestEnvironment.rounds(100) {
      let record = AnyRecord.random(&random)
      let bytes = record.encode()
      for count in 0..<bytes.count {
        #expect(throws: CodingError.self) { try record.decode(Array(bytes.prefix(count))) }
      }
      #expect(throws: CodingError.self) { try record.decode(bytes + [0]) }
    }
  }

  @Test func aRecordUnderAnotherKeyIsFound() throws {
    var random = SeededGenerator()
    let fields = random.message()
    let bytes = fields.encode(key: MessageKey(conversation: 1, sequence: 2))
    for other in [
      MessageKey(conversation: 1, sequence: 3), MessageKey(conversation: 2, sequence: 2),
      MessageKey(announcement: 2),
    ] {
      #expect(throws: CodingError(.message, .checksum, offset: bytes.count - 8)) {
        try AnyRecord.message(other, fields).decode(bytes)
      }
    }
  }

  /// A writer that gets the checksum right can store anything: it reads as some record or throws, and what reads is
  /// the only spelling of its fields.
  @Test func hostileBytesNeverTrap() throws {
    let seed = TestEnvironment.seed()
    var random = SeededGenerator(seed: seed)
    var read = 0
    var refused = 0
    for round in 0..<TestEnvironment.rounds(400) {
      let record = AnyRecord.random(&random)
      let bytes = record.encode()
      for _ in 0..<100 {
        var hostile = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) where hostile.count > 8 {
          let offset = Int.random(in: 0..<hostile.count - 8, using: &random)
          switch Int.random(in: 0...5, using: &random) {
          case 0: hostile[offset] = random.oneIn(2) ? 0xFF : 0
          case 1: hostile[offset] ^= 1 << UInt8.random(in: 0...7, using: &random)
          case 2: hostile[offset] = random.number()
          case 3: hostile.remove(at: offset)
          case 4: hostile.insert(random.number(), at: offset)
          default: hostile.removeSubrange(offset..<Int.random(in: offset...hostile.count - 8, using: &random))
          }
        }
        hostile = record.resealed(hostile)
        do {
          let decoded = try record.decode(hostile)
          #expect(
            decoded.encode() == record.inPresentVersion(hostile),
            "seed \(seed), round \(round): two spellings of \(decoded)")
          read += 1
        } catch {
          refused += 1
        }
      }
    }
    #expect(read > 0 && refused > 0)
  }

  @Test func everyHostileByteOfAMessage() throws {
    let key = MessageKey(conversation: 7, sequence: 1042)
    let fields = StoredMessage(
      identifier: [109], sender: 1, position: 1, typeSet: 1, recipients: [.init(user: 3, status: .read)],
      metadata: ["a": ["b": "c"]],
      parts: [.init(mimeType: 1, kind: .text, size: 1, content: .inline([72]))])
    let record = AnyRecord.message(key, fields)
    let bytes = record.encode()
    var read = 0
    for offset in 0..<bytes.count - 8 {
      for value in UInt8.min...UInt8.max {
        var hostile = bytes
        hostile[offset] = value
        if let decoded = try? record.decode(record.resealed(hostile)) {
          read += 1
          #expect(decoded.encode() == record.inPresentVersion(record.resealed(hostile)))
        }
      }
    }
    // Position, dates, sender and type set may have any value where they are present.
    #expect(read > 256 * 16)
  }

  @Test func theFirstVersionOfAMessageHasNoTransferStatus() throws {
    let key = MessageKey(conversation: 7, sequence: 1042)
    for status in TransferStatus.allCases {
      let record = AnyRecord.message(
        key,
        StoredMessage(
          identifier: [109], sender: 1, typeSet: 1,
          parts: [
            .init(mimeType: 1, kind: .text, size: 1, transferStatus: status, content: .inline([72]))
          ]))
      var bytes = record.encode()
      #expect(try record.decode(bytes) == record)
      bytes[1] = 1
      let former = record.resealed(bytes)
      if status == .complete {
        #expect(try record.decode(former) == record)
      } else {
        #expect(throws: CodingError.self) { try record.decode(former) }
      }
    }
  }

  @Test func depthIsLimited() throws {
    var metadata: Metadata = ["a": "deep"]
    for _ in 1..<Metadata.maximumDepth { metadata = ["a": .dictionary(metadata)] }
    let key = MessageKey(conversation: 1, sequence: 1)
    var fields = StoredMessage(identifier: [65], sender: 0, typeSet: 0, metadata: metadata)
    #expect(try AnyRecord.message(key, fields).decode(fields.encode(key: key)) == .message(key, fields))
    fields.metadata = ["a": .dictionary(metadata)]
    #expect(throws: CodingError.self) { try AnyRecord.message(key, fields).decode(fields.encode(key: key)) }
  }

  @Test func newerVersionsAreNamed() throws {
    let record = AnyRecord.header(
      StoreHeader(
        versions: .init(format: 1, minimumReader: 1, indexSet: 1, unicode: 0), pageSize: 4096,
        uuid: StoreUUID(high: 1, low: 2), createdAt: 0, user: [97]))
    var bytes = record.encode()
    bytes[1] = 2
    #expect(throws: CodingError(.header, .version(2), offset: 1)) {
      try record.decode(record.resealed(bytes))
    }
    bytes[1] = 1
    bytes[0] = RecordKind.seal.rawValue
    #expect(throws: CodingError(.header, .kind(6))) { try record.decode(record.resealed(bytes)) }
  }
}
