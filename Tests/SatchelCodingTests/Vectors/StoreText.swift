import SatchelCoding
import SatchelModel
import TestSupport

/// The records of the store itself as lines of a vector, both ways.
extension DictionaryEntry {
  init(_ reader: inout FieldReader) throws {
    if let ids = reader.find("set") {
      self = .set(try ids.indices.map { try Literal.number(ids, $0) })
    } else {
      self = .text(Array(try reader.string("text").utf8))
    }
  }

  var lines: [FieldLine] {
    switch self {
    case .text(let bytes): return [FieldLine("text", Literal.quoted(bytes))]
    case .set(let ids):
      var line = FieldLine("set")
      line.values = ids.map { "\($0)" }
      return [line]
    }
  }
}

extension DictionaryKind {
  init(_ values: [String]) throws {
    guard let kind = Self.allCases.first(where: { "\($0)" == values.first }) else {
      throw VectorError("not a dictionary: \(values)")
    }
    self = kind
  }
}

extension StoreHeader {
  init(_ reader: inout FieldReader) throws {
    let uuid = try Literal.bytes(reader.find("uuid") ?? [], 0)
    let limits = reader.find("limits") ?? []
    self.init(
      versions: .init(
        format: try reader.number("format"), minimumReader: try reader.number("minimumReader"),
        indexSet: try reader.number("indexSet"),
        optionalIndexes: .init(
          rawValue: try reader.find("optionalIndexes").map { try Literal.number($0, 0) } ?? 0),
        unicode: try reader.number("unicode")),
      byteOrder: reader.find("byteOrder") == ["big"] ? .big : .little,
      wordSize: try reader.number("wordSize"),
      pageSize: try reader.number("pageSize"),
      uuid: StoreUUID(
        high: uuid.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
        low: uuid.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }),
      createdAt: try reader.number("createdAt"),
      limits: Limits(
        node: try Literal.number(limits, 0), piece: try Literal.number(limits, 1),
        tailPiece: try Literal.number(limits, 2), inlineContent: try Literal.number(limits, 3),
        textKey: try Literal.number(limits, 4)), user: Array(try reader.string("user").utf8))
  }

  var lines: [FieldLine] {
    let optional = versions.optionalIndexes.rawValue
    return [
      FieldLine("format", "\(versions.format)"), FieldLine("minimumReader", "\(versions.minimumReader)"),
      FieldLine("indexSet", "\(versions.indexSet)"),
    ] + (optional == 0 ? [] : [FieldLine("optionalIndexes", "\(optional)")]) + [
      FieldLine("unicode", "\(versions.unicode)"),
      FieldLine("byteOrder", "\(byteOrder)"), FieldLine("wordSize", "\(wordSize)"),
      FieldLine("pageSize", "\(pageSize)"),
      FieldLine("uuid", Literal.hexWord(uuid.high) + Literal.hexWord(uuid.low).dropFirst(2)),
      FieldLine("createdAt", "\(createdAt)"),
      FieldLine(
        "limits", "\(limits.node)", "\(limits.piece)", "\(limits.tailPiece)", "\(limits.inlineContent)",
        "\(limits.textKey)"), FieldLine("user", Literal.quoted(user)),
    ]
  }
}

extension Seal {
  init(_ reader: inout FieldReader) throws {
    self.init()
    commit = try reader.number("commit")
    nextSequence = try reader.number("nextSequence")
    nextConversation = try reader.number("nextConversation")
    nextIdentity = try reader.number("nextIdentity")
    nextImport = try reader.number("nextImport")
    nextConsumer = try reader.number("nextConsumer")
    let log = reader.find("log") ?? []
    self.log = Log(
      first: try Literal.number(log, 0), count: try Literal.number(log, 1), bytes: try Literal.number(log, 2))
    for values in reader.all("nextID") {
      self[nextID: try DictionaryKind(values)] = try Literal.number(values, 1)
    }
    for values in reader.all("table") {
      guard let table = Table.allCases.first(where: { "\($0)" == values.first }) else {
        throw VectorError("not a table: \(values)")
      }
      self[table] = Summary(count: try Literal.number(values, 1), digest: try Literal.wordNumber(values, 2))
    }
    if let journal = reader.find("journal") {
      chain = try Literal.wordNumber(journal, 0)
      isJournalInUse = journal.count > 1 && journal[1] == "inUse"
    }
    if let last = reader.find("lastRecord") {
      lastRecord = RecordPoint(commit: try Literal.number(last, 0), chain: try Literal.wordNumber(last, 1))
    }
    trees = try reader.find("trees").map { try Literal.bytes($0, 0) } ?? []
  }

  var lines: [FieldLine] {
    var lines = [
      FieldLine("commit", "\(commit)"), FieldLine("nextSequence", "\(nextSequence)"),
      FieldLine("nextConversation", "\(nextConversation)"), FieldLine("nextIdentity", "\(nextIdentity)"),
      FieldLine("nextImport", "\(nextImport)"), FieldLine("nextConsumer", "\(nextConsumer)"),
      FieldLine("log", "\(log.first)", "\(log.count)", "\(log.bytes)"),
    ]
    for kind in DictionaryKind.allCases where self[nextID: kind] != 0 {
      lines.append(FieldLine("nextID", "\(kind)", "\(self[nextID: kind])"))
    }
    for table in Table.allCases where self[table] != Summary() {
      lines.append(
        FieldLine("table", "\(table)", "\(self[table].count)", Literal.hexWord(self[table].digest)))
    }
    if chain != 0 || isJournalInUse {
      lines.append(
        isJournalInUse
          ? FieldLine("journal", Literal.hexWord(chain), "inUse")
          : FieldLine("journal", Literal.hexWord(chain)))
    }
    if let lastRecord {
      lines.append(FieldLine("lastRecord", "\(lastRecord.commit)", Literal.hexWord(lastRecord.chain)))
    }
    if !trees.isEmpty { lines.append(FieldLine("trees", Literal.hexWord(trees))) }
    return lines
  }
}

extension ConsumerEntry {
  init(_ reader: inout FieldReader) throws {
    self.init(name: Array(try reader.string("name").utf8), readCommit: try reader.number("readCommit"))
  }

  var lines: [FieldLine] {
    [FieldLine("name", Literal.quoted(name)), FieldLine("readCommit", "\(readCommit)")]
  }
}

extension PurgeEntry {
  init(_ reader: inout FieldReader) throws {
    self.init(
      commit: try reader.number("commit"), remaining: try reader.number("remaining"),
      nextSequence: try reader.number("nextSequence"))
  }

  var lines: [FieldLine] {
    [
      FieldLine("commit", "\(commit)"), FieldLine("remaining", "\(remaining)"),
      FieldLine("nextSequence", "\(nextSequence)"),
    ]
  }
}

extension IndexBuild {
  init(_ reader: inout FieldReader) throws {
    self.init(
      indexes: .init(rawValue: try reader.number("indexes")), next: try reader.number("next"))
  }

  var lines: [FieldLine] {
    [FieldLine("indexes", "\(indexes.rawValue)"), FieldLine("next", "\(next)")]
  }
}

extension DeclaredIndexEntry {
  init(_ reader: inout FieldReader) throws {
    let name = Array(try reader.string("name").utf8)
    let (kind, recordType) = try AggregateEntry.kind(reader.find("of") ?? [])
    let predicate = Array(try reader.string("predicate").utf8)
    var columns: [Column] = []
    while let values = reader.find("column") {
      columns.append(
        Column(
          path: Array(try Literal.string(values, 0).utf8), descending: values.contains("descending"),
          isOfElements: values.contains("elements"), isOfWords: values.contains("words")))
    }
    let state: State =
      if let next = reader.find("building") { .building(next: try Literal.number(next, 0)) } else {
        reader.find("leaving") != nil ? .leaving : reader.find("refused") != nil ? .refused : .complete
      }
    let isUnique = reader.find("unique") != nil
    var doubles: [Doubles] = []
    while let values = reader.find("doubles") {
      doubles.append(
        Doubles(
          first: Array(try Literal.string(values, 0).utf8), second: Array(try Literal.string(values, 1).utf8))
      )
    }
    self.init(
      Definition(
        name: name, kind: kind, recordType: recordType, predicate: predicate, columns: columns,
        isUnique: isUnique), state, doubles: doubles)
  }

  var lines: [FieldLine] {
    var lines = [
      FieldLine("name", Literal.quoted(definition.name)),
      FieldLine("of", values: AggregateEntry.words(definition.kind, definition.recordType)),
      FieldLine("predicate", Literal.quoted(definition.predicate)),
    ]
    for column in definition.columns {
      lines.append(
        FieldLine(
          "column",
          values: [Literal.quoted(column.path)] + (column.descending ? ["descending"] : [])
            + (column.isOfElements ? ["elements"] : []) + (column.isOfWords ? ["words"] : [])))
    }
    switch state {
    case .complete: break
    case .building(let next): lines.append(FieldLine("building", "\(next)"))
    case .leaving: lines.append(FieldLine("leaving"))
    case .refused: lines.append(FieldLine("refused"))
    }
    if definition.isUnique { lines.append(FieldLine("unique")) }
    for pair in doubles {
      lines.append(FieldLine("doubles", values: [Literal.quoted(pair.first), Literal.quoted(pair.second)]))
    }
    return lines
  }
}

extension StagingEntry {
  init(_ reader: inout FieldReader) throws {
    let line: UInt64 = try reader.number("line")
    if let created = reader.find("created") {
      self.init(line: line, content: .created(try ObjectRow(created)))
    } else {
      self.init(line: line, content: .line(Array(try reader.string("bytes").utf8)))
    }
  }

  var lines: [FieldLine] {
    switch content {
    case .created(let object): return [FieldLine("line", "\(line)"), object.line("created")]
    case .line(let bytes): return [FieldLine("line", "\(line)"), FieldLine("bytes", Literal.quoted(bytes))]
    }
  }
}

extension AggregateEntry {
  init(_ reader: inout FieldReader) throws {
    let name = Array(try reader.string("name").utf8)
    let (kind, recordType) = try Self.kind(reader.find("counts") ?? [])
    func text(_ values: [String]?) throws -> [UInt8]? {
      try values.map { Array(try Literal.string($0, 0).utf8) }
    }
    self.init(
      name: name, kind: kind, recordType: recordType, predicate: Array(try reader.string("predicate").utf8),
      group: try text(reader.find("group")))
    for measure in Measure.allCases where measure != .count {
      guard let path = try text(reader.find("\(measure)")) else { continue }
      (self.measure, property) = (measure, path)
    }
  }

  var lines: [FieldLine] {
    let lines = [
      FieldLine("name", Literal.quoted(name)), FieldLine("counts", values: Self.words(kind, recordType)),
      FieldLine("predicate", Literal.quoted(predicate)),
    ]
    return lines
      + [("group", group), ("\(measure)", property)].compactMap { name, text in
        text.map { FieldLine(name, Literal.quoted($0)) }
      }
  }

  /// Reads a kind of object: of records, with the name of their type.
  fileprivate static func kind(_ values: [String]) throws -> (Kind, recordType: [UInt8]?) {
    let word = try Literal.word(values, 0)
    guard let kind = Kind.allCases.first(where: { "\($0)" == word }) else {
      throw VectorError("not a kind of object: \(word)")
    }
    return (kind, kind == .records ? Array(try Literal.string(values, 1).utf8) : nil)
  }

  fileprivate static func words(_ kind: Kind, _ recordType: [UInt8]?) -> [String] {
    ["\(kind)"] + (recordType.map { [Literal.quoted($0)] } ?? [])
  }
}

extension DeletionFloor {
  init(_ reader: inout FieldReader) throws {
    self.init(position: try reader.optional("floor.position"), sentAt: try reader.optional("floor.sentAt"))
  }

  var lines: [FieldLine] {
    [("floor.position", position), ("floor.sentAt", sentAt)].compactMap { name, value in
      value.map { FieldLine(name, "\($0)") }
    }
  }
}

extension DeletedMessages {
  init(_ reader: inout FieldReader) throws {
    self.init(
      hashes: try reader.all("deleted").map { try Literal.wordNumber($0, 0) },
      floor: try DeletionFloor(&reader))
  }

  var lines: [FieldLine] { hashes.map { FieldLine("deleted", Literal.hexWord($0)) } + floor.lines }
}

extension DeletedConversation {
  init(_ reader: inout FieldReader) throws {
    self.init(
      identifier: Array(try reader.string("identifier").utf8),
      remoteID: try reader.find("remoteID").map { Array(try Literal.string($0, 0).utf8) },
      participantSet: try reader.number("participantSet"), createdAt: try reader.optional("createdAt"),
      isDistinct: reader.flag("isDistinct"), metadata: try Metadata(&reader),
      floor: try DeletionFloor(&reader))
  }

  var lines: [FieldLine] {
    var lines = [FieldLine("identifier", Literal.quoted(identifier))]
    if let remoteID { lines.append(FieldLine("remoteID", Literal.quoted(remoteID))) }
    lines.append(FieldLine("participantSet", "\(participantSet)"))
    if let createdAt { lines.append(FieldLine("createdAt", "\(createdAt)")) }
    if isDistinct { lines.append(FieldLine("isDistinct")) }
    return lines + floor.lines + metadata.lines()
  }
}

extension ObjectRow {
  /// `conversation ROW`, `message CONVERSATION SEQUENCE`, `announcement SEQUENCE`, `identity ROW` or `record TYPE SEQUENCE`.
  init(_ values: [String]) throws {
    switch try Literal.word(values, 0) {
    case "conversation": self = .conversation(try Literal.number(values, 1))
    case "identity": self = .identity(try Literal.number(values, 1))
    case "record":
      self = .record(
        TypedRecordKey(type: try Literal.number(values, 1), sequence: try Literal.number(values, 2)))
    case "announcement": self = .message(MessageKey(announcement: try Literal.number(values, 1)))
    case "message":
      self = .message(
        MessageKey(conversation: try Literal.number(values, 1), sequence: try Literal.number(values, 2)))
    default: throw VectorError("not an object: \(values)")
    }
  }

  func line(_ name: String) -> FieldLine {
    switch self {
    case .conversation(let row): FieldLine(name, "conversation", "\(row)")
    case .identity(let row): FieldLine(name, "identity", "\(row)")
    case .record(let key): FieldLine(name, "record", "\(key.type)", "\(key.sequence)")
    case .message(let key) where key.isAnnouncement: FieldLine(name, "announcement", "\(key.sequence)")
    case .message(let key): FieldLine(name, "message", "\(key.conversation)", "\(key.sequence)")
    }
  }
}
