import ChatGeneration
import SatchelLines
import TestSupport
import Testing

/// Lines of ordinary messages are read at once, others by way of JSON values: both have to say the same.
@Suite struct OrdinaryMessageTests {
  /// What is read of a line: the record and the number of unknown keys, or that it is refused.
  private static func outcome(_ line: [UInt8]) -> (line: InterchangeLine?, unknownKeys: Int) {
    var decoder = RecordDecoder()
    let line = try? decoder.decode(line)
    return (line, decoder.unknownKeys)
  }

  /// A line that begins with white space is not ordinary.
  private static func check(_ line: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
    let atOnce = outcome(line)
    let asJSON = outcome([0x20] + line)
    #expect(
      atOnce.line == asJSON.line && atOnce.unknownKeys == asJSON.unknownKeys,
      "\(String(decoding: line, as: UTF8.self))", sourceLocation: sourceLocation)
  }

  private static func lines(_ count: Int, seed: UInt64) throws -> [[UInt8]] {
    var bytes: [UInt8] = []
    try ChatGenerator(messages: count, seed: seed).generate { bytes += $0 }
    return bytes.split(separator: UInt8(ascii: "\n")).map(Array.init)
  }

  @Test func generatedLinesAreTheSameEitherWay() throws {
    var random = SeededGenerator()
    for line in try Self.lines(500, seed: random.next()) { Self.check(line) }
  }

  @Test func changedLinesAreTheSameEitherWay() throws {
    var random = SeededGenerator()
    let lines = try Self.lines(300, seed: random.next())
    let pieces = [
      "null", "true", "[]", "{}", "\"\"", "\"text\":\"x\",", "\"kind\":\"message\",", "-1", "1.0", "\\u0041",
      "\\ud800",
      ",", " ", "\"size\":3,", "\"url\":\"u\",", "\"isUnread\":false,", "\"other\":1,", "\"text\":null,", "é",
    ].map { Array($0.utf8) }
    for _ in 0..<TestEnvironment.rounds(5000) {
      var line = random.pick(lines)
      for _ in 0...random.below(2) {
        let place = random.below(line.count)
        switch random.below(4) {
        case 0: line[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: line.removeSubrange(place..<min(line.count, place + 1 + random.below(12)))
        case 2: line.insert(contentsOf: random.pick(pieces), at: place)
        default:
          // Where a value or a key begins.
          let places = line.indices.filter { line[$0] == UInt8(ascii: ":") || line[$0] == UInt8(ascii: "{") }
          if !places.isEmpty { line.insert(contentsOf: random.pick(pieces), at: random.pick(places) + 1) }
        }
        if line.isEmpty { line = [0x7B] }
      }
      // A line that begins with white space already says nothing.
      if line[0] == UInt8(ascii: "{") { Self.check(line) }
    }
  }

  @Test(arguments: [
    #"{"kind":"message","identifier":"m","conversation":"c","sender":"s","kind":"message"}"#,
    #"{"kind":"message","identifier":"m","conversation":"c","sender":"s","parts":[{"mimeType":"a/b","text":"x","url":"y"}]}"#,
    #"{"kind":"message","identifier":"m","conversation":"c","sender":"s","parts":[{"mimeType":"a/b","text":"x","size":1}]}"#,
    #"{"kind":"message","identifier":"m","conversation":"c","sender":"s","parts":[{"mimeType":"a/b","url":"x","size":-1}]}"#,
    #"{"kind":"message","identifier":"m","conversation":"c","sender":"s","recipientStatus":{"a":"read","a":"sent"}}"#,
    #"{"kind":"message","identifier":"m","conversation":"c","sender":"s","recipientStatus":{"a":null,"b":"sent"}}"#,
    #"{"kind":"message","identifier":"m","conversation":"c","sender":"s","metadata":{"a":{"b":"c"},"d":null}}"#,
    #"{"kind":"message","identifier":"m","conversation":"c","sender":"s","metadata":null,"isSent":null,"position":null}"#,
    #"{"kind" : "message" , "identifier":"m","conversation":"c","sender":"s", "parts":[ ] , "recipientStatus":{ } } "#,
    #"{"k\u0069nd":"message","identifier":"\n","conversation":"c","sender":"s","position":1e3}"#,
    #"{"identifier":"m","conversation":"c","sender":"s"}"#,
    #"{"kind":"message","identifier":"m","sender":"s"}"#,
    #"{"kind":"announcement","identifier":"m","conversation":"c","sender":"s"}"#, "{}", "{",
  ])
  func otherLinesAreTheSameEitherWay(_ line: String) { Self.check(Array(line.utf8)) }
}
