import SatchelModel
package import SatchelStorage

/// Reads an interchange file into a store, all of it or nothing.
///
/// The first line that cannot be taken ends the import, unless invalid lines are to be left out. A file without a
/// header, of a newer version or cut off ends it in any case.
///
/// A thread of its own reads and decodes the lines, ahead of the store by half a megabyte of the file. Memory is
/// bounded by that half megabyte, a few of the longest lines, the 1,048,576 values that a line may keep, and one
/// batch. During an import into an existing store, other writers wait for batches, never for the input.
package final class Importer {
  /// What an import has done.
  package struct Summary: Sendable, Hashable {
    package var messages = 0
    package var conversations = 0
    package var identities = 0
    package var announcements = 0
    /// How many lines were left out.
    package var rejected = 0
    /// How many keys were ignored because the format does not have them.
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

  /// A line that ends the import, or a file that cannot be imported as a whole.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line's number, counted from 1; nil if the file as a whole is at fault.
    package let line: Int?
    package let reason: String

    package init(line: Int?, reason: String) {
      self.line = line
      self.reason = reason
    }

    package var description: String { line.map { "line \($0): \(reason)" } ?? reason }
  }

  private let descriptor: Int32
  private let lineLimit: Int
  private var deferred = Summary()
  private var rejected = 0
  private let skipsInvalid: Bool
  private let onRejection: (_ line: Int, _ reason: String) -> Void
  private let onProgress: (_ bytes: Int) -> Void

  /// - Parameters:
  ///   - descriptor: An open file; reading begins at its current offset.
  ///   - skipsInvalid: True to leave out lines that cannot be taken and go on.
  ///   - lineLimit: The most bytes that a line may have.
  ///   - onRejection: Called for each line that is left out.
  ///   - onProgress: Called for each line with the number of bytes of the file up to the line's end.
  package init(
    descriptor: Int32, skipsInvalid: Bool = false, lineLimit: Int = LineReader.formatLimit,
    onRejection: @escaping (_ line: Int, _ reason: String) -> Void = { _, _ in },
    onProgress: @escaping (_ bytes: Int) -> Void = { _ in }
  ) {
    self.descriptor = descriptor
    self.lineLimit = lineLimit
    self.skipsInvalid = skipsInvalid
    self.onRejection = onRejection
    self.onProgress = onProgress
  }

  /// Imports into the store of a directory, or into a new store there.
  /// - Parameter user: The user whose store it is; required for a new store.
  /// - Throws: `Failure` for a line or file that cannot be taken, `FileDescriptorError`, or the store's
  ///   ``SatchelError``. After an error the store is as it was before.
  package func run(
    into directory: String, user: String?, options: Store.Options = Store.Options()
  ) throws -> Summary {
    let lines = try LinesAhead(descriptor: descriptor, lineLimit: lineLimit)
    defer { lines.stop() }
    let counts = try ImportSession.run(
      into: directory, user: user, options: options, wait: { try lines.gather(lines: $0, bytes: $1) },
      next: { try self.takeNext(of: lines, $0) }, apply: apply(_:line:bytes:)
    ) { line, error in
      try reject(Self.reason(of: error), line: Int(clamping: line))
    }
    return Summary(
      messages: counts.messages + deferred.messages,
      conversations: counts.conversations + deferred.conversations,
      identities: counts.identities + deferred.identities,
      announcements: counts.announcements + deferred.announcements, rejected: rejected,
      unknownKeys: lines.unknownKeys)
  }

  /// Takes the next line into a session.
  /// - Returns: False at the end of the file, or of the lines that were gathered for a transaction.
  private func takeNext(of lines: LinesAhead, _ session: ImportSession) throws -> Bool {
    guard let line = session.isAlone ? try lines.next() : lines.nextGathered() else { return false }
    onProgress(line.end)
    do {
      switch line.content {
      case .record(let record): try take(record, UInt64(line.number), session)
      case .deferred(let bytes): try session.deferLine(bytes, line: UInt64(line.number))
      case .rejected(let reason): try reject(reason, line: line.number)
      case .trailer: break
      }
    } catch let error as SatchelError where error.code.isOfLine {
      try reject(error.description, line: line.number)
    }
    return true
  }

  private func take(_ record: InterchangeRecord, _ line: UInt64, _ session: ImportSession) throws {
    switch record {
    case .identity(let identity): try session.addIdentity(identity, line: line)
    case .conversation(let draft): try session.addConversation(draft, line: line)
    case .message(let draft, let conversation): try session.addMessage(draft, in: conversation, line: line)
    case .announcement(let draft): try session.addAnnouncement(draft, line: line)
    case .messageUpdate, .conversationUpdate, .identityUpdate, .messageDeletion, .conversationDeletion:
      // These always come as deferred lines.
      break
    }
  }

  /// Carries out a deferred line. The line was decoded once already, so only the store can refuse it.
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

extension SatchelError.Code {
  /// Whether the error is in the content of one line, not in the state of the store or the machine.
  fileprivate var isOfLine: Bool {
    switch self {
    case .invalidValue, .invalidKey, .invalidIdentifier, .identifierExists, .distinctConversationExists,
      .unknownConversation, .unknownMessage, .unknownIdentity:
      true
    default: false
    }
  }
}
