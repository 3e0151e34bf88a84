#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension JournalError: CustomStringConvertible {
  /// One line: what was being done and where, what was found, and what to do about it.
  package var description: String {
    if case .file(let error) = code { return "journal: \(error)" }
    return "\(operation) \(path): \(found); \(remedy)"
  }

  /// What was found, without where, and what to do about it.
  package var found: String { detail.isEmpty ? finding : "\(finding) (\(detail))" }

  private var finding: String {
    switch code {
    case .file: ""
    case .system(let number): "the operating system reports error \(number), \(Self.message(number))"
    case .invalid: "this is not what a store keeps here"
    case .version(let number):
      "the journal has version \(number), this program knows versions up to \(JournalVersion.current.rawValue)"
    case .otherStore(let owner): "the journal belongs to the store \(owner)"
    case .gap(let end, let next): "commits are missing between \(end) and \(next)"
    case .older(let store, let journal):
      "the journal is older than data.mdb: it ends at \(journal), and the store is at \(store)"
    case .damaged(let last, let through):
      if let through {
        "the journal is damaged: commits \(last + 1) to \(through) cannot be read"
      } else {
        "the journal is damaged: what follows commit \(last) cannot be read"
      }
    case .otherChain(let store, let journal):
      "the store is at \(store), the journal has \(journal) of another history"
    case .recordTooLong(let count, let limit): "a record of \(count) bytes is longer than \(limit)"
    case .full(let segments): "all \(segments) segments hold commits that the store does not have yet"
    case .outcomeUnknown(let number):
      "the disk failed with error \(number), \(Self.message(number)): the last commits may or may not be stored"
    case .poisoned: "an earlier sync failed"
    case .busy(let process):
      "\(process > 0 ? "process \(process)" : "another process") has been opening or closing the store all the time"
    case .forked: "it was opened before this process was forked off"
    }
  }

  private var remedy: String {
    switch code {
    case .file: ""
    case .system(let number) where number == ENOSPC || number == EDQUOT || number == EFBIG:
      "nothing was stored: free some space and write again"
    case .system: "nothing was stored by this call; check the disk and its log"
    case .invalid: "keep the file, and find out who made it"
    case .version: "open the store with the program that wrote it"
    case .otherStore: "put the journal of this store back, or move this one away"
    case .damaged:
      "put an intact copy back, or take what is left with salvage or verify --repair; nothing was changed"
    case .gap, .otherChain, .older: "put data.mdb and the journal of the same time back; neither was changed"
    case .recordTooLong: "write fewer commits in one record, or past the journal"
    case .full: "wait for the checkpoint, or see why it fails"
    case .outcomeUnknown, .poisoned:
      "make a checkpoint, or open the store again and compare its last sequence"
    case .busy: "try again when that has gone on or ended: it may have been stopped"
    case .forked: "open the store again in this process"
    }
  }

  private static func message(_ number: Int32) -> String {
    guard let text = unsafe strerror(number) else { return "" }
    return unsafe String(cString: text)
  }
}
