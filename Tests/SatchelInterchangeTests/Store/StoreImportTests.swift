import Foundation
import Satchel
import SatchelInterchange
import Testing

/// Lines that a program imports into a store that it has open.
@Suite struct StoreImportTests {
  enum Kind: CaseIterable { case file, descriptor, bytes, pieces, oddPieces }

  /// Every source gives the same lines, and a progress that grows to its end.
  @Test(arguments: Kind.allCases) func takesLinesFromEverySource(_ kind: Kind) throws {
    let chat = try Chat()
    let bytes = Chat.bytes(Chat.lines())
    let file = try ScratchFile(bytes)
    let handle = try FileHandle(forReadingFrom: file.file)
    let source: MessageStore.ImportSource =
      switch kind {
      case .file: .file(file.file)
      case .descriptor: .descriptor(handle.fileDescriptor)
      case .bytes: .bytes(bytes)
      case .pieces: Self.pieces(of: bytes, 100_000)
      case .oddPieces: Self.pieces(of: bytes, 1009)
      }
    var steps: [MessageStore.ImportProgress] = []
    let report = try chat.store.importLines(from: source) { steps.append($0) }
    #expect(report.messages == 5000 && report.conversations == 1 && report.rejectedLineCount == 0)
    #expect(try chat.store.count(Message.all) == 5000)
    #expect(try chat.verify() == 0)

    #expect(steps.count > 3, "one for each transaction")
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.bytes <= $1.bytes && $0.lines <= $1.lines })
    #expect(steps.last?.bytes == bytes.count && steps.last?.totalBytes == bytes.count)
    #expect(steps.last?.lines == 5002)
    let isKnown = kind != .pieces && kind != .oddPieces
    #expect(steps.dropLast().allSatisfy { $0.totalBytes == (isKnown ? bytes.count : nil) })
  }

  /// An import obeys what the store takes, into one that is there as into a new one, and names the line, the path and the key.
  @Test func aStoreOfNamesTakesNoOtherKeys() throws {
    var options = MessageStore.Options()
    options.metadataKeys = .names
    let header = ImporterTests.header.replacing("\"version\":1", with: "\"version\":2")
    let chat = try Chat(options)
    for (line, keyPath, key) in [
      (#"{"kind":"identity","userID":"u","metadata":{"a":{"b c":1}}}"#, "a.'b c'", "'b c'"),
      (#"{"kind":"conversation","identifier":"d","metadata":{"a.b":"x"}}"#, "'a.b'", "'a.b'"),
      (
        #"{"kind":"message","identifier":"n","conversation":"c","sender":"bob","metadata":{"é":"x"}}"#, "'é'",
        "'é'"
      ),
      (#"{"kind":"update","conversation":"c","metadata":{"set":{"x.'y.z'":1}}}"#, "x.'y.z'", "'y.z'"),
      (#"{"kind":"update","conversation":"c","metadata":{"set":{"x":{"😀":{"k":1}}}}}"#, "x.'😀'", "'😀'"),
    ] {
      let lines = Chat.bytes([header, ImporterTests.conversation, line])
      let error = #expect(throws: SatchelError.self) { try chat.store.importLines(from: .bytes(lines)) }
      #expect(error?.code == .rejectedLine && error?.context["line"] == "3")
      #expect(
        error?.context["reason"]
          == "A metadata key of this store is 1 to 256 of A-Z a-z 0-9 _ -, a key path has 1 to 64 keys "
          + "(found: a key that is no name: \(key), keyPath: \(keyPath))")
      #expect(try chat.store.count(Conversation.all) == 0 && chat.exported().count < 400)
      let other = try Chat()
      #expect(try other.store.importLines(from: .bytes(lines)).conversations >= 1, "any store takes them")
    }
    // Another name for a key is no other key.
    try chat.store.importLines(
      from: .bytes(
        Chat.bytes([
          header, ImporterTests.conversation,
          #"{"kind":"update","conversation":"c","metadata":{"set":{"x.'y'":1},"remove":["'a.b'"]}}"#,
        ])))
    #expect(try chat.store.conversation("c")?.metadata == ["x": ["y": 1]])
  }

  /// What version 1 of the format lacks makes an export one of version 2.
  @Test(
    arguments: [(["a": ["b c": "x"]], 2), (["a": ["b-c_9": "x"]], 1), (["a.b": "x"], 2)] as [(Metadata, Int)])
  func theVersionOfAnExport(_ metadata: Metadata, _ version: Int) throws {
    let chat = try Chat()
    try chat.store.write { _ = try $0.createConversation(with: ["bob"], id: "c", metadata: metadata) }
    let lines = try chat.exported()
    #expect(
      String(decoding: lines, as: UTF8.self).hasPrefix(
        #"{"kind":"header","format":"satchel-interchange","version":\#(version)"#))
    let copy = try Chat()
    try copy.store.importLines(from: .bytes(lines))
    #expect(try copy.store.conversation("c")?.metadata == metadata)
  }

  /// What is deleted needs no version, also while its records are not removed yet.
  @Test func theVersionOfAnExportWithoutWhatIsDeleted() throws {
    let chat = try Chat()
    try chat.store.write { transaction in
      try transaction.createConversation(with: ["bob"], id: "c")
      try transaction.send([.text("x")], to: "c", metadata: ["a.b": 1])
    }
    #expect(try String(decoding: chat.exported(), as: UTF8.self).contains("\"version\":2"))
    try chat.store.write { try $0.delete(Conversation.ID("c")) }
    #expect(try String(decoding: chat.exported(), as: UTF8.self).contains("\"version\":1"))
  }

  /// A source that gives the bytes in pieces of a size, after an empty one.
  private static func pieces(of bytes: [UInt8], _ size: Int) -> MessageStore.ImportSource {
    let feed = Feed(bytes, size)
    return .pieces { feed.next() }
  }

  /// Only the thread that reads calls it.
  private final class Feed: @unchecked Sendable {
    private let bytes: [UInt8]
    private let size: Int
    private var start: Int?

    init(_ bytes: [UInt8], _ size: Int) {
      self.bytes = bytes
      self.size = size
    }

    func next() -> [UInt8]? {
      guard let start else {
        start = 0
        return []
      }
      guard start < bytes.count else { return nil }
      self.start = start + size
      return Array(bytes[start..<min(bytes.count, start + size)])
    }
  }

  /// Of keys that the format does not have, the report says how many there were, and names the first ten different ones.
  @Test func namesTheKeysThatItIgnores() throws {
    let chat = try Chat()
    let long = String(repeating: "k", count: 1000)
    var lines = [
      #"{"kind":"conversation","identifier":"c","participants":["alice"],"titel":"x","\#(long)":1}"#,
      #"{"kind":"update","conversation":"c","set":{"titel":"x","createdat":"x"},"metadata":{"merge":{}}}"#,
    ]
    for number in 0..<20 {
      lines.append(#"{"kind":"identity","userID":"u\#(number)","k\#(number)":1,"titel":""}"#)
    }
    let report = try chat.store.importLines(from: .bytes(Chat.bytes([ImporterTests.header] + lines)))
    #expect(report.unknownKeys == 45 && report.updates == 1)
    #expect(
      report.firstUnknownKeys.map { "\($0.name.utf8.count > 90 ? "long" : $0.name) \($0.line)" }
        == ["titel 2", "long 2", "merge 3", "createdat 3"] + (0..<6).map { "k\($0) \($0 + 4)" })
    #expect(report.firstUnknownKeys[1].name.utf8.count == 100)
  }

  @Test func givesBackWhatWasExported() throws {
    let first = try Chat()
    try first.store.importLines(from: .bytes(Chat.bytes([ImporterTests.header] + ExporterTests.lines)))
    let second = try Chat()
    let report = try second.store.importLines(from: .bytes(try first.exported()))
    #expect(report.identities == 2 && report.conversations == 3)
    #expect(report.messages == 3 && report.announcements == 1 && report.unknownKeys == 0)
    #expect(try second.exported() == first.exported())
    #expect(try second.verify() == 0)
  }

  /// The first line that cannot be taken is named, and nothing of the file is in the store.
  @Test(arguments: [
    (#"{"kind":"picture"}"#, #"unknown kind "picture""#),
    (
      #"{"kind":"message","identifier":"m7","conversation":"c","sender":"bob"}"#,
      "A message or announcement with that identifier is in the store already (message: m7)"
    ),
    (
      #"{"kind":"update","message":"x","set":{"isUnread":true}}"#,
      "No message or announcement has that identifier (message: x)"
    ),
  ])
  func namesTheLineThatEndsIt(_ line: String, _ reason: String) throws {
    let chat = try Chat()
    try chat.store.importLines(
      from: .bytes(Chat.bytes([ImporterTests.header, #"{"kind":"identity","userID":"u"}"#])))
    let before = try chat.exported()
    let file = try ScratchFile(Chat.bytes(Chat.lines() + [line]))
    let error = #expect(throws: SatchelError.self) { try chat.store.importLines(from: .file(file.file)) }
    #expect(error?.code == .rejectedLine)
    #expect(error?.context == ["line": "5003", "reason": reason, "path": file.file.path])
    #expect(try chat.exported() == before)
    #expect(try chat.verify() == 0)
    // What was staged is gone: the same lines can come again.
    #expect(try chat.store.importLines(from: .bytes(Chat.bytes(Chat.lines()))).messages == 5000)
  }

  /// Lines that are left out are counted, and the first hundred told.
  @Test func leavesLinesOut() throws {
    let chat = try Chat()
    let bad = (0..<150).map { _ in #"{"kind":"identity"}"# }
    let report = try chat.store.importLines(
      from: .bytes(Chat.bytes([ImporterTests.header] + bad + [ImporterTests.conversation])),
      skippingInvalid: true)
    #expect(report.conversations == 1 && report.rejectedLineCount == 150)
    #expect(report.rejectedLines.map(\.line) == Array(2...101))
    #expect(report.rejectedLines.allSatisfy { $0.reason == "userID is missing" })
  }

  @Test(arguments: [false, true]) func refusesAFileThatIsNotWhole(skippingInvalid: Bool) throws {
    let chat = try Chat()
    for lines in [[], [ImporterTests.announcing, ImporterTests.conversation]] {
      let error = #expect(throws: SatchelError.self) {
        try chat.store.importLines(from: .bytes(Chat.bytes(lines)), skippingInvalid: skippingInvalid)
      }
      #expect(error?.code == .incompleteFile)
      #expect(error?.context["reason"]?.isEmpty == false && error?.context["line"] == nil)
    }
    #expect(try chat.store.count(Conversation.all) == 0)
  }

  /// Whichever call of the progress throws, the store is as it was before, and the import can be made again.
  @Test func endsWhereItsProgressThrows() throws {
    let chat = try Chat()
    let before = try chat.exported()
    let bytes = Chat.bytes(Chat.lines())
    var calls = 0
    var last = 0
    while true {
      last += 1
      calls = 0
      do {
        try chat.store.importLines(from: .bytes(bytes)) { _ in
          calls += 1
          if calls == last { throw Refusal() }
        }
        break
      } catch is Refusal {
        #expect(try chat.exported() == before)
        #expect(try chat.verify() == 0)
      }
    }
    #expect(last > 4 && calls == last - 1)
    #expect(try chat.store.count(Message.all) == 5000)
  }

  /// The progress is called outside of transactions: it can read and write the store.
  @Test func theProgressMayUseTheStore() throws {
    let chat = try Chat()
    var seen: Set<Int> = []
    try chat.store.importLines(from: .bytes(Chat.bytes(Chat.lines()))) { progress in
      seen.insert(try chat.store.count(Message.all))
      try chat.store.write { try $0.createConversation(with: ["carol"]) }
    }
    #expect(seen == [0], "nothing is seen before the last commit")
    #expect(try chat.store.count(Message.all) == 5000)
    #expect(try chat.verify() == 0)
  }

  @Test func passesOnWhatItsSourceThrows() throws {
    let chat = try Chat()
    let begin = Chat.bytes(Chat.lines(messages: 10))
    let feed = Feed(begin, begin.count)
    #expect(throws: Refusal.self) {
      try chat.store.importLines(
        from: .pieces {
          guard let bytes = feed.next() else { throw Refusal() }
          return bytes
        })
    }
    #expect(try chat.exported() == Chat().exported())
    #expect(try chat.verify() == 0)
  }

  @Test func refusesWhereItCannotWrite() throws {
    let chat = try Chat()
    let lines = MessageStore.ImportSource.bytes(Chat.bytes(Chat.lines(messages: 1)))
    func code(_ body: () throws -> Void) -> SatchelError.Code? {
      #expect(throws: SatchelError.self, performing: body)?.code
    }
    #expect(
      code { try chat.store.read { _ in _ = try chat.store.importLines(from: lines) } } == .nestedTransaction)
    #expect(
      code { try chat.store.write { _ in _ = try chat.store.importLines(from: lines) } } == .nestedTransaction
    )
    #expect(code { try chat.store.importLines(from: .file(URL(fileURLWithPath: "/nowhere/at all"))) } == .io)
    #expect(code { try chat.store.importLines(from: .file(URL(fileURLWithPath: "/tmp"))) } == .io)
    #expect(code { try chat.store.importLines(from: .descriptor(-1)) } == .io)
    #expect(try chat.store.count(Conversation.all) == 0)
    chat.store.close()
    #expect(code { try chat.store.importLines(from: lines) } == .closed)

    var options = MessageStore.Options()
    options.isReadOnly = true
    let reading = try MessageStore(existingAt: chat.path, options: options)
    #expect(code { try reading.importLines(from: lines) } == .permissionDenied)
  }

  @Test func runsOffTheCallersThread() async throws {
    let chat = try Chat()
    let store = chat.store
    let report = try await store.importLines(from: .bytes(Chat.bytes(Chat.lines())))
    #expect(report.messages == 5000)

    let more = Chat.bytes([ImporterTests.header, #"{"kind":"identity","userID":"bob"}"#])
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await store.importLines(from: .bytes(more))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await store.count(Identity.all) == 0)
  }
}
