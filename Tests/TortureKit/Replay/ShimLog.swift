/// What the shim has recorded: every change below a directory, in order.
package struct ShimLog: Sendable {
  package enum Change: Sendable {
    /// Bytes of a file; durable at once where the descriptor syncs what it writes.
    case write(file: UInt64, offset: Int, bytes: Range<Int>, isDurable: Bool)
    case truncate(file: UInt64, size: Int)
    /// A file, or a directory, whose changes have been made durable.
    case sync(file: UInt64)
    /// A sync that the program was told has failed.
    case failedSync(file: UInt64)
    case create(String, file: UInt64)
    /// A file or directory that was there has been opened: this is its number.
    case know(String, file: UInt64)
    case rename(String, to: String)
    case unlink(String)
    case makeDirectory(String)
    case removeDirectory(String)
    /// What the program has said by then.
    case mark(String)
  }

  /// The log's file; ranges of changes are places in it.
  package let bytes: [UInt8]
  package private(set) var changes: [Change] = []

  package init(file: String, root: String) throws {
    bytes = try Files.read(file)
    var place = 0
    while place + 32 <= bytes.count {
      let operation = number(place + 4, 4)
      let (file, offset) = (UInt64(number(place + 8, 8)), number(place + 16, 8))
      let length = number(place + 24, 8)
      guard number(place, 4) == 0x7a11_feed else { throw TortureError("the log is damaged at \(place)") }
      let data = place + 32..<place + 32 + length
      guard data.upperBound <= bytes.count else { break }
      place = data.upperBound
      if let change = try change(operation, file, offset, data, root) { changes.append(change) }
    }
  }

  private func change(
    _ operation: Int, _ file: UInt64, _ offset: Int, _ data: Range<Int>, _ root: String
  ) throws -> Change? {
    let names = bytes[data].split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    func path(_ index: Int) -> String {
      String(names[index].dropFirst(root.utf8.count)).split(separator: "/").joined(separator: "/")
    }
    switch operation {
    case 1, 2: return .write(file: file, offset: offset, bytes: data, isDurable: operation == 2)
    case 3: return .sync(file: file)
    case 4: return .truncate(file: file, size: offset)
    case 5: return names.count > 2 ? .know(path(0), file: file) : .create(path(0), file: file)
    case 6: return .rename(path(0), to: path(1))
    case 7: return .unlink(path(0))
    case 8: return .makeDirectory(path(0))
    case 9: return .removeDirectory(path(0))
    case 10:
      return .mark(String(decoding: bytes[data].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    case 11: return .failedSync(file: file)
    default: throw TortureError("the log has an operation \(operation)")
    }
  }

  private func number(_ place: Int, _ count: Int) -> Int {
    (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }
}
