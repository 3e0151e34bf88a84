import SatchelCoding
import SatchelModel
import SatchelStorage
import SatchelWriting

/// Stores contents before the write that gets them, in steps of a bounded size, each a commit of its own.
package struct ContentSteps {
  private let types: [String]
  private let conversation: Conversation.ID?
  /// The message as which they are stored; nil before the first step.
  private(set) var message: StagedMessage?
  /// What has come of the current part, and is not stored yet: less than a step.
  private var bytes: [UInt8] = []
  /// What is stored of the current part; nil for nothing.
  private var stored: StagedContent?

  /// The bytes of a step: so many full pieces that a commit of them goes past the journal, which keeps commits in memory.
  package static let size = 512 * BodyLayout.pieceContent
  /// Contents of at most so many bytes go with the message.
  private static let small = BodyLayout.pieceContent

  init(_ contents: [MessagePart.Source], _ conversation: Conversation.ID?) {
    types = contents.map(\.mimeType)
    self.conversation = conversation
  }

  /// Takes bytes of a piece of the content, at most up to a whole step. Returns whether there is one, which has to be stored then.
  mutating func take(_ piece: inout ArraySlice<UInt8>) -> Bool {
    if bytes.capacity < Self.size { bytes.reserveCapacity(Self.size) }
    let count = min(piece.count, Self.size - bytes.count)
    bytes += piece.prefix(count)
    piece = piece.dropFirst(count)
    return bytes.count == Self.size
  }

  /// Stores a step of a part's content, in a write.
  static func store(
    _ bytes: [UInt8], ofPart part: Int, as message: StagedMessage?, _ types: [String],
    _ conversation: Conversation.ID?, _ writer: Writer
  ) throws -> (StagedMessage, StagedContent) {
    let message = try message ?? writer.stageMessage(types, in: conversation)
    return (message, try writer.append(bytes, toPart: part, of: message))
  }

  /// Stores what has come of a part's content.
  mutating func step(_ part: Int, _ store: Store) throws {
    let (bytes, message, types, conversation) = (bytes, message, types, conversation)
    let outcome = try store.write { writer in
      try Self.store(bytes, ofPart: part, as: message, types, conversation, writer)
    }
    note(outcome)
  }

  /// The same without blocking the caller's thread.
  mutating func step(_ part: Int, _ store: Store) async throws {
    let (bytes, message, types, conversation) = (bytes, message, types, conversation)
    let outcome = try await store.write { writer in
      try Self.store(bytes, ofPart: part, as: message, types, conversation, writer)
    }
    note(outcome)
  }

  private mutating func note(_ outcome: (message: StagedMessage, content: StagedContent)) {
    message = outcome.message
    stored = outcome.content
    bytes.removeAll(keepingCapacity: true)
  }

  /// Whether the rest of the current part has to be stored before the part ends.
  var hasRest: Bool { stored == nil ? bytes.count > Self.small : !bytes.isEmpty }

  /// Ends the current part, and returns it as the write gets it.
  mutating func end(_ source: MessagePart.Source) -> MessagePart.Draft {
    defer {
      stored = nil
      bytes.removeAll(keepingCapacity: true)
    }
    guard let stored else {
      return .data(bytes, mimeType: source.mimeType, transferStatus: source.transferStatus)
    }
    return .staged(stored, mimeType: source.mimeType, transferStatus: source.transferStatus)
  }
}
