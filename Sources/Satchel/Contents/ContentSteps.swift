import SatchelCoding
import SatchelModel
import SatchelStorage
import SatchelWriting

/// Stores contents before the write that gets them, in steps of a bounded size, each a commit of its own.
package struct ContentSteps: Sendable {
  /// What stands for the parts in the message as which they are stored.
  private let places: [MessagePart.Draft]
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
    places = contents.map { content in
      if case .draft = content.content {
        .text("", mimeType: content.mimeType)
      } else {
        .data([], mimeType: content.mimeType)
      }
    }
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

  /// Reads the content of a part, and stores every whole step of it.
  /// - Parameter goOn: Called before each piece.
  mutating func pull(
    _ part: Int, _ store: Store, _ begin: () throws -> () throws -> [UInt8]?, goOn: () throws -> Void = {}
  ) throws {
    try goOn()
    let next = try begin()
    while let piece = try next() {
      var rest = piece[...]
      while !rest.isEmpty { if take(&rest) { try step(part, store) } }
      try goOn()
    }
    if hasRest { try step(part, store) }
  }

  /// Stores a step of a part's content, in a write.
  private func storeStep(_ part: Int, _ writer: Writer) throws -> (StagedMessage, StagedContent) {
    let message = try message ?? writer.stageMessage(places, in: conversation)
    return (message, try writer.append(bytes, toPart: part, of: message))
  }

  /// Stores what has come of a part's content.
  mutating func step(_ part: Int, _ store: Store) throws {
    note(try store.write { writer in try storeStep(part, writer) })
  }

  /// The same without blocking the caller's thread.
  mutating func step(_ part: Int, _ store: Store) async throws {
    note(try await store.write { [self] writer in try storeStep(part, writer) })
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

  /// Binds the parts to one message, in the write that gets them, so that those that were too small to be stored before are used by
  /// the same rule as large ones: else a program that was tried with small files would fail with the first large one.
  /// - Returns: The parts, and the message if it has begun in this write: the caller ends with `discard`.
  func bind(
    _ parts: [MessagePart.Draft], in writer: Writer
  ) throws -> (parts: [MessagePart.Draft], begun: StagedMessage?) {
    guard places.contains(where: { $0.content == .data([]) }) else { return (parts, nil) }
    let bound = try message ?? writer.stageMessage(places, in: conversation)
    var parts = parts
    for index in parts.indices where places[index].content == .data([]) && parts[index].staged == nil {
      parts[index].staged = StagedContent(
        importNumber: bound.importNumber, conversation: bound.key.conversation, sequence: bound.key.sequence,
        part: index, length: 0, digest: 0)
    }
    return (parts, message == nil ? bound : nil)
  }

  /// Removes what `bind` has begun, if the write has not used it.
  static func discard(_ begun: StagedMessage?, in writer: Writer) throws {
    guard let begun, let entry = try writer.stagedEntries(begun.importNumber, from: 0, limit: 1).first
    else { return }
    try writer.discard(.message(begun.key))
    try writer.remove(entry, of: begun.importNumber)
  }
}
