import LMDB
import RankedIndex
import SatchelCoding
import SatchelReading
import SatchelStorage
import TestSupport
import Testing

/// Every key and value of a store, with what each byte means.
struct StoreDump {
  private(set) var lines: [String] = []

  init(_ snapshot: Snapshot) throws {
    let databases: [(String, Database)] = [
      ("nodes", snapshot.databases.nodes), ("texts", snapshot.databases.texts),
      ("messages", snapshot.databases.messages), ("bodies", snapshot.databases.bodies),
      ("objects", snapshot.databases.objects),
    ]
    for (name, database) in databases {
      lines.append("database \(name): \(try snapshot.transaction.statistics(of: database).entries) entries")
      lines.append("")
      var cursor = try snapshot.transaction.cursor(database)
      while let entry = try cursor.next() { try add(name, [UInt8](entry.key), [UInt8](entry.value)) }
    }
  }

  var text: String { lines.joined(separator: "\n") + "\n" }

  private mutating func add(_ database: String, _ key: [UInt8], _ value: [UInt8]) throws {
    var keyBytes = AnnotatedBytes(key)
    var annotated = AnnotatedBytes(value)
    switch database {
    case "nodes":
      let number = try keyBytes.big(8, "number")
      let rows = try annotated.node()
      let decoded = value.withUnsafeBytes { NodeDescription(number: number, value: $0) }
      #expect(decoded.isChecksumRight)
      #expect(decoded.kind == 2 || decoded.rows == rows)
    case "texts":
      let number = try keyBytes.big(8, "number")
      try annotated.number(8, "checksum") { _ in "hash of what follows, seeded by the number" }
      let tree = try annotated.number(2, "tree") { "\($0) \(TreeName.of($0))" }
      try annotated.text(annotated.rest, "text")
      #expect(
        value.withUnsafeBytes { TextContinuation.decode($0, number: number, tree: UInt16(tree)) != nil })
    case "messages":
      try keyBytes.big(4, "conversation")
      try keyBytes.big(8, "sequence")
      try annotated.message()
      let decoded = try key.withUnsafeBytes { try MessageKey(messages: $0) }
      #expect(
        try value.withUnsafeBytes { try MessageView($0, key: decoded).fields().encode(key: decoded) } == value
      )
    case "bodies":
      try keyBytes.big(4, "conversation")
      try keyBytes.big(8, "sequence")
      try keyBytes.big(2, "part")
      try keyBytes.big(4, "piece")
      try annotated.body()
      let decoded = try key.withUnsafeBytes { try BodyKey($0) }
      let content = Array(value.dropLast(8))
      #expect(BodyLayout.encode(content.span.bytes, key: decoded) == value)
    default: try object(key, value, &keyBytes, &annotated)
    }
    try keyBytes.end()
    try annotated.end()
    lines += ["key"] + keyBytes.lines.map { "  " + $0 } + ["value"] + annotated.lines.map { "  " + $0 } + [""]
  }

  private func object(
    _ key: [UInt8], _ value: [UInt8], _ keyBytes: inout AnnotatedBytes, _ annotated: inout AnnotatedBytes
  ) throws {
    let object = try key.withUnsafeBytes { try ObjectKey($0) }
    let encoded: [UInt8]
    switch object {
    case .header:
      _ = try keyBytes.take(2, "header")
      try annotated.header()
      encoded = try value.withUnsafeBytes { try StoreHeader($0) }.encode()
    case .seal:
      _ = try keyBytes.take(2, "seal")
      try annotated.seal()
      let seal = try value.withUnsafeBytes { try Seal($0) }
      #expect(try Directory(seal.trees).encode() == seal.trees)
      encoded = seal.encode()
    case .conversation(let row):
      _ = try keyBytes.take(1, "conversation")
      try keyBytes.big(4, "row")
      try annotated.conversation()
      encoded = try value.withUnsafeBytes { try ConversationView($0, row: row).fields() }.encode(row: row)
    case .identity(let row):
      _ = try keyBytes.take(1, "identity")
      try keyBytes.big(4, "row")
      try annotated.identity()
      encoded = try value.withUnsafeBytes { try IdentityView($0, row: row).fields() }.encode(row: row)
    case .announcement(let sequence):
      _ = try keyBytes.take(1, "announcement")
      try keyBytes.big(8, "sequence")
      try annotated.message()
      let message = MessageKey(announcement: sequence)
      encoded = try value.withUnsafeBytes { try MessageView($0, key: message).fields() }.encode(key: message)
    case .dictionary(let dictionary, let id):
      _ = try keyBytes.take(1, "dictionary")
      try keyBytes.big(1, "dictionary") { "\($0) \(dictionary)" }
      try keyBytes.big(4, "id")
      try annotated.dictionaryEntry(dictionary)
      encoded = try value.withUnsafeBytes { try DictionaryEntry($0, dictionary, id: id) }.encode(
        dictionary, id: id)
    case .changeLog(let commit):
      _ = try keyBytes.take(1, "change log")
      try keyBytes.big(8, "commit")
      try annotated.changeLogEntry()
      encoded = try value.withUnsafeBytes { try ChangeLogEntry($0, commit: commit) }.encode(commit: commit)
    case .consumer, .purge, .staging, .aggregate, .deletedMessages, .deletedConversation, .indexBuild,
      .declaredIndex, .recordType, .record:
      throw AnnotationError(description: "nothing of this kind is in the store: \(object)")
    }
    #expect(encoded == value)
  }
}
