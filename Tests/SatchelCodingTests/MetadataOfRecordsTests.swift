import SatchelCoding
import SatchelModel
import TestSupport
import Testing

/// The metadata of an object that comes from a store, which is bytes until something is asked of it, is as metadata that a program has
/// made.
struct MetadataOfRecordsTests {
  private static let key = TypedRecordKey(type: 3, sequence: 9)

  private static func bytes(_ fields: Metadata) -> [UInt8] {
    StoredRecord(
      identifier: [65], owner: 0, createdBy: 0, updatedBy: 0, createdAt: 0, updatedAt: 0, fields: fields
    ).encode(key: key)
  }

  private static func read(_ bytes: [UInt8]) throws -> Metadata {
    try bytes.withUnsafeBytes { try RecordView($0, key: key).fields.decode(in: .record) }
  }

  @Test func itIsAsItWasMade() throws {
    let seed = TestEnvironment.seed()
    var random = SeededGenerator(seed: seed)
    var (few, many) = (0, 0)
    for round in 0..<TestEnvironment.rounds(600) {
      var made = random.metadata()
      if random.oneIn(2) { made.set(.reference(random.reference()), forKey: "list") }
      if random.oneIn(4) {
        for number in 0..<Int.random(in: 50...70, using: &random) {
          made.set(.integer(1), forKey: "\(number)")
        }
      }
      let read = try Self.read(Self.bytes(made))
      if read.bytes == nil { many += made.isEmpty ? 0 : 1 } else { few += 1 }
      let name: Comment = "seed \(seed), round \(round)"
      #expect(read == made && made == read && read == read.remade, name)
      #expect(read.hashValue == made.hashValue && read.hasSameBytes(as: made), name)
      #expect(read.hasSameBytes(as: read) && made.hasSameBytes(as: read), name)
      #expect(read.isEmpty == made.isEmpty && read.underestimatedCount == made.entries.count, name)
      #expect(read.description == made.description, name)
      #expect(read.map(\.key) == made.map(\.key) && read.map(\.value) == made.map(\.value), name)
      #expect(Self.bytes(read) == Self.bytes(made), name)
      Self.expectSameValues(read, made, name)
      try Self.expectSameChanges(read, made, name)
    }
    #expect(few > 0 && many > 0)
  }

  private static func expectSameValues(_ read: Metadata, _ made: Metadata, _ name: Comment) {
    var paths = [[], ["a"], ["nothing"], ["theme", "a"], ["a", "nothing"], ["list", "a"], [""]]
    for entry in made.entries {
      paths.append([entry.key])
      #expect(read.value(forKey: entry.key)?.hasSameBytes(as: entry.value) == true, name)
      #expect(read.value(at: entry.key) == made.value(at: entry.key), name)
      #expect(read[entry.key] == made[entry.key], name)
    }
    made.forEachValue { path, _ in
      paths.append(path)
      paths.append(path + ["a"])
    }
    for path in paths {
      #expect(read.value(at: path) == made.value(at: path), name)
      #expect(read[path] == made[path], name)
      let dotted = path.joined(separator: ".")
      #expect(read.value(at: dotted) == made.value(at: dotted), name)
    }
  }

  private static func expectSameChanges(_ read: Metadata, _ made: Metadata, _ name: Comment) throws {
    for key in ["a", "theme", "zz"] {
      var (one, other) = (read, made)
      try one.set("new", at: [key])
      try other.set("new", at: [key])
      #expect(one.hasSameBytes(as: other) && one != read, name)
      try one.set(1, at: [key, "inner"])
      try other.set(1, at: [key, "inner"])
      #expect(one.hasSameBytes(as: other), name)
      try one.remove(at: [key])
      try other.remove(at: [key])
      #expect(one.hasSameBytes(as: other) && one[[key]] == nil, name)
      (one, other) = (read, made)
      try one.remove(at: [key])
      try other.remove(at: [key])
      #expect(one.hasSameBytes(as: other), name)
    }
    #expect(read.hasSameBytes(as: made), name)
  }

  /// Metadata that differ in the spelling of a value are equal, though their bytes are not.
  @Test func spellingsAreEqual() throws {
    let pairs: [(Metadata, Metadata)] = [
      (["a": 5], ["a": 5.0]), (["a": 0.0], ["a": -0.0]), (["a": "caf\u{E9}"], ["a": "cafe\u{301}"]),
      (["a": ["x", "y"]], ["a": ["y", "x", "x"]]), (["b": ["a": 1]], ["b": ["a": 1.0]]),
    ]
    for (left, right) in pairs {
      let (one, other) = (try Self.read(Self.bytes(left)), try Self.read(Self.bytes(right)))
      #expect(one == other && one == right && left == other && one.hashValue == other.hashValue)
      #expect(!one.hasSameBytes(as: other) && !one.hasSameBytes(as: right))
    }
    #expect(try Self.read(Self.bytes(["a": 5])) != Self.read(Self.bytes(["a": 6])))
  }

  /// What makes an object finds the damage, not who asks for a value of it.
  @Test(arguments: [0, 70], [1, 1500])
  func textsThatAreNoneAreFoundAtOnce(_ others: Int, _ length: Int) throws {
    let text = "Q" + String(repeating: "x", count: length)
    let values: [MetadataValue] = [
      .text(text), .dictionary(["in": .dictionary(["deep": .text(text)])]), .list(["a", text]),
      .reference(Reference(type: "t", name: text)),
    ]
    for value in values {
      var fields: Metadata = ["value": value]
      for number in 0..<others { fields.set(.boolean(true), forKey: "\(number)") }
      let record = AnyRecord.record(
        Self.key,
        StoredRecord(
          identifier: [65], owner: 0, createdBy: 0, updatedBy: 0, createdAt: 0, updatedAt: 0, fields: fields))
      var bytes = record.encode()
      #expect(try Self.read(bytes).hasSameBytes(as: fields))
      bytes[try #require(bytes.firstIndex(of: UInt8(ascii: "Q")))] = 0xFF
      #expect(throws: CodingError(.record, .text)) { try Self.read(record.resealed(bytes)) }
    }
  }
}
