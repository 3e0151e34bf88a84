internal import LMDB
internal import SatchelCoding
package import SatchelModel
internal import SatchelStorage
package import SatchelWriting

extension ImportSession {
  /// What is done about a line that conflicts with what others have written since it was staged.
  package struct Conflicts {
    /// Delivers an object to what others have written, as a line of an object that is there already.
    package typealias Delivery = (_ writer: Writer, _ line: UInt64, _ draft: StagedDraft) throws -> Void

    /// Called for a line that cannot be taken. If it throws, the import ends; if it returns, the line is left out.
    let reject: (_ line: UInt64, any Error) throws -> Void
    /// Nil to refuse each such line.
    let deliver: Delivery?

    package init(
      reject: @escaping (_ line: UInt64, any Error) throws -> Void = { throw $1 }, deliver: Delivery? = nil
    ) {
      self.reject = reject
      self.deliver = deliver
    }
  }

  /// Ends the import by the error of a line, after which no object may be added. If lines before it wait to be carried out, they are before
  /// that: the first line that is wrong is the one of which the import tells.
  /// - Throws: The error, if no line waits; otherwise the import throws it in the end.
  package func end(by error: any Error) throws {
    guard hasWaitingLines else { throw error }
    ending = error
  }

  /// Throws the error of a line that has ended the import, if one has.
  func checkEnd() throws { if let ending { throw ending } }

  /// Makes the last commit of an import into a new store: applies the lines that wait for everything else, and settles what becomes of
  /// references to what lines have deleted.
  func applyLast() throws {
    guard !last.isEmpty || !removed.isEmpty else { return }
    try store.writeAlone { writer in
      swap(&writer.removed, &removed)
      for (line, bytes) in last { try carryOut(line, bytes, writer) }
      try checkEnd()
      try writer.completeDeclaredIndexes()
    }
  }

  /// Makes the last commit of an import into an existing store: indexes the staged objects, in order, and applies the
  /// deferred lines.
  func finishStaging(_ staging: Staging, _ conflicts: Conflicts) throws {
    guard let number = staging.number else { return }
    try store.writeAlone { writer in
      writer.importNumber = number
      var finishing = Finishing(
        conflicts: conflicts,
        looksForDeletions: conflicts.deliver != nil && writer.deletionSummary != staging.deletions,
        replacements: staging.conversationsOfOthers)
      var next: UInt64 = 0
      while true {
        let batch = try writer.stagedEntries(number, from: next, limit: 1000)
        guard let last = batch.last else { break }
        for staged in batch {
          try finish(staged.entry, writer, &finishing)
          try writer.remove(staged, of: number)
        }
        next = last.ordinal + 1
      }
      try checkEnd()
    }
  }

  private func finish(_ entry: StagingEntry, _ writer: Writer, _ finishing: inout Finishing) throws {
    switch entry.content {
    case .line(let bytes): try carryOut(entry.line, bytes, writer)
    case .created(let object):
      do {
        if finishing.looksForDeletions, case .message(let key) = object,
          try writer.isDeleted(staged: key, in: finishing.replacements[key.conversation])
        {
          return try deliver(object, entry.line, writer, &finishing)
        }
        try writer.adopt(object)
      } catch let error as SatchelError {
        guard finishing.conflicts.deliver == nil else {
          return try deliver(object, entry.line, writer, &finishing)
        }
        try finishing.conflicts.reject(entry.line, error)
        try discard(object, writer)
      }
    }
  }

  /// Delivers a staged object to what others have written meanwhile.
  private func deliver(
    _ object: ObjectRow, _ line: UInt64, _ writer: Writer, _ finishing: inout Finishing
  ) throws {
    let draft: StagedDraft
    do {
      draft = try writer.draft(ofStaged: object, replacements: finishing.replacements)
    } catch let error as SatchelError {
      try finishing.conflicts.reject(line, error)
      return try discard(object, writer)
    }
    try discard(object, writer)
    try finishing.conflicts.deliver?(writer, line, draft)
    guard case .conversation(let row) = object, case .conversation(let conversation) = draft else { return }
    // What has come may have only one of its names.
    let names = [conversation.identifier, conversation.remoteID].compactMap { $0 }
    finishing.replacements[row] = try names.first { try writer.hasConversation($0) }
  }

  private func discard(_ object: ObjectRow, _ writer: Writer) throws {
    try writer.discard(object)
    switch object {
    case .conversation: counts.conversations -= 1
    case .identity: counts.identities -= 1
    case .message(let key) where key.isAnnouncement: counts.announcements -= 1
    case .message: counts.messages -= 1
    case .record: break
    }
  }

  /// What the last commit keeps in mind.
  private struct Finishing {
    let conflicts: Conflicts
    /// Whether something was deleted since the first object was staged.
    let looksForDeletions: Bool
    /// What conversations of staged messages are called, by their rows: those that others have deleted, or that have come in place of staged
    /// ones.
    var replacements: [UInt32: Conversation.ID]
  }
}
