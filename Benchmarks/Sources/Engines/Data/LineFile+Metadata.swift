import Foundation

extension LineFile {
  /// Writes the lines to another file, with other metadata in each message.
  /// - Parameter metadata: The JSON object for the message of a number, from 0 on.
  func write(to path: String, withMetadata metadata: (Int) -> String) throws {
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    // Numbers in metadata need this version of the format.
    var buffer = Data(#"{"kind":"header","format":"satchel-interchange","version":2}"#.utf8)
    buffer.append(UInt8(ascii: "\n"))
    var count = 0
    try forEachLine { line in
      if line.starts(with: Self.header) { return }
      if line.starts(with: Self.message) {
        let rest = try Self.metadata(of: line)
        buffer.append(contentsOf: line[..<rest.lowerBound])
        buffer.append(contentsOf: line[rest.upperBound...].dropLast())
        buffer.append(contentsOf: #","metadata":\#(metadata(count))}"#.utf8)
        count += 1
      } else {
        buffer.append(contentsOf: line)
      }
      buffer.append(UInt8(ascii: "\n"))
      if buffer.count > 1 << 20 {
        try file.write(contentsOf: buffer)
        buffer.removeAll(keepingCapacity: true)
      }
    }
    try file.write(contentsOf: buffer)
    try file.close()
  }

  /// Where the metadata of a line are, with the comma and the key before them; an empty range where there are none.
  private static func metadata(of line: UnsafeBufferPointer<UInt8>) throws -> Range<Int> {
    // Inside a text a quotation mark has a backslash before it.
    guard let start = line.firstRange(of: key) else { return 0..<0 }
    var scanner = JSONScanner(UnsafeBufferPointer(rebasing: line[start.upperBound...]))
    try scanner.skip()
    return start.lowerBound..<start.upperBound + scanner.place
  }

  private static let key = Array(#","metadata":"#.utf8)
  private static let header = Array(#"{"kind":"header""#.utf8)
  private static let message = Array(#"{"kind":"message""#.utf8)
}
