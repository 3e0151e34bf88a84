import SatchelBytes
import SatchelCoding
import SatchelIndexing
import SatchelModel
import TestSupport
import Testing

/// FORMAT.md is executed: every vector both ways. `SATCHEL_REWRITE=1` writes the bytes of its vectors anew, and fails.
@Suite(.serialized)
struct FormatDocumentTests {
  @Test func recordsAreWhatTheDocumentSays() throws {
    var document = try FormatDocument()
    let blocks = document.blocks("vector")
    var kinds: Set<String> = []
    for block in blocks.reversed() {
      let kind = String(block.title.prefix { $0 != ":" })
      kinds.insert(kind)
      let middle = block.lines.firstIndex(of: "=") ?? block.lines.endIndex
      let lines = try block.lines[..<middle].map(FieldLine.init(parsing:))
      let record = try AnyRecord(kind: kind, lines: lines)
      if FormatDocument.isRewriting {
        document.replace(block, with: record.lines.map(\.text) + ["="] + Literal.hexLines(record.encode()))
        continue
      }
      let bytes = try Literal.hex(block.lines[middle...].dropFirst().joined())
      #expect(record.encode() == bytes, "\(block.title): \(Literal.hex(record.encode()))")
      let decoded = try record.decode(bytes)
      #expect(decoded == record, "\(block.title)")
      #expect(decoded.lines == lines, "\(block.title): the lines are not in their canonical form")
    }
    #expect(
      kinds == [
        "message", "conversation", "identity", "dictionary", "header", "seal", "changeLog", "consumer",
        "purge",
        "staging", "aggregate", "deletedMessages", "deletedConversation", "indexBuild",
        "declaredIndex", "recordType", "record",
      ])
    if FormatDocument.isRewriting {
      try document.save()
      Issue.record(
        "rewrote the vectors of FORMAT.md; look at the difference, then run without SATCHEL_REWRITE")
    }
  }

  /// The bytes of the annotated example are those of the first vector of a message, without a gap.
  @Test func everyByteOfTheExampleIsAnnotated() throws {
    let document = try FormatDocument()
    let block = try #require(document.blocks("annotated").first)
    let vector = try #require(document.blocks("vector").first { $0.title.hasPrefix("message:") })
    let middle = try #require(vector.lines.firstIndex(of: "="))
    let expected = try Literal.hex(vector.lines[middle...].dropFirst().joined())
    var bytes: [UInt8] = []
    for line in block.lines {
      let columns = line.split(separator: "#", maxSplits: 1).map(String.init)
      try #require(columns.count == 2, "\(line)")
      let words = columns[0].split(separator: " ").map(String.init)
      #expect(Int(try #require(words.first)) == bytes.count, "\(line)")
      bytes += try Literal.hex(words.dropFirst().joined())
    }
    #expect(bytes == expected)
  }

  /// Lines `VALUES = HEX`, whose left side says what is encoded.
  @Test(arguments: [
    "keys", "words", "hashes", "pieces", "values", "groups", "paths", "limbs", "totals", "wordEntries",
  ])
  func linesAreWhatTheDocumentSays(name: String) throws {
    var document = try FormatDocument()
    let blocks = document.blocks(name)
    #expect(!blocks.isEmpty)
    for block in blocks.reversed() {
      var new: [String] = []
      for text in block.lines {
        let sides = text.components(separatedBy: " = ")
        let line = try FieldLine(parsing: sides[0])
        let bytes = try Self.encode(line, in: name)
        new.append(line.text + " = " + Literal.hex(bytes))
        if !FormatDocument.isRewriting {
          let expected = try Literal.hex(sides.count == 2 ? sides[1] : "")
          #expect(expected == bytes, "\(line.text)")
        }
      }
      if FormatDocument.isRewriting { document.replace(block, with: new) }
    }
    if FormatDocument.isRewriting {
      try document.save()
      Issue.record(
        "rewrote the \(name) of FORMAT.md; look at the difference, then run without SATCHEL_REWRITE")
    }
  }

  private static func encode(_ line: FieldLine, in block: String) throws -> [UInt8] {
    switch block {
    case "keys": return try key(line)
    case "words": return bigEndian(try words(line))
    case "hashes":
      return bigEndian([
        Checksum.hash(try Literal.bytes([line.name], 0), seed: try Literal.wordNumber(line.values, 0))
      ])
    case "groups": return try group(line).bytes
    case "limbs": return try limbs(line)
    case "totals": return try total(line)
    case "wordEntries": return try wordEntry(line)
    case "values": return try valueKey(line)
    case "paths": return try path(line)
    default: return try piece(line)
    }
  }

  /// A stored key path's bytes, once they have been split again.
  private static func path(_ line: FieldLine) throws -> [UInt8] {
    let path = MetadataPath(try line.values.indices.map { try Literal.string(line.values, $0) })
    #expect(MetadataPath(stored: path.stored) == path)
    return path.storedBytes
  }

  /// A key's bytes, once they have been read back. A whole number is read back as an integer.
  private static func valueKey(_ line: FieldLine) throws -> [UInt8] {
    guard let key = MetadataScalar(try MetadataValue(spelled: line.values))?.key else {
      throw VectorError("not a value that is no text: \(line.text)")
    }
    #expect(ValueKey(bytes: key.bytes) == key)
    #expect(key.value?.key == key)
    return key.bytes
  }

  /// A group's bytes, once they have been read back.
  private static func group(_ line: FieldLine) throws -> AggregateGroup {
    let group: AggregateGroup
    switch line.name {
    case "none": group = .missing
    case "integer": group = .integer(try Literal.number(line.values, 0))
    case "text": group = AggregateGroup(try Literal.bytes(line.values, 0))
    case "reference":
      guard case .reference(let reference) = try MetadataValue(spelled: [line.name] + line.values) else {
        throw VectorError("not a reference: \(line.text)")
      }
      group = .reference(reference.keyBytes)
    case "value":
      guard let key = MetadataScalar(try MetadataValue(spelled: line.values))?.key else {
        throw VectorError("not a value that is no text: \(line.text)")
      }
      group = .scalar(key)
    default: throw VectorError("not a group: \(line.text)")
    }
    #expect(AggregateGroup(bytes: group.bytes) == group)
    return group
  }

  /// What a number adds to an exact sum: of each limb its number, and the amount as eight bytes. The sum of the number alone
  /// is the number.
  private static func limbs(_ line: FieldLine) throws -> [UInt8] {
    guard let scalar = MetadataScalar(try MetadataValue(spelled: line.values)) else {
      throw VectorError("not a number: \(line.text)")
    }
    var bytes: [UInt8] = []
    var sum = ExactSum()
    ExactSum.forEachLimb(of: scalar) { limb, amount in
      bytes += [limb] + bigEndian([UInt64(bitPattern: amount)])
      sum.add(amount, to: limb)
    }
    #expect(sum.value.key == scalar.key, "\(line.text)")
    return bytes
  }

  /// The text of an entry, once it has been read back: of a limb of a group, `limb 44 in text "a"`, or of a value,
  /// `value 5 in none`.
  private static func total(_ line: FieldLine) throws -> [UInt8] {
    guard let middle = line.values.firstIndex(of: "in"), middle + 1 < line.values.count else {
      throw VectorError("not an entry of a group: \(line.text)")
    }
    let (part, values) = (Array(line.values[..<middle]), Array(line.values[(middle + 1)...]))
    let group = try group(FieldLine(parsing: values.joined(separator: " ")))
    let entry: AggregateEntryText
    if line.name == "limb" {
      entry = AggregateEntryText(group, .limb(try Literal.number(part, 0)))
    } else {
      entry = AggregateEntryText(
        group, .value(try Self.group(FieldLine(parsing: ([line.name] + part).joined(separator: " ")))))
    }
    #expect(AggregateEntryText(bytes: entry.bytes, line.name == "limb" ? .exactSum : .maximum) == entry)
    return entry.bytes
  }

  /// The group, or the text, of an entry of an index of words, once it has been read back.
  private static func wordEntry(_ line: FieldLine) throws -> [UInt8] {
    var bytes: [UInt8] = []
    switch line.name {
    case "group":
      let entries = try #require(WordEntries.allCases.first { "\($0)" == line.values.first })
      let index: UInt32 = try Literal.number(line.values, 1)
      let group = entries.group(of: index)
      let read = try #require(WordEntries.index(ofGroup: group))
      #expect(read == (index, entries))
      bytes = bigEndian([group])
    case "frequency":
      let frequency: Int = try Literal.number(line.values, 1)
      try Literal.bytes(line.values, 0).withUnsafeBufferPointer {
        WordEntries.append($0, frequency: frequency, to: &bytes)
      }
      #expect(bytes.last == UInt8(clamping: frequency))
    case "length":
      let length: Int = try Literal.number(line.values, 0)
      WordEntries.append(length: length, of: try Literal.number(line.values, 1), to: &bytes)
      #expect(WordEntries.length(bytes.span.bytes) == UInt64(length))
    case "totalLength":
      let total: UInt64 = try Literal.number(line.values, 0)
      bytes = WordEntries.text(ofTotal: total)
      #expect(WordEntries.total(bytes.span.bytes) == total)
    default: throw VectorError("not an entry of an index of words: \(line.text)")
    }
    return bytes
  }

  private static func piece(_ line: FieldLine) throws -> [UInt8] {
    // The line has no name: its first word is the conversation's row.
    let values = [line.name] + line.values
    let message = MessageKey(
      conversation: try Literal.number(values, 0), sequence: try Literal.number(values, 1))
    let key = BodyKey(
      message: message, part: try Literal.number(values, 2), piece: try Literal.number(values, 3))
    let content = try Literal.bytes(values, 4)
    return BodyLayout.encode(content.span.bytes, key: key)
  }

  /// A key's bytes, once they have been read back.
  private static func key(_ line: FieldLine) throws -> [UInt8] {
    let values = line.values
    let object: ObjectKey
    switch line.name {
    case "message":
      let key = MessageKey(
        conversation: try Literal.number(values, 0), sequence: try Literal.number(values, 1))
      #expect(try key.bytes.withUnsafeBytes { try MessageKey(messages: $0) } == key)
      return key.bytes.array
    case "body":
      let key = BodyKey(
        message: MessageKey(
          conversation: try Literal.number(values, 0), sequence: try Literal.number(values, 1)),
        part: try Literal.number(values, 2), piece: try Literal.number(values, 3))
      #expect(try key.bytes.withUnsafeBytes { try BodyKey($0) } == key)
      return key.bytes.array
    case "header": object = .header
    case "seal": object = .seal
    case "conversation": object = .conversation(row: try Literal.number(values, 0))
    case "identity": object = .identity(row: try Literal.number(values, 0))
    case "announcement": object = .announcement(sequence: try Literal.number(values, 0))
    case "dictionary": object = .dictionary(try DictionaryKind(values), id: try Literal.number(values, 1))
    case "changeLog": object = .changeLog(commit: try Literal.number(values, 0))
    case "consumer": object = .consumer(id: try Literal.number(values, 0))
    case "purge":
      object = .purge(
        MessageKey(conversation: try Literal.number(values, 0), sequence: try Literal.number(values, 1)))
    case "staging":
      object = .staging(importNumber: try Literal.number(values, 0), ordinal: try Literal.number(values, 1))
    case "aggregate": object = .aggregate(id: try Literal.number(values, 0))
    case "deletedMessages":
      object = .deletedMessages(
        conversation: try Literal.number(values, 0), block: try Literal.number(values, 1))
    case "deletedConversation": object = .deletedConversation(hash: try Literal.wordNumber(values, 0))
    case "indexBuild": object = .indexBuild
    case "declaredIndex": object = .declaredIndex(id: try Literal.number(values, 0))
    case "recordType": object = .recordType(id: try Literal.number(values, 0))
    case "record":
      object = .record(
        TypedRecordKey(type: try Literal.number(values, 0), sequence: try Literal.number(values, 1)))
    default: throw VectorError("not a key: \(line.text)")
    }
    #expect(try object.bytes.withUnsafeBytes { try ObjectKey($0) } == object)
    return object.bytes.array
  }

  private static func words(_ line: FieldLine) throws -> [UInt64] {
    let value: Int64? = line.values.first == "missing" ? nil : try Literal.number(line.values, 0)
    switch line.name {
    case "number": return [KeyWords.word(try #require(value))]
    case "optional": return [KeyWords.words(value).presence, KeyWords.words(value).word]
    case "position": return [KeyWords.words(position: value).unsent, KeyWords.words(position: value).word]
    default: throw VectorError("not a word: \(line.text)")
    }
  }

  private static func bigEndian(_ words: [UInt64]) -> [UInt8] {
    words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) } }
  }
}
