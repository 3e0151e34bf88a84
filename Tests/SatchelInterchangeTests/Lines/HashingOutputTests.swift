import SatchelBytes
import SatchelInterchange
import TestSupport
import Testing

@Suite struct HashingOutputTests {
  @Test func writesAndHashesEverything() throws {
    var random = SeededGenerator(for: "hashing output")
    for _ in 0..<TestEnvironment.rounds(50) {
      let file = try TemporaryFile()
      var output = HashingOutput(
        descriptor: file.descriptor, capacity: Int.random(in: 1...64, using: &random))
      var expected: [UInt8] = []
      for _ in 0..<Int.random(in: 0...30, using: &random) {
        let piece = (0..<Int.random(in: 0...100, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
        expected += piece
        try output.write(piece)
      }
      var hash = SHA256()
      hash.update(expected)
      #expect(output.digest() == hash.hexadecimalDigest())
      #expect(output.byteCount == expected.count)
      try output.flush()
      #expect(file.content() == expected)
    }
  }

  /// The memory of a short line serves the next one; a long one is the sink's, which may have given it to another thread.
  @Test func aLongLineIsTheSinks() throws {
    var pieces: [[UInt8]] = []
    var output = HashingOutput(capacity: 100) { pieces.append($0) }
    var line = [UInt8](repeating: 1, count: 99)
    line.reserveCapacity(200)
    try output.take(&line)
    #expect(line.isEmpty && line.capacity >= 200)
    line = [UInt8](repeating: 2, count: 100)
    try output.take(&line)
    #expect(line.isEmpty && line.capacity == 0)
    #expect(pieces.map(\.count) == [99, 100] && pieces[1].first == 2)
  }

  @Test func reportsAWriteError() {
    var output = HashingOutput(descriptor: -1)
    var caught: FileDescriptorError?
    do {
      try output.write([1])
      try output.flush()
    } catch {
      caught = error as? FileDescriptorError
    }
    #expect(caught?.operation == .write)
  }
}
