#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Contents of parts in asynchronous form, off the caller's actor. The synchronous forms are in `StoreReading`.
extension MessageStore {
  /// Returns the content of a part as text, the whole of it or what is at some of its bytes: see
  /// ``StoreSnapshot/text(of:in:)``.
  /// - Throws: As ``StoreSnapshot/text(of:in:)``.
  public func text(of part: MessagePart.ID, in range: Range<Int>? = nil) async throws -> String {
    try await read { try $0.text(of: part, in: range) }
  }

  /// Returns the content of a part as bytes, the whole of it or what is at some offsets: see
  /// ``StoreSnapshot/data(of:in:)``.
  /// - Throws: As ``StoreSnapshot/data(of:in:)``.
  public func data(of part: MessagePart.ID, in range: Range<Int>? = nil) async throws -> Data {
    try await read { try $0.data(of: part, in: range) }
  }

  /// Returns the whole content of a part, of any size: see ``StoreSnapshot/content(of:)``.
  /// - Complexity: O(size of the content).
  /// - Throws: ``SatchelError`` `unknownMessage` if no such part exists or the user cannot see it.
  public func content(of part: MessagePart.ID) async throws -> [UInt8] {
    try await read { try $0.content(of: part) }
  }

  /// Returns the bytes of a part's content at the given offsets; offsets after its end are left out.
  /// - Complexity: O(bytes returned).
  /// - Throws: ``SatchelError`` `unknownMessage` if no such part exists or the user cannot see it.
  public func content(of part: MessagePart.ID, in range: Range<Int>) async throws -> [UInt8] {
    try await read { try $0.content(of: part, in: range) }
  }
}

extension MessageStore {
  /// Returns the content of a part as an asynchronous sequence of pieces, for contents too large to be held in memory.
  ///
  /// ```swift
  /// for try await piece in store.chunks(of: "m2/parts/1") { try file.write(contentsOf: piece) }
  /// ```
  ///
  /// Each piece is read in a snapshot of its own, so that a slow reader keeps nothing in the file from being used again. All
  /// pieces are of one content: if its message is deleted meanwhile, or edited so that the part has another content, the sequence
  /// ends with an error.
  /// - Parameters:
  ///   - part: The part. That there is one is checked with the first piece.
  ///   - bytes: The size of a piece; the last one may be smaller. At least 1.
  public func chunks(of part: MessagePart.ID, bytes: Int = 65_536) -> ContentChunks {
    ContentChunks(store: self, part: part, bytes: max(1, bytes))
  }
}

/// The content of a part as an asynchronous sequence of pieces. See ``MessageStore/chunks(of:bytes:)``.
public struct ContentChunks: AsyncSequence, Sendable {
  fileprivate let store: MessageStore
  fileprivate let part: MessagePart.ID
  fileprivate let bytes: Int

  /// Reads the pieces one after another.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let chunks: ContentChunks
    private var offset: UInt64 = 0
    private var content: ContentVersion?
    private var isAtEnd = false

    fileprivate init(_ chunks: ContentChunks) { self.chunks = chunks }

    /// Returns the next piece; nil after the last one. An empty content has none.
    /// - Throws: ``SatchelError`` `unknownMessage` if no such part exists, if the user cannot see it, or if its message
    ///   has been deleted since the first piece, or given another content in this part; `CancellationError` if the task is cancelled.
    public mutating func next() async throws -> Data? {
      guard !isAtEnd else { return nil }
      try Task.checkCancellation()
      let (part, offset, bytes) = (chunks.part, offset, chunks.bytes)
      let chunk = try await chunks.store.read { try $0.chunk(of: part, from: offset, bytes: bytes) }
      guard content == nil || content == chunk.content else {
        throw SatchelError(
          .unknownMessage,
          "The content is not there any more: its message was edited or deleted while it was read; begin anew",
          ["part": part.rawValue])
      }
      content = chunk.content
      self.offset += UInt64(chunk.bytes.count)
      isAtEnd = chunk.bytes.count < bytes
      return chunk.bytes.isEmpty ? nil : Data(chunk.bytes)
    }
  }

  /// Returns an iterator at the first byte.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }
}
