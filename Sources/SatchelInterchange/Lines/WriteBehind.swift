internal import StoreFiles

/// Writes to a file descriptor on a thread of its own, while the caller goes on.
///
/// A write to a pipe or a terminal takes as long as its reader likes. A caller that waited for it might hold a
/// snapshot meanwhile, for which the store grows. Here only the thread waits. The caller goes on until a bounded
/// number of bytes is unwritten, and may give up then. The bytes that are left can be written after the snapshot has
/// ended.
package final class WriteBehind: Sendable {
  private struct Shelf: Sendable {
    var pieces: [[UInt8]] = []
    /// How many bytes are unwritten, including the piece that is being written.
    var bytes = 0
    var written = 0
    var failure: FileDescriptorError?
    var isEnding = false
  }

  /// How many bytes may be unwritten by default.
  package static let defaultCapacity = 8 << 20

  private let descriptor: Int32
  private let capacity: Int
  private let shelf = Monitor(Shelf())
  private let hasThread: Bool

  /// - Parameters:
  ///   - descriptor: An open file; writing begins at its current offset. It has to stay open until `drain` has
  ///     returned.
  ///   - capacity: How many bytes may be unwritten.
  package init(_ descriptor: Int32, capacity: Int = defaultCapacity) {
    self.descriptor = descriptor
    self.capacity = capacity
    let shelf = shelf
    hasThread = BackgroundThread.start { Self.serve(descriptor, shelf) }
  }

  deinit { end() }

  /// Takes bytes to be written. While too many are unwritten, waits for the reader of the file and calls `check`
  /// every tenth of a second.
  /// - Parameter check: Called with the number of bytes written so far. If it throws, the waiting ends and nothing is
  ///   taken.
  /// - Throws: The system's error of an earlier write, or what `check` throws.
  package func write(_ bytes: [UInt8], whileWaiting check: (_ written: Int) throws -> Void) throws {
    guard !bytes.isEmpty else { return }
    guard hasThread else { return try FileDescriptor.write(descriptor, bytes[...]) }
    while true {
      let capacity = capacity
      let written: Int? = try shelf.locked(
        when: { $0.failure != nil || $0.bytes < capacity }, until: deadline(afterSeconds: 0.1)
      ) { shelf, isReady throws(FileDescriptorError) in
        if let failure = shelf.failure { throw failure }
        guard isReady else { return shelf.written }
        shelf.pieces.append(bytes)
        shelf.bytes += bytes.count
        return nil
      }
      guard let written else { return shelf.notify() }
      try check(written)
    }
  }

  /// How many bytes were written so far.
  package var written: Int { shelf.locked { $0.written } }

  /// Returns when everything is written, however long the reader takes.
  /// - Throws: The system's error of a write.
  package func drain() throws(FileDescriptorError) {
    try shelf.locked(when: { $0.failure != nil || $0.bytes == 0 }) { shelf, _ throws(FileDescriptorError) in
      if let failure = shelf.failure { throw failure }
    }
  }

  /// Lets the thread end. What it has not begun to write is lost.
  package func end() {
    shelf.locked {
      $0.isEnding = true
      $0.pieces = []
    }
    shelf.notify()
  }

  private static func serve(_ descriptor: Int32, _ shelf: Monitor<Shelf>) {
    while true {
      let piece: [UInt8]? = shelf.locked(when: { !$0.pieces.isEmpty || $0.isEnding }) { shelf, _ in
        shelf.pieces.isEmpty ? nil : shelf.pieces.removeFirst()
      }
      guard let piece else { return }
      var start = 0
      while start < piece.count {
        let part = piece[start..<min(piece.count, start + pieceLength)]
        do {
          try FileDescriptor.write(descriptor, part)
        } catch {
          shelf.locked {
            $0.failure = error
            $0.isEnding = true
            $0.pieces = []
          }
          return shelf.notify()
        }
        start = part.endIndex
        shelf.locked {
          $0.bytes -= part.count
          $0.written += part.count
        }
        shelf.notify()
      }
    }
  }

  /// How many bytes are written at once: about what a pipe holds, so that it soon shows whether the reader reads.
  private static let pieceLength = 64 << 10
}
