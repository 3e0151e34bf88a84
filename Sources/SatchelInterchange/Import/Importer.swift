import Satchel
import SatchelImport
import SatchelLines
package import SatchelModel
package import SatchelStorage
import SatchelWriting

/// Reads an interchange file into a store, all of it or nothing.
///
/// The first line that cannot be taken ends the import, unless invalid lines are to be left out. A file without a
/// header, of a newer version or cut off ends it in any case.
///
/// A thread of its own reads and decodes the lines, ahead of the store by half a megabyte of the file. Memory is
/// bounded by that half megabyte, a few of the longest lines, the 1,048,576 values that a line may keep, and one
/// batch; in an import into a new store also by what its indexes need of up to 1,048,576 messages that wait, some 350 MB, and
/// by 16 to 32 bytes a message for its identifier; in a merge, by as much for each name of a message that stays deleted, and by
/// some 100 bytes for each object that the store knows by another identifier. During an import into an existing store, other writers wait for
/// batches, never for the input.
package final class Importer {
  private let input: LineInput
  private let lineLimit: Int
  var deferred = Summary()
  private var rejected = 0
  private let skipsInvalid: Bool
  let existing: ExistingMessage
  var ignored = 0
  var deletedMessages = DeletedMessageNames()
  private var fileNames = FileNames()
  private let onRejection: (_ line: Int, _ reason: String) -> Void
  private let onProgress: (_ bytes: Int) -> Void
  private let onBatch: (Progress) throws -> Void
  private var progress = Progress()
  /// The version of the format of the file that is read.
  private var version = FileHeader.version

  /// - Parameters:
  ///   - input: Where the lines come from.
  ///   - skipsInvalid: True to leave out lines that cannot be taken and go on.
  ///   - existing: What to do with a line of an object that is there already, in the store or by an earlier line.
  ///   - lineLimit: The most bytes that a line may have.
  ///   - onRejection: Called for each line that is left out.
  ///   - onProgress: Called for each line with the number of bytes of the file up to the line's end.
  ///   - onBatch: In an import into a store that exists, called before each transaction and outside of any. If it
  ///     throws, the import ends.
  package init(
    _ input: LineInput, skipsInvalid: Bool = false, existing: ExistingMessage = .fail,
    lineLimit: Int = LineReader.formatLimit,
    onRejection: @escaping (_ line: Int, _ reason: String) -> Void = { _, _ in },
    onProgress: @escaping (_ bytes: Int) -> Void = { _ in },
    onBatch: @escaping (Progress) throws -> Void = { _ in }
  ) {
    self.input = input
    self.lineLimit = lineLimit
    self.skipsInvalid = skipsInvalid
    self.existing = existing
    self.onRejection = onRejection
    self.onProgress = onProgress
    self.onBatch = onBatch
  }

  /// Imports into the store of a directory, or into a new store there.
  /// - Parameter user: The user whose store it is; required for a new store.
  /// - Throws: `Failure` for a line or file that cannot be taken, what the input throws, or the store's
  ///   ``SatchelError``. After an error the store is as it was before.
  package func run(
    into directory: String, user: String?, options: Store.Options = Store.Options()
  ) throws -> Summary {
    try run { lines in
      try ImportSession.run(
        into: directory, user: user, options: options, wait: { try self.gather(lines, $0, $1) },
        next: { try self.takeNext(of: lines, $0) }, apply: apply(_:line:bytes:), conflicts: conflicts)
    }
  }

  /// Imports into a store that is open.
  /// - Throws: As `run(into:user:options:)`, and what `onBatch` throws.
  package func run(into store: Store) throws -> Summary {
    try run { lines in
      try ImportSession.run(
        into: store, wait: { try self.gather(lines, $0, $1) }, next: { try self.takeNext(of: lines, $0) },
        apply: apply(_:line:bytes:), conflicts: conflicts)
    }
  }

  /// A line of an object that has come meanwhile is one of an object that is there.
  private var conflicts: ImportSession.Conflicts {
    ImportSession.Conflicts(
      reject: { line, error in try self.reject(String(describing: error), line: Int(clamping: line)) },
      deliver: existing == .fail
        ? nil
        : { writer, line, draft in
          let record: InterchangeRecord =
            switch draft {
            case .identity(let identity): .identity(identity)
            case .conversation(let draft): .conversation(draft)
            case .message(let draft, let conversation?): .message(draft, in: conversation)
            case .message(let draft, nil): .announcement(draft)
            }
          try self.taking(line) { try self.apply(record, writer) }
        })
  }

  private func run(_ session: (LinesAhead) throws -> ImportSession.Counts) throws -> Summary {
    let lines = try LinesAhead(input, lineLimit: lineLimit, keepsLines: existing != .fail)
    defer { lines.stop() }
    version = lines.version
    let counts = try session(lines)
    var summary = deferred
    summary.messages += counts.messages
    summary.conversations += counts.conversations
    summary.identities += counts.identities
    summary.announcements += counts.announcements
    summary.recordTypes += counts.recordTypes
    summary.records += counts.records
    summary.rejected = rejected
    summary.ignored = ignored
    (summary.unknownKeys, summary.firstUnknownKeys) = (lines.unknownKeys, lines.firstUnknownKeys)
    return summary
  }

  /// Reports the progress, and gathers the lines of the next transaction.
  /// - Returns: False at the end of the file.
  private func gather(_ lines: LinesAhead, _ count: Int, _ bytes: Int) throws -> Bool {
    try onBatch(progress)
    guard try !lines.gather(lines: count, bytes: bytes) else { return true }
    progress.isAtEnd = true
    try onBatch(progress)
    return false
  }

  /// Takes the next line into a session.
  /// - Returns: False at the end of the file, or of the lines that were gathered for a transaction.
  private func takeNext(of lines: LinesAhead, _ session: ImportSession) throws -> Bool {
    guard let line = session.isAlone ? try lines.next() : lines.nextGathered() else { return false }
    onProgress(line.end)
    progress.lines = line.number
    progress.bytes = line.end
    do {
      switch line.content {
      case .record(let record, let bytes): try take(record, bytes, UInt64(line.number), session)
      case .deferred(let bytes): try session.deferLine(bytes, line: UInt64(line.number))
      case .declaration(let bytes): try session.addLast(bytes, line: UInt64(line.number))
      case .rejected(let reason): return try leaveOut(line, reason, session)
      case .trailer: break
      }
    } catch let error as SatchelError where error.code.isOfLine {
      return try leaveOut(line, error.description, session)
    }
    return true
  }

  /// Takes an object. Where it is there already, its line waits to be merged, or is ignored.
  private func take(
    _ record: InterchangeRecord, _ bytes: [UInt8]?, _ line: UInt64, _ session: ImportSession
  ) throws {
    guard existing != .fail, let bytes else { return try add(record, bytes ?? [], line, session) }
    let record = fileNames.inStore(record)
    switch record {
    case .conversation(let draft) where try session.isDeleted(draft):
      try fileNames.note(record, isKnown: session.knows)
      return ignored += 1
    case .message(let draft, let conversation):
      if try session.isDeleted(draft, in: conversation) { return ignore(deleted: draft) }
      // The message brings its conversation back, in the last commit.
      if try session.isDeleted(conversation) { return try session.deferLine(bytes, line: line) }
    case .announcement(let draft) where try session.isDeleted(draft, in: nil): return ignore(deleted: draft)
    case .record(let record) where try !session.isTaken(record.id): return ignored += 1
    default: break
    }
    do {
      try add(record, bytes, line, session)
    } catch let error as SatchelError where error.code == .identifierExists {
      try fileNames.note(record, isKnown: session.knows)
      if existing == .merge { try session.deferLine(bytes, line: line) } else { ignored += 1 }
    }
  }

  private func add(
    _ record: InterchangeRecord, _ bytes: [UInt8], _ line: UInt64, _ session: ImportSession
  ) throws {
    switch record {
    case .identity(let identity): try session.addIdentity(identity, line: line)
    case .conversation(let draft): try session.addConversation(draft, line: line)
    case .message(let draft, let conversation): try session.addMessage(draft, in: conversation, line: line)
    case .announcement(let draft): try session.addAnnouncement(draft, line: line)
    case .recordType(let type): try session.declare([type], bytes, line: line)
    case .record(let record): try session.add(record, bytes, line: line)
    case .messageUpdate, .conversationUpdate, .identityUpdate, .messageDeletion, .conversationDeletion,
      .recordUpdate, .recordDeletion, .index:
      // These always come as deferred lines, or as the last.
      break
    }
  }

  /// Carries out a deferred line. The line was decoded once already, so only the store can refuse it.
  private func apply(_ writer: Writer, line: UInt64, bytes: [UInt8]) throws {
    try taking(line) {
      var decoder = RecordDecoder(version: version)
      guard case .record(let record) = try decoder.decode(bytes) else { return }
      try apply(record, writer)
    }
  }

  /// Carries out a line, and tells if it is refused.
  private func taking(_ line: UInt64, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as LineError {
      try reject(error.reason, line: Int(clamping: line))
    } catch let error as SatchelError where error.code.isOfLine {
      try reject(error.description, line: Int(clamping: line))
    }
  }

  private func apply(_ given: InterchangeRecord, _ writer: Writer) throws {
    let record = fileNames.inStore(given)
    if existing != .fail { try fileNames.note(record, isKnown: writer.knows) }
    switch record {
    case .identity(let identity):
      if existing != .fail, try writer.isThere(identity) {
        return try ignore(or: { _ = try writer.merge(identity) })
      }
      try writer.insertIdentity(identity)
      deferred.identities += 1
    case .conversation(let draft):
      if existing != .fail {
        if try writer.isThere(draft) { return try ignore(or: { _ = try writer.merge(draft) }) }
        if try writer.isDeleted(draft) { return ignored += 1 }
      }
      _ = try writer.insertConversation(draft)
      deferred.conversations += 1
    case .message(let draft, let conversation):
      if try take(draft, in: conversation, writer) { deferred.messages += 1 }
    case .announcement(let draft):
      if try take(draft, in: nil, writer) { deferred.announcements += 1 }
    case .messageUpdate(let id, let update):
      // The user may have deleted it; so with the others.
      if existing != .fail, try !writer.hasMessage(id) { return ignored += 1 }
      try writer.updateMessage(id, update)
      deferred.updates += 1
    case .conversationUpdate(let id, let update):
      if existing != .fail, try !writer.hasConversation(id) { return ignored += 1 }
      try writer.updateConversation(id, update)
      deferred.updates += 1
    case .identityUpdate(let id, let update):
      try writer.updateIdentity(id, update)
      deferred.updates += 1
    case .messageDeletion(let id):
      if existing != .fail, try !writer.hasMessage(id) { return ignored += 1 }
      try writer.deleteMessage(id)
      deferred.deletions += 1
    case .conversationDeletion(let id):
      if existing != .fail, try !writer.hasConversation(id) { return ignored += 1 }
      try writer.deleteConversation(id)
      deferred.deletions += 1
    case .recordType, .record, .recordUpdate, .recordDeletion: try apply(ofRecords: record, writer)
    case .index(let index):
      do {
        try writer.declare(index.definition)
        deferred.indexes += 1
      } catch let error as SatchelError where error.code == .indexDiffers && existing != .fail {
        try ignore(or: { try writer.declare(index.definition, replacing: true) })
      }
    }
  }

  /// Adds a message, or an announcement, that is not to be ignored or merged. Returns whether it was added.
  private func take(
    _ draft: MessageDraft, in conversation: Conversation.ID?, _ writer: Writer
  ) throws -> Bool {
    guard existing != .fail else {
      _ = try writer.insertMessage(draft, in: conversation)
      return true
    }
    func deliver() throws {
      _ = try writer.deliver(
        draft, in: conversation, ifExists: existing, merging: MessageUpdate(merging: draft))
    }
    if try writer.isThere(draft) {
      try ignore(or: deliver)
      return false
    }
    if try writer.isDeleted(draft, in: conversation) {
      ignore(deleted: draft)
      return false
    }
    try deliver()
    return true
  }

  /// Ignores the line of a message or an announcement that the store's user has deleted, and what later lines say of it.
  private func ignore(deleted draft: MessageDraft) {
    deletedMessages.insert(draft)
    ignored += 1
  }

  /// Ignores the line of an object that is there, or merges it.
  func ignore(or merge: () throws -> Void) throws {
    guard existing == .merge else { return ignored += 1 }
    try merge()
    deferred.merged += 1
  }

  func reject(_ reason: String, line: Int) throws {
    guard skipsInvalid else { throw Failure(line: line, reason: reason) }
    rejected += 1
    onRejection(line, reason)
  }
}
