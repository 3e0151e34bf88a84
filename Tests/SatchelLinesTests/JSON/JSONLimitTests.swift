import SatchelLines
import SatchelModel
import Testing

/// What a line may make the reader keep, and what it costs.
@Suite struct JSONLimitTests {
  private func decode(_ line: String) throws -> (record: InterchangeLine, unknown: Int) {
    var decoder = RecordDecoder()
    let record = try decoder.decode(Array(line.utf8))
    return (record, decoder.unknownKeys)
  }

  /// Values that nobody looks at, at every place where the format may grow.
  @Test(arguments: [
    "null", "[1,[2,{}],\"\\u00e9\\n\",{\"a\":{\"a\":[]}}]", "{\"userID\":\"x\",\"metadata\":{\"a\":1}}",
    "-1.5e300",
    "\"\\ud83d\\ude00 ü\"", "[[],{\"\":\"\"},true,false]",
  ])
  func unknownKeysArePassedOver(_ value: String) throws {
    let known: InterchangeLine = try decode(#"{"kind":"identity","userID":"u","displayName":"n"}"#).record
    let line = "{\"x\":\(value),\"kind\":\"identity\",\"userID\":\"u\",\"y\":\(value),\"displayName\":\"n\"}"
    let (record, unknown) = try decode(line)
    #expect(record == known)
    #expect(unknown == 2)
    let part = "{\"mimeType\":\"a/b\",\"z\":\(value),\"text\":\"t\"}"
    let message =
      "{\"kind\":\"message\",\"identifier\":\"m\",\"conversation\":\"c\",\"sender\":\"s\",\"parts\":[\(part)]}"
    #expect(try decode(message).unknown == 1)
    let update = "{\"kind\":\"update\",\"message\":\"m\",\"set\":{\"position\":1,\"w\":\(value)}}"
    #expect(try decode(update).unknown == 1)
  }

  @Test func whatIsPassedOverIsJSON() {
    for value in [
      "[1,]", "{\"a\"}", "{\"a\":1,}", "{a:1}", "\"\u{7}\"", "\"\\x\"", "\"\\ud800\"", "\"open", "tru", "01",
      "[", "{\"a\":",
      "1 2", String(repeating: "[", count: 67) + String(repeating: "]", count: 67),
    ] {
      let error = #expect(throws: LineError.self) {
        try decode("{\"kind\":\"identity\",\"userID\":\"u\",\"x\":\(value)}")
      }
      #expect(error?.reason.hasPrefix("not JSON: column ") == true, "\(value)")
    }
    var bytes = Array(#"{"kind":"identity","userID":"u","x":"a"}"#.utf8)
    bytes[bytes.count - 3] = 0xFF
    var decoder = RecordDecoder()
    #expect(throws: LineError.self) { try decoder.decode(bytes) }
  }

  /// Three million values under a key that nobody looks at take nothing; so many that are kept are too many.
  @Test func aLineKeepsSoManyValuesAtMost() throws {
    let many = Array(repeating: "[1]", count: 1_500_000).joined(separator: ",")
    #expect(try decode("{\"kind\":\"identity\",\"userID\":\"u\",\"x\":[\(many)]}").unknown == 1)
    let error = #expect(throws: LineError.self) {
      try decode("{\"kind\":\"conversation\",\"identifier\":\"c\",\"participants\":[\(many)]}")
    }
    #expect(error?.reason.contains("no more than 1048576 values") == true, "\(error?.reason ?? "")")
    let keys = (0..<1_100_000).map { "\"\($0)\":0" }.joined(separator: ",")
    #expect(throws: LineError.self) { try decode("{\"kind\":\"identity\",\"userID\":\"u\",\(keys)}") }
  }

  /// 300,000 keys that descend, 100,000 participants, 100,000 recipients: as many as are wanted, in their order.
  @Test func manyOfEverythingThatMayBeMany() throws {
    let keys = (0..<300_000).reversed().map { "\"k\(1_000_000 + $0)\":\"v\"" }.joined(separator: ",")
    guard
      case .record(.identity(let identity)) = try decode(
        "{\"kind\":\"identity\",\"userID\":\"u\",\"metadata\":{\(keys)}}"
      ).record
    else { throw CancellationError() }
    #expect(identity.metadata.entries.count == 300_000)
    #expect(identity.metadata.entries.first?.key == "k1000000")
    try identity.metadata.validate()
    let users = (0..<100_000).map { "\"u\($0)\"" }.joined(separator: ",")
    guard
      case .record(.conversation(let draft)) = try decode(
        "{\"kind\":\"conversation\",\"identifier\":\"c\",\"participants\":[\(users)]}"
      ).record
    else { throw CancellationError() }
    #expect(draft.participants.count == 100_000)
  }

  /// Keys and names that are compared with ours, made of what takes long to compare in its canonical form.
  @Test func longRunsOfMarksInNames() throws {
    let marks = String(repeating: "\u{301}\u{316}", count: 50_000)
    let line = "{\"kind\":\"identity\",\"userID\":\"u\",\"userID\(marks)\":1,\"kind\(marks)\":2}"
    #expect(try decode(line).unknown == 2)
    #expect(throws: LineError.self) { try decode("{\"kind\":\"identity\(marks)\",\"userID\":\"u\"}") }
    #expect(throws: LineError.self) {
      try decode(
        "{\"kind\":\"message\",\"identifier\":\"m\",\"conversation\":\"c\",\"sender\":\"s\",\"recipientStatus\":{\"u\":\"read\(marks)\"}}"
      )
    }
    guard
      case .trailer(let trailer) = try decode(
        "{\"kind\":\"trailer\",\"counts\":{\"identity\(marks)\":1,\"identity\":2}}"
      ).record
    else { throw CancellationError() }
    #expect(trailer.counts?.count == 2)
  }
}
