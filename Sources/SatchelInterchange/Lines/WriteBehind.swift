internal import LMDB

/// Writes to a file descriptor on a thread of its own, behind the one that has something to write.
///
/// A write to a pipe or a terminal lasts for as long as its reader likes, and the one who writes may be holding a snapshot
/// meanwhile, for which the store grows. Here only the thread waits; the other one goes on until a bounded amount is
/// behind, and may give up then. What is left can be written when the snapshot has gone.
package final class WriteBehind: Sendable {
  private struct Shelf: Sendable {
    var pieces: [[UInt8]] = []
    /// The bytes of the pieces, of the one being written too.
    var bytes = 0
    var written = 0
    var failure: FileDescriptorError?
    var isEnding = false
  }

  /// How many bytes may be behind, unless told otherwise.
  package static let defaultCapacity = 8 << 20

  private let descriptor: Int32
  private let capacity: Int
  private let shelf = Monitor(Shelf())
  private let hasThread: Bool

  /// - Parameters:
  ///   - descriptor: An open file, written from where it stands. It has to stay open until `drain` has returned.
  ///   - capacity: How many bytes may be behind.
  package init(_ descriptor: Int32, capacity: Int = defaultCapacity) {
    self.descriptor = descriptor
    self.capacity = capacity
    let shelf = shelf
    hasThread = BackgroundThread.start { Self.serve(descriptor, shelf) }
  }

  deinit { end() }

  /// Takes bytes. When too many are behind, waits for the reader of the file, and asks `check` every tenth of a second.
  /// - Parameter check: Given the bytes that were written so far; to throw ends the waiting, and nothing is taken then.
  /// - Throws: What the system has said of an earlier write, or what `check` throws.
  package func write(_ bytes: [UInt8], whileWaiting check: (_ written: Int) throws -> Void) throws {
    guard !bytes.isEmpty else { return }
    guard hasThread else { return try Self.write(bytes[...], to: descriptor) }
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

  /// The bytes that were written so far.
  package var written: Int { shelf.locked { $0.written } }

  /// Returns when everything is written, however long its reader takes.
  package func drain() throws(FileDescriptorError) {
    try shelf.locked(when: { $0.failure != nil || $0.bytes == 0 }) { shelf, _ throws(FileDescriptorError) in
      if let failure = shelf.failure { throw failure }
    }
  }

  /// Lets the thread end; what it has not begun to write is lost.
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
          try write(part, to: descriptor)
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

  private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(FileDescriptorError) {
    let result: Result<Void, FileDescriptorError> = bytes.withUnsafeBytes { buffer in
      do throws(FileDescriptorError) {
        return .success(try FileDescriptor.write(descriptor, buffer))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  /// What is written at once: about what a pipe holds, so that it shows soon that its reader reads.
  private static let pieceLength = 64 << 10
}
