import Foundation
import Satchel
import SatchelInterchange
import SatchelLines
import SatchelModel
import SatchelStorage
import Testing

/// INTERCHANGE.md specifies what the code reads and writes.
struct InterchangeDocumentTests {
  /// A line of each kind, or a line around an object of it, with the keys that must be there: what stands before the
  /// object's keys, these keys, and what stands after.
  private static let smallest:
    [(kind: String, before: String, members: [(key: String, value: String)], after: String)] =
      [
        (
          "header", "{",
          [("kind", #""header""#), ("format", #""satchel-interchange""#), ("version", "1")], "}"
        ),
        ("identity", "{", [("kind", #""identity""#), ("userID", #""u""#)], "}"),
        ("conversation", "{", [("kind", #""conversation""#), ("identifier", #""c""#)], "}"),
        (
          "message", "{",
          [
            ("kind", #""message""#), ("identifier", #""m""#), ("conversation", #""c""#), ("sender", #""u""#),
          ], "}"
        ),
        (
          "announcement", "{",
          [("kind", #""announcement""#), ("identifier", #""m""#), ("sender", #""u""#)], "}"
        ),
        (
          "part", #"{"kind":"announcement","identifier":"m","sender":"u","parts":[{"#,
          [("mimeType", #""text/plain""#), ("text", #""t""#)], "}]}"
        ),
        ("update", "{", [("kind", #""update""#), ("message", #""m""#)], "}"),
        ("set of a message", #"{"kind":"update","message":"m","set":{"#, [], "}}"),
        ("set of a conversation", #"{"kind":"update","conversation":"c","set":{"#, [], "}}"),
        ("set of an identity", #"{"kind":"update","identity":"u","set":{"#, [], "}}"),
        ("set of a record", #"{"kind":"update","record":["t","r"],"set":{"#, [], "}}"),
        ("recordType", "{", [("kind", #""recordType""#), ("name", #""t""#)], "}"),
        ("record", "{", [("kind", #""record""#), ("type", #""t""#), ("identifier", #""r""#)], "}"),
        ("metadata of an update", #"{"kind":"update","message":"m","metadata":{"#, [], "}}"),
        ("delete", "{", [("kind", #""delete""#), ("message", #""m""#)], "}"),
        (
          "index", "{",
          [
            ("kind", #""index""#), ("name", #""n""#), ("from", #""messages""#),
            ("columns", #"["sentAt"]"#),
          ], "}"
        ),
        ("trailer", "{", [("kind", #""trailer""#)], "}"),
      ]

  /// Whether the decoder takes a line, and passes over none of its keys.
  private static func isKnown(_ line: String) -> Bool {
    var decoder = RecordDecoder()
    guard (try? decoder.decode(Array(line.utf8))) != nil else { return false }
    return decoder.unknownKeys == 0
  }

  private static func line(_ before: String, _ members: [(key: String, value: String)], _ after: String)
    -> String
  {
    before + members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + after
  }

  /// The tables have the keys that the decoder knows, and no others.
  @Test func theKeysAreThoseOfTheDecoder() throws {
    let document = try InterchangeDocument().keys()
    #expect(Set(document.keys) == Set(Self.smallest.map(\.kind)))
    let everywhere = RecordDecoder.keys.union(document.values.flatMap { $0.map(\.name) })
    for (kind, before, members, after) in Self.smallest {
      #expect(Self.isKnown(Self.line(before, members, after)), "\(kind)")
      let known = everywhere.filter { key in
        members.contains { $0.key == key }
          || Self.isKnown(Self.line(before, members + [(key, "null")], after))
      }
      #expect(Set(document[kind, default: []].map(\.name)) == known, "\(kind)")
      #expect(document[kind]?.count == known.count, "\(kind): a key stands in the table twice")
    }
    // A key that no kind of line has would be kept in vain, or is one that the smallest lines above leave out.
    #expect(everywhere == Set(document.values.flatMap { $0.map(\.name) }))
  }

  /// A line without one of the keys that must be there is refused, and one without any other is not.
  @Test func theKeysThatMustBeThereAreThoseOfTheDecoder() throws {
    let document = try InterchangeDocument().keys()
    for (kind, before, members, after) in Self.smallest {
      // Of these an object needs one of several, of which none is needed by itself.
      let alternatives = ["part": "text", "update": "message", "delete": "message"]
      for key in try #require(document[kind]) where key.name != alternatives[kind] {
        let others = members.filter { $0.key != key.name }
        #expect(key.isRequired == (others.count < members.count), "\(kind).\(key.name)")
        #expect(Self.isKnown(Self.line(before, others, after)) == !key.isRequired, "\(kind).\(key.name)")
      }
    }
  }

  @Test func theExamplesAreTaken() throws {
    let document = try InterchangeDocument()
    let directory = try ScratchDirectory()
    let store = try MessageStore(path: directory.path + "/store", user: "alice")
    defer { store.close() }
    let whole = document.example("whole")
    let first = try store.importLines(from: .bytes(whole))
    #expect(first.identities == 2 && first.messages == 2 && first.announcements == 1)
    #expect(first.unknownKeys == 0)
    var exported: [UInt8] = []
    try store.export(to: { exported += $0 })
    #expect(String(decoding: exported, as: UTF8.self) == String(decoding: whole, as: UTF8.self))

    for (line, reason) in document.refusedLines() {
      let file = #"{"kind":"header","format":"satchel-interchange","version":1}"# + "\n" + line
      let error = #expect(throws: SatchelError.self, "\(line)") {
        try store.importLines(from: .bytes(file.utf8))
      }
      #expect(error?.code == .rejectedLine && error?.context["line"] == "2", "\(line)")
      #expect(error?.context["reason"] == reason, "\(line)")
    }
    #expect(document.refusedLines().count > 5)

    let other = try MessageStore(path: directory.path + "/other", user: "alice")
    defer { other.close() }
    let typed = document.example("typed")
    _ = try other.importLines(from: .bytes(typed))
    exported = []
    try other.export(to: { exported += $0 })
    #expect(String(decoding: exported, as: UTF8.self) == String(decoding: typed, as: UTF8.self))
    #expect(try other.identity("bob")?.metadata.value(at: "score") == -12)

    let third = try MessageStore(path: directory.path + "/third", user: "alice")
    defer { third.close() }
    let declared = document.example("declared")
    #expect(try third.importLines(from: .bytes(declared)).indexes == 2)
    exported = []
    try third.export(to: { exported += $0 })
    #expect(String(decoding: exported, as: UTF8.self) == String(decoding: declared, as: UTF8.self))
    #expect(try third.indexes().map(\.index.name) == ["tickets", "by tag"])

    let records = try third.importLines(from: .bytes(document.example("records")))
    #expect(records.records == 2 && records.recordTypes == 2 && records.unknownKeys == 0)
    #expect(records.updates == 1 && records.deletions == 1)
    let task = try #require(try third.record(Record.ID(type: "todo", name: "write")))
    #expect(task["title"] == "Write more" && task["order"] == nil && task.updatedBy == "alice")
    // Its list is gone.
    #expect(task["list"] == nil)

    let second = try store.importLines(from: .bytes(document.example("changes")))
    #expect(second.updates == 4 && second.deletions == 1 && second.messages == 1 && second.unknownKeys == 0)
    let conversation = try store.first(Conversation.all)
    #expect(conversation?.metadata["title"] == "Brunch" && conversation?.metadata["theme.color"] == nil)
  }

  @Test func theLimitsAreThoseOfTheCode() throws {
    let limits = try InterchangeDocument().limits()
    let parts = try #require(limits["parts of a message"])
    #expect(
      limits == [
        "bytes of a line, without its end": LineReader.formatLimit,
        "objects and arrays inside one another in a line": Metadata.maximumDepth + 2,
        "values of a line that are kept": LineReader.formatValues,
        "dictionaries of metadata inside one another": Metadata.maximumDepth,
        "bytes of a key of metadata": Metadata.maximumKeyBytes,
        "bytes of a value of metadata": Metadata.maximumValueBytes,
        "parts of a message": parts,
      ])

    let directory = try ScratchDirectory()
    let store = try MessageStore(path: directory.path + "/store", user: "alice")
    defer { store.close() }
    let part = #"{"mimeType":"text/plain","text":""}"#
    let lines = [
      #"{"kind":"header","format":"satchel-interchange","version":1}"#,
      Self.announcement(parts: Array(repeating: part, count: parts)),
      Self.announcement(parts: Array(repeating: part, count: parts + 1)),
    ]
    let error = #expect(throws: SatchelError.self) {
      try store.importLines(from: .bytes(lines.joined(separator: "\n").utf8))
    }
    #expect(error?.context["line"] == "3")
  }

  private static func announcement(parts: [String]) -> String {
    #"{"kind":"announcement","identifier":"\#(parts.count)","sender":"u","parts":[\#(parts.joined(separator: ","))]}"#
  }
}
