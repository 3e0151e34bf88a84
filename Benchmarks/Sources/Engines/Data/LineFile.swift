import Foundation

/// A file of the interchange format.
public struct LineFile: Sendable {
  public let path: String

  public init(_ path: String) { self.path = path }

  /// Calls `body` with each record, in the order of the lines, in memory that does not grow with the file. A record whose
  /// identifier an engine refuses is that engine's business.
  public func forEachRecord(_ body: (LineRecord) throws -> Void) throws {
    try forEachLine { if let record = try LineRecord(line: $0) { try body(record) } }
  }

  /// Calls `body` with each line that has something in it, without its line feed.
  func forEachLine(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: path]) }
    defer { close(descriptor) }
    var buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 20)
    defer { buffer.deallocate() }
    var filled = 0
    while true {
      let count = read(descriptor, buffer.baseAddress! + filled, buffer.count - filled)
      guard count >= 0 else { throw CocoaError(.fileReadUnknown, userInfo: [NSFilePathErrorKey: path]) }
      filled += count
      var start = 0
      while let end = Self.lineFeed(in: buffer, from: start, to: filled)
        ?? (count == 0 && start < filled ? filled : nil)
      {
        if end > start { try body(UnsafeBufferPointer(rebasing: buffer[start..<end])) }
        start = min(end + 1, filled)
      }
      if count == 0 { return }
      memmove(buffer.baseAddress!, buffer.baseAddress! + start, filled - start)
      filled -= start
      if filled == buffer.count {
        let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: buffer.count * 2)
        memcpy(larger.baseAddress!, buffer.baseAddress!, filled)
        buffer.deallocate()
        buffer = larger
      }
    }
  }

  private static func lineFeed(
    in buffer: UnsafeMutableBufferPointer<UInt8>, from start: Int, to end: Int
  ) -> Int? {
    guard start < end, let found = memchr(buffer.baseAddress! + start, 0x0A, end - start) else { return nil }
    return found - UnsafeMutableRawPointer(buffer.baseAddress!)
  }
}
