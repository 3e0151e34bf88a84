import SatchelModel
package import SatchelStorage

/// Reads an interchange file into a store, all of it or nothing.
///
/// The first line that cannot be taken ends the import, unless invalid lines are to be left out. A file without a
/// header, of a newer version or cut off ends it in any case. Memory is bounded by the longest line and one batch.
package final class Importer {
  /// What an import has done.
  package struct Summary: Sendable, Hashable {
    package var messages = 0
    package var conversations = 0
    package var identities = 0
    package var announcements = 0
    /// Lines that were left out.
    package var rejected = 0
    /// Keys that the format does not have and that were passed over.
    package var unknownKeys = 0

    package init(
      messages: Int = 0, conversations: Int = 0, identities: Int = 0, announcements: Int = 0,
      rejected: Int = 0,
      unknownKeys: Int = 0
    ) {
      self.messages = messages
      self.conversations = conversations
      self.identities = identities
      self.announcements = announcements
      self.rejected = rejected
      self.unknownKeys = unknownKeys
    }
  }

  /// A line that ends the import, or a file that is not one of the format.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line's number, from 1; nil when the file as a whole is at fault.
    package let line: Int?
    package let reason: String

    package init(line: Int?, reason: String) {
      self.line = line
      self.reason = reason
    }

    package var description: String { line.map { "line \($0): \(reason)" } ?? reason }
  }

  private var reader: LineReader
  private var decoder = RecordDecoder()
  private var line: [UInt8] = []
  private var header = FileHeader(announcesTrailer: false)
  private var hasTrailer = false
  /// True from the first update or deletion on: everything behind it is carried out in the order of the lines.
  private var isDeferring = false
  private var deferred = Summary()
  private var rejected = 0
  private let skipsInvalid: Bool
  private let onRejection: (_ line: Int, _ reason: String) -> Void
  private let onProgress: (_ bytes: Int) -> Void

  /// - Parameters:
  ///   - descriptor: An open file, read from where it stands.
  ///   - skipsInvalid: True to leave out lines that cannot be taken and go on.
  ///   - lineLimit: The most bytes of a line.
  ///   - onRejection: Told of each line that is left out.
  ///   - onProgress: Told, line by line, how many bytes of the file were read.
  package init(
    descriptor: Int32, skipsInvalid: Bool = false, lineLimit: Int = LineReader.formatLimit,
    onRejection: @escaping (_ line: Int, _ reason: String) -> Void = { _, _ in },
    onProgress: @escaping (_ bytes: Int) -> Void = { _ in }
  ) {
    reader = LineReader(descriptor: descriptor, limit: lineLimit)
    self.skipsInvalid = skipsInvalid
    self.onRejection = onRejection
    self.onProgress = onProgress
  }

  /// Imports into the store of a directory, or into a new one there.
  /// - Parameter user: Whose store it is; needed for a new one.
  /// - Throws: `Failure` for a line or file that cannot be taken, `FileDescriptorError`, or the store's
  ///   ``SatchelError``; the store is as it was then.
  package func run(
    into directory: String, user: String?, options: Store.Options = Store.Options()
  ) throws -> Summary {
    try readHeader()
    let counts = try ImportSession.run(
      into: directory, user: user, options: options, next: next(_:), apply: apply(_:line:bytes:)
    ) { line, error in
      try reject(Self.reason(of: error), line: Int(clamping: line))
    }
    return Summary(
      messages: counts.messages + deferred.messages,
      conversations: counts.conversations + deferred.conversations,
      identities: counts.identities + deferred.identities,
      announcements: counts.announcements + deferred.announcements, rejected: rejected,
      unknownKeys: decoder.unknownKeys)
  }

  private func readHeader() throws {
    do {
      guard try reader.next(into: &line) else {
        throw Failure(line: nil, reason: "the file is empty: its first line has to be a header")
      }
      guard case .header(let header) = try decoder.decode(line) else {
        throw Failure(
          line: reader.lineNumber,
          reason:
            "the first line has to be {\"kind\":\"header\",\"format\":\"\(FileHeader.format)\",\"version\":1}"
        )
      }
      self.header = header
    } catch let error as LineError {
      throw Failure(line: reader.lineNumber, reason: "the first line has to be a header: \(error.reason)")
    } catch let error as LineReader.LineTooLong {
      throw Failure(
        line: error.line, reason: "the first line has to be a header, not one of over \(error.limit) bytes")
    }
  }

  /// Takes the next line into a session; false at the end of the file.
  private func next(_ session: ImportSession) throws -> Bool {
    do {
      guard try reader.next(into: &line) else {
        try checkEnd()
        return false
      }
      onProgress(reader.byteCount)
      guard !hasTrailer else { throw LineError("nothing can stand behind the trailer") }
      switch try decoder.decode(line) {
      case .header: throw LineError("a header can only be the first line")
      case .trailer(let trailer): try check(trailer)
      case .record(let record): try take(record, session)
      }
    } catch let error as LineReader.LineTooLong {
      try reject("longer than \(error.limit) bytes", line: error.line)
    } catch let error as LineError {
      try reject(error.reason, line: reader.lineNumber)
    } catch let error as SatchelError where error.code.isOfLine {
      try reject(error.description, line: reader.lineNumber)
    }
    return true
  }

  private func take(_ record: InterchangeRecord, _ session: ImportSession) throws {
    let number = UInt64(reader.lineNumber)
    if !isDeferring {
      switch record {
      case .identity(let identity): return try session.addIdentity(identity, line: number)
      case .conversation(let draft): return try session.addConversation(draft, line: number)
      case .message(let draft, let conversation):
        return try session.addMessage(draft, in: conversation, line: number)
      case .announcement(let draft): return try session.addAnnouncement(draft, line: number)
      case .messageUpdate, .conversationUpdate, .identityUpdate, .messageDeletion, .conversationDeletion:
        isDeferring = true
      }
    }
    try session.deferLine(line, line: number)
  }

  /// Carries out a deferred line. It was decoded once already, so that only the store can refuse it.
  private func apply(_ writer: Writer, line: UInt64, bytes: [UInt8]) throws {
    do {
      var decoder = RecordDecoder()
      guard case .record(let record) = try decoder.decode(bytes) else { return }
      try apply(record, writer)
    } catch let error as LineError {
      try reject(error.reason, line: Int(clamping: line))
    } catch let error as SatchelError where error.code.isOfLine {
      try reject(error.description, line: Int(clamping: line))
    }
  }

  private func apply(_ record: InterchangeRecord, _ writer: Writer) throws {
    switch record {
    case .identity(let identity):
      try writer.insertIdentity(identity)
      deferred.identities += 1
    case .conversation(let draft):
      _ = try writer.insertConversation(draft)
      deferred.conversations += 1
    case .message(let draft, let conversation):
      _ = try writer.insertMessage(draft, in: conversation)
      deferred.messages += 1
    case .announcement(let draft):
      _ = try writer.insertAnnouncement(draft)
      deferred.announcements += 1
    case .messageUpdate(let id, let update): try writer.updateMessage(id, update)
    case .conversationUpdate(let id, let update): try writer.updateConversation(id, update)
    case .identityUpdate(let id, let update): try writer.updateIdentity(id, update)
    case .messageDeletion(let id): try writer.deleteMessage(id)
    case .conversationDeletion(let id): try writer.deleteConversation(id)
    }
  }

  private func reject(_ reason: String, line: Int) throws {
    guard skipsInvalid else { throw Failure(line: line, reason: reason) }
    rejected += 1
    onRejection(line, reason)
  }

  private static func reason(of error: any Error) -> String { String(describing: error) }
}

extension Importer {
  /// Compares the trailer with the lines before it. A difference is a damaged file, which no option lets pass.
  private func check(_ trailer: FileTrailer) throws {
    hasTrailer = true
    if let expected = trailer.sha256, let found = reader.digestBeforeLine(), expected != found {
      throw Failure(
        line: reader.lineNumber,
        reason:
          "the file is damaged: the SHA-256 of the lines before its trailer is \(found), not \(expected)")
    }
    guard let counts = trailer.counts else { return }
    for kind in Set(counts.keys).union(decoder.lines.keys.map(\.rawValue)).sorted() {
      let expected = counts[kind] ?? 0
      let found = InterchangeKind(rawValue: kind).flatMap { decoder.lines[$0] } ?? 0
      guard expected == found else {
        throw Failure(
          line: reader.lineNumber,
          reason:
            "the file is damaged: its trailer counts \(expected) lines of kind \(kind), there are \(found)")
      }
    }
  }

  private func checkEnd() throws {
    guard !header.announcesTrailer || hasTrailer else {
      throw Failure(
        line: nil,
        reason:
          "the file is cut off behind line \(reader.lineNumber): its header announces a trailer, and there is none"
      )
    }
  }
}

extension SatchelError.Code {
  /// Whether the error is what one line says, as opposed to the state of the store or the machine.
  fileprivate var isOfLine: Bool {
    switch self {
    case .invalidValue, .invalidKey, .invalidIdentifier, .identifierExists, .distinctConversationExists,
      .unknownConversation, .unknownMessage, .unknownIdentity:
      true
    default: false
    }
  }
}
