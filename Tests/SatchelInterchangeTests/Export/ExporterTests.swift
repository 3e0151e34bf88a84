import ChatGeneration
import SatchelBytes
import SatchelInterchange
import SatchelModel
import SatchelStorage
import Testing

@Suite struct ExporterTests {
  /// What an import takes and an export gives back, byte for byte: keys in order, defaults left out.
  static let lines: [String] = [
    #"{"kind":"identity","userID":"alice"}"#,
    #"{"kind":"identity","userID":"bob","displayName":"Bób","firstName":"B","lastName":"O","emailAddress":"b@example.org","phoneNumber":"+1","avatarURL":"https://example.org/b.png","metadata":{"a":{"b":"1","c":"2"},"d":"3"},"followed":true}"#,
    #"{"kind":"conversation","identifier":"c","participants":["alice","bob"],"createdAt":"2024-09-14T02:11:00.25Z","isDistinct":true,"metadata":{"title":"\"quoted\"\n"}}"#,
    #"{"kind":"conversation","identifier":"not alice's","participants":["bob"]}"#,
    #"{"kind":"conversation","identifier":"empty"}"#,
    #"{"kind":"message","identifier":"1","conversation":"c","sender":"bob","position":9223372036854775807,"sentAt":"0000-01-01T00:00:00Z","receivedAt":"9999-12-31T23:59:59.999999Z","isUnread":true,"parts":[{"mimeType":"text/plain","text":"Hi 👩‍👩‍👧"},{"mimeType":"image/png","base64":"iVBORw=="},{"mimeType":"video/mp4","url":"https://example.org/v.mp4","size":0},{"mimeType":"video/mp4","url":"https://example.org/v.mp4","transferStatus":"readyForDownload"}],"recipientStatus":{"alice":"read","zoë":"pending"},"metadata":{"k":"v"}}"#,
    #"{"kind":"message","identifier":"2","conversation":"not alice's","sender":"gone"}"#,
    #"{"kind":"message","identifier":"3","conversation":"c","sender":"alice","isSent":false,"parts":[{"mimeType":"text/plain","text":""}]}"#,
    #"{"kind":"announcement","identifier":"4","sender":"bob","position":-1,"isUnread":true,"parts":[{"mimeType":"text/plain","text":"All"}]}"#,
  ]

  @Test func givesBackWhatWasImported() throws {
    let store = try TemporaryStore()
    _ = try ImporterTests.run([ImporterTests.header] + Self.lines, into: store)
    let exported = try store.export()
    #expect(exported.first == ImporterTests.announcing)
    #expect(exported.dropFirst().dropLast() == Self.lines[...])
    #expect(
      exported.last?.hasPrefix(
        #"{"kind":"trailer","counts":{"identity":2,"conversation":3,"message":3,"announcement":1},"sha256":""#
      ) == true)
    #expect(try store.verify() == 0)
  }

  @Test func leavesDefaultsOutAndPutsKeysInOrder() throws {
    let store = try TemporaryStore()
    _ = try ImporterTests.run(
      [
        ImporterTests.header,
        #"{"metadata":{},"isDistinct":false,"participants":["b","a"],"identifier":"c","kind":"conversation"}"#,
        #"{"parts":[],"isSent":true,"isUnread":false,"sender":"a","conversation":"c","identifier":"m","kind":"message","metadata":{"b":{},"a":"1"},"recipientStatus":{"z":"sent","a":"sent"}}"#,
      ], into: store)
    #expect(
      try store.export().dropFirst().dropLast() == [
        #"{"kind":"conversation","identifier":"c","participants":["a","b"]}"#,
        #"{"kind":"message","identifier":"m","conversation":"c","sender":"a","recipientStatus":{"a":"sent","z":"sent"},"metadata":{"a":"1","b":{}}}"#,
      ])
  }

  /// Contents that are kept outside of their records come whole.
  @Test(arguments: [0, 1, 511, 512, 513, 2048, 2049, 4072, 70_000]) func contentsComeWhole(_ size: Int) throws
  {
    let text = String(repeating: "ä", count: size / 2) + String(repeating: "a", count: size % 2)
    var base64: [UInt8] = []
    Base64.encode((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }, into: &base64)
    let message =
      #"{"kind":"message","identifier":"m","conversation":"c","sender":"bob","parts":[{"mimeType":"text/plain","text":""#
      + text + #""},{"mimeType":"image/png","base64":""# + String(decoding: base64, as: UTF8.self) + #""}]}"#
    let store = try TemporaryStore()
    _ = try ImporterTests.run([ImporterTests.header, ImporterTests.conversation, message], into: store)
    #expect(try store.export()[2] == message)
  }

  /// A made-up chat of every feature comes through export and import unchanged, into a new store and an existing one.
  @Test func roundTripsAChat() throws {
    let store = try TemporaryStore()
    let file = try TemporaryFile()
    var chat: [UInt8] = []
    try ChatGenerator(messages: 3000, seed: 7).generate { chat += $0 }
    try ImporterTests.importBytes(chat, into: store, file)
    let first = try store.exportedBytes()

    let copy = try TemporaryStore()
    let second = try TemporaryFile()
    try ImporterTests.importBytes(first, into: copy, second)
    #expect(try copy.exportedBytes() == first)

    let staged = try TemporaryStore()
    _ = try ImporterTests.run([ImporterTests.header], into: staged)
    let third = try TemporaryFile()
    try ImporterTests.importBytes(first, into: staged, third)
    #expect(try staged.exportedBytes() == first)
    #expect(try staged.verify() == 0)
  }

  /// Every file that an export cut off anywhere would have left is refused.
  @Test func aCutOffFileIsRefused() throws {
    let store = try TemporaryStore()
    _ = try ImporterTests.run([ImporterTests.header] + Self.lines, into: store)
    let whole = try store.exportedBytes()
    for length in stride(from: 1, to: whole.count - 1, by: 97) {
      let target = try TemporaryStore()
      let file = try TemporaryFile()
      #expect(throws: Importer.Failure.self) {
        try ImporterTests.importBytes(Array(whole[..<length]), into: target, file)
      }
      #expect(!target.exists)
    }
  }
}

extension ImporterTests {
  /// Imports bytes by way of a file.
  static func importBytes(_ bytes: [UInt8], into store: TemporaryStore, _ file: borrowing TemporaryFile)
    throws
  {
    try file.fill(bytes)
    _ = try Importer(.descriptor(file.descriptor)).run(into: store.path, user: "alice")
  }
}
