internal import LMDB
internal import SatchelCoding
internal import SatchelModel
internal import SatchelStorage
internal import SatchelWriting

extension ImportSession {
  /// Makes the last commit of an import into an existing store: indexes the staged objects, in order, and applies the
  /// deferred lines.
  func finishStaging(_ staging: Staging, _ reject: (UInt64, any Error) throws -> Void) throws {
    guard let number = staging.number else { return }
    try store.writeAlone { writer in
      writer.importNumber = number
      var next: UInt64 = 0
      while true {
        let batch = try writer.stagedEntries(number, from: next, limit: 1000)
        guard let last = batch.last else { break }
        for staged in batch {
          try finish(staged.entry, writer, reject)
          try writer.remove(staged, of: number)
        }
        next = last.ordinal + 1
      }
    }
  }

  private func finish(
    _ entry: StagingEntry, _ writer: Writer, _ reject: (UInt64, any Error) throws -> Void
  ) throws {
    switch entry.content {
    case .line(let bytes): try apply?(writer, entry.line, bytes)
    case .created(let object):
      do {
        try writer.adopt(object)
      } catch let error as SatchelError {
        try reject(entry.line, error)
        try writer.discard(object)
        switch object {
        case .conversation: counts.conversations -= 1
        case .identity: counts.identities -= 1
        case .message(let key) where key.isAnnouncement: counts.announcements -= 1
        case .message: counts.messages -= 1
        }
      }
    }
  }
}
