public import Satchel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension MessageStore {
  /// Where an export is written to.
  public struct ExportTarget: Sendable {
    enum Target: Sendable {
      case file(URL)
      case descriptor(Int32)
    }

    let target: Target

    /// A file. It is written under a name that nobody can guess, readable for its owner only, and takes its place when
    /// it is complete and synced: an export that fails leaves an earlier file as it was. A link at the path is
    /// replaced, its target stays. A file of a store is refused. A device or a pipe is written directly.
    public static func file(_ url: URL) -> ExportTarget { ExportTarget(target: .file(url)) }

    /// An open file, a pipe or a socket, from its current offset. It is neither synced nor closed. If the export fails,
    /// what has been written lacks its last line, so that no import takes it.
    public static func descriptor(_ descriptor: Int32) -> ExportTarget {
      ExportTarget(target: .descriptor(descriptor))
    }
  }

  /// How far an export has come.
  public struct ExportProgress: Sendable, Hashable {
    /// The number of objects written so far; in an export of changes, of objects that have changed.
    public let objects: Int
    /// The number of objects that there will be at the end.
    public let totalObjects: Int
    /// The number of bytes written so far.
    public let bytes: Int
  }

  /// A report of a finished export.
  public struct Export: Sendable, Hashable {
    /// The last commit whose changes are in the export: `since` of the next export of changes.
    public let sequence: UInt64
    /// The number of identities that were written.
    public let identities: Int
    /// The number of conversations that were written.
    public let conversations: Int
    /// The number of messages that were written.
    public let messages: Int
    /// The number of announcements that were written.
    public let announcements: Int
    /// The number of records of applications that were written.
    public let records: Int
    /// The number of declarations of record types that were written: one for each type, and another for each with fields that refer to types
    /// declared later. In an export of changes 0 if no record has changed.
    public let recordTypes: Int
    /// The number of declared indexes that were written; 0 in an export of changes.
    public let indexes: Int
    /// The number of `update` lines that were written; 0 in an export of everything.
    public let updates: Int
    /// The number of `delete` lines that were written; 0 in an export of everything.
    public let deletions: Int
    /// The number of lines of more than 64 MiB, which no import takes.
    public let overlongLines: Int
    /// The number of bytes that were written, the header and the trailer included.
    public let bytes: Int
  }
}
