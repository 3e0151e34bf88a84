public import Satchel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension MessageStore {
  /// Where an import reads its lines from.
  public struct ImportSource: Sendable {
    enum Source: Sendable {
      case file(URL)
      case descriptor(Int32)
      case bytes([UInt8])
      case pieces(@Sendable () throws -> [UInt8]?)
    }

    let source: Source

    /// A file. Of a regular file the import knows the size, and tells it with the progress.
    public static func file(_ url: URL) -> ImportSource { ImportSource(source: .file(url)) }

    /// An open file, a pipe or a socket, from its current offset to its end. It is not closed. If the import fails, more
    /// of it may have been read than lines were taken.
    public static func descriptor(_ descriptor: Int32) -> ImportSource {
      ImportSource(source: .descriptor(descriptor))
    }

    /// Bytes that are in memory, such as an array, `Data` or the UTF-8 of a string. O(bytes) time and memory.
    public static func bytes(_ bytes: some Sequence<UInt8>) -> ImportSource {
      ImportSource(source: .bytes(Array(bytes)))
    }

    /// A closure that returns the next bytes, any number of them, and nil at the end; lines may be cut anywhere.
    ///
    /// One thread at a time calls it: first that of the import, then another that reads ahead. What it throws ends the
    /// import and is passed on. An import that fails waits for a call that has begun.
    public static func pieces(_ next: @escaping @Sendable () throws -> [UInt8]?) -> ImportSource {
      ImportSource(source: .pieces(next))
    }
  }

  /// How far an import has come.
  public struct ImportProgress: Sendable, Hashable {
    /// The number of lines taken so far, the header and empty lines included.
    public let lines: Int
    /// The number of bytes of the lines taken so far.
    public let bytes: Int
    /// The number of bytes that there will be at the end; nil for a pipe or a closure before its end.
    public let totalBytes: Int?
  }

  /// A key of an imported line that the format does not have.
  public struct UnknownKey: Sendable, Hashable {
    /// The key, up to its 100th scalar.
    public let name: String
    /// The number of the first line that has it, counted from 1.
    public let line: Int
  }

  /// A line that an import has left out.
  public struct RejectedLine: Sendable, Hashable {
    /// The number of the line, counted from 1.
    public let line: Int
    /// What is wrong and what would be right, in one line.
    public let reason: String
  }

  /// A report of a finished import.
  public struct Import: Sendable, Hashable {
    /// The number of identities that were added.
    public let identities: Int
    /// The number of conversations that were added.
    public let conversations: Int
    /// The number of messages that were added.
    public let messages: Int
    /// The number of announcements that were added.
    public let announcements: Int
    /// The number of records of applications that were added.
    public let records: Int
    /// The number of declarations of record types that were carried out, also of what was declared already.
    public let recordTypes: Int
    /// The number of indexes that were declared, or were declared already as the lines say.
    public let indexes: Int
    /// The number of `update` lines that were carried out.
    public let updates: Int
    /// The number of `delete` lines that were carried out.
    public let deletions: Int
    /// The number of lines of objects that were there already and were merged into these.
    public let merged: Int
    /// The number of lines of objects that were there already and were ignored.
    public let ignored: Int
    /// The number of lines that were left out.
    public let rejectedLineCount: Int
    /// The first 100 of the lines that were left out, in the order in which they were refused: a line that conflicts
    /// with what others have written meanwhile comes after those that could never be taken.
    public let rejectedLines: [RejectedLine]
    /// The number of keys that were ignored because the format does not have them.
    public let unknownKeys: Int
    /// The first ten different ones of these keys, each with the first line that has it.
    public let firstUnknownKeys: [UnknownKey]

    /// The most lines that ``rejectedLines`` has.
    static let maximumRejectedLines = 100
  }
}
