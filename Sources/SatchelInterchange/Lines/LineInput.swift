/// Where lines come from: an open file, or a closure that returns the bytes piece by piece.
package struct LineInput: Sendable {
  private let source: Source
  /// Bytes that the closure has returned, of which those before `taken` have been read.
  private var piece: [UInt8] = []
  private var taken = 0

  private enum Source: Sendable {
    case descriptor(Int32)
    case pieces(@Sendable () throws -> [UInt8]?)
  }

  /// An open file; reading begins at its current offset. It is not closed.
  package static func descriptor(_ descriptor: Int32) -> LineInput {
    LineInput(source: .descriptor(descriptor))
  }

  /// A closure that returns the next bytes each time it is called, and nil at the end.
  package static func pieces(_ next: @escaping @Sendable () throws -> [UInt8]?) -> LineInput {
    LineInput(source: .pieces(next))
  }

  /// Bytes that are there already.
  package static func bytes(_ bytes: [UInt8]) -> LineInput {
    LineInput(source: .pieces { nil }, piece: bytes)
  }

  private init(source: Source, piece: [UInt8] = []) {
    self.source = source
    self.piece = piece
  }

  /// The current offset of a file; negative for what cannot be read a second time.
  var offset: Int64 {
    switch source {
    case .descriptor(let descriptor): FileDescriptor.offset(descriptor)
    case .pieces: -1
    }
  }

  /// Waits until there is something to read.
  /// - Parameter body: Called before the waiting, and ten times a second while a pipe has nothing to read. A closure
  ///   that returns bytes is not waited for here: reading from it takes as long as the closure does.
  func wait(calling body: (() throws -> Void)?) throws {
    guard let body else { return }
    switch source {
    case .descriptor(let descriptor): repeat { try body() } while !FileDescriptor.awaitInput(descriptor)
    case .pieces: try body()
    }
  }

  /// Reads some bytes into the end of a buffer.
  /// - Returns: How many bytes were read; 0 at the end.
  /// - Throws: `FileDescriptorError`, or what the closure throws.
  mutating func read(into buffer: inout [UInt8], from start: Int) throws -> Int {
    guard case .pieces(let next) = source else { return try readFile(into: &buffer, from: start) }
    while taken == piece.count {
      guard let bytes = try next() else { return 0 }
      piece = bytes
      taken = 0
    }
    let count = min(piece.count - taken, buffer.count - start)
    buffer.replaceSubrange(start..<start + count, with: piece[taken..<taken + count])
    taken += count
    return count
  }

  private func readFile(into buffer: inout [UInt8], from start: Int) throws(FileDescriptorError) -> Int {
    guard case .descriptor(let descriptor) = source else { return 0 }
    return try FileDescriptor.read(descriptor, into: &buffer, from: start)
  }

  /// Reads at most `count` bytes from an offset in the file; see `FileDescriptor.read`.
  func read(into bytes: inout [UInt8], count: Int, at offset: Int64) throws(FileDescriptorError) -> Int {
    guard case .descriptor(let descriptor) = source else { return 0 }
    return try FileDescriptor.read(descriptor, into: &bytes, count: count, at: offset)
  }
}
