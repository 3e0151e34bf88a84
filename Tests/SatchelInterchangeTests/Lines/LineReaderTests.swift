import SatchelBytes
import SatchelInterchange
import TestSupport
import Testing

@Suite struct LineReaderTests {
  /// A line with its number and the bytes up to its end.
  struct Line: Equatable {
    let text: String
    let number: Int
    let byteCount: Int
  }

  private static func lines(
    of text: String, limit: Int = 1_000, bufferSize: Int, hashingOnDemand: Bool = false
  ) throws -> (lines: [Line], tooLong: [Int], digests: [String?]) {
    let file = try TemporaryFile(Array(text.utf8))
    var reader = LineReader(.descriptor(file.descriptor), limit: limit, bufferSize: bufferSize)
    if hashingOnDemand { reader.hashOnDemand() }
    var line: [UInt8] = []
    var result: (lines: [Line], tooLong: [Int], digests: [String?]) = ([], [], [])
    while true {
      do {
        guard try reader.next(into: &line) else { return result }
        let text = String(decoding: line, as: UTF8.self)
        result.lines.append(Line(text: text, number: reader.lineNumber, byteCount: reader.byteCount))
        result.digests.append(try reader.digestBeforeLine())
      } catch let error as LineReader.LineTooLong {
        #expect(error.limit == limit)
        #expect(error.line == reader.lineNumber)
        result.tooLong.append(error.line)
      }
    }
  }

  @Test(arguments: [1, 2, 3, 7, 1_024]) func edges(_ bufferSize: Int) throws {
    func lines(_ text: String) throws -> [Line] { try Self.lines(of: text, bufferSize: bufferSize).lines }
    #expect(try lines("") == [])
    #expect(try lines("\n\n\r\n") == [])
    #expect(try lines("a") == [Line(text: "a", number: 1, byteCount: 1)])
    #expect(try lines("a\n") == [Line(text: "a", number: 1, byteCount: 2)])
    #expect(
      try lines("a\r\n\n\r\nbc\r\nd\r") == [
        Line(text: "a", number: 1, byteCount: 3), Line(text: "bc", number: 4, byteCount: 10),
        Line(text: "d", number: 5, byteCount: 12),
      ])
    #expect(try lines("\r\r\n") == [Line(text: "\r", number: 1, byteCount: 3)])
    #expect(try lines(" \n") == [Line(text: " ", number: 1, byteCount: 2)])
  }

  @Test(arguments: [1, 4, 64]) func goesOnAfterALongLine(_ bufferSize: Int) throws {
    let text =
      "12345\n" + "123456\n" + "12345\r\n" + String(repeating: "x", count: 100) + "\nend\n" + "1234567"
    let result = try Self.lines(of: text, limit: 5, bufferSize: bufferSize)
    #expect(result.lines.map(\.text) == ["12345", "12345", "end"])
    #expect(result.lines.map(\.number) == [1, 3, 5])
    #expect(result.lines.map(\.byteCount) == [6, 20, 125])
    #expect(result.tooLong == [2, 4, 6])
    #expect(result.digests.last == Self.digest(of: text.unicodeScalars.prefix(121)))
  }

  @Test func hashesWhatComesBeforeALine() throws {
    var random = SeededGenerator(for: "line digests")
    for _ in 0..<TestEnvironment.rounds(200) {
      let pieces = ["a", "bcd", "\n", "\n", "\r\n", "é"]
      let text = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }
      .joined()
      let result = try Self.lines(
        of: text, bufferSize: Int.random(in: 1...40, using: &random),
        hashingOnDemand: Bool.random(using: &random))
      let expected = Self.model(text)
      #expect(result.lines.map(\.text) == expected.map(\.text))
      #expect(result.digests == expected.map { Self.digest(of: $0.before) })
    }
  }

  @Test func hashesOnlyIfAsked() throws {
    let file = try TemporaryFile(Array("a\nb\n".utf8))
    var reader = LineReader(.descriptor(file.descriptor), hashes: false)
    var line: [UInt8] = []
    #expect(try reader.next(into: &line))
    #expect(try reader.digestBeforeLine() == nil)
  }

  @Test func reportsAReadError() {
    var reader = LineReader(.descriptor(-1))
    var line: [UInt8] = []
    var caught: FileDescriptorError?
    do {
      _ = try reader.next(into: &line)
    } catch {
      caught = error as? FileDescriptorError
    }
    #expect(caught?.operation == .read)
    #expect(caught?.description.hasPrefix("cannot read: ") == true)
  }

  /// The lines of a text and what stands before each, in the plainest way.
  private static func model(_ text: String) -> [(text: String, before: Substring.UnicodeScalarView)] {
    var result: [(text: String, before: Substring.UnicodeScalarView)] = []
    let scalars = text.unicodeScalars
    var start = scalars.startIndex
    while start < scalars.endIndex {
      let end = scalars[start...].firstIndex(of: "\n") ?? scalars.endIndex
      var content = scalars[start..<end]
      if content.last == "\r" { content.removeLast() }
      if !content.isEmpty { result.append((String(content), scalars[..<start])) }
      start = end < scalars.endIndex ? scalars.index(after: end) : end
    }
    return result
  }

  private static func digest(of text: Substring.UnicodeScalarView) -> String {
    var hash = SHA256()
    hash.update(Array(String(text).utf8))
    return hash.hexadecimalDigest()
  }
}
