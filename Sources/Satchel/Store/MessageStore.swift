package import CommitEngine
import SatchelExecution
package import SatchelLive
package import SatchelStorage

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A store of conversations, messages, parts, announcements and identities, in one directory, for one user.
///
/// Each read sees one snapshot and never waits for writers. Writes are atomic and run one at a time, across threads and
/// processes. Any number of threads and processes may use a store at the same time.
///
/// ```swift
/// let store = try MessageStore(at: directory, user: "alice")
/// let lunch = try store.write { transaction in
///   let lunch = try transaction.conversation(with: ["bob"])
///   try transaction.send([.text("Noon?")], to: lunch.id)
///   return lunch.id
/// }
/// let latest = try store.fetch(Message.filter { $0.conversation == lunch }.order { $0.position.descending }.limit(20))
/// ```
public final class MessageStore: Sendable {
  /// The storage engine.
  package let base: Store
  /// Brings live queries up to date.
  package let live: LiveFeed

  /// Opens the store in a directory. If there is none, creates it, unless the options say otherwise.
  /// - Parameters:
  ///   - directory: The directory of the store, on a local disk; network file systems are not supported.
  ///   - user: The user that the store belongs to. Queries show what this user can see.
  ///   - options: How to open the store.
  /// - Throws: ``SatchelError`` `wrongUser` for a store of another user, `noSuchStore`, `notAStore`, `newerFormat`,
  ///   `corrupted`, `permissionDenied`, `foreignFile`, `invalidIdentifier` or `io`.
  public convenience init(at directory: URL, user: Identity.ID, options: Options = Options()) throws {
    try self.init(path: directory.path, user: user, options: options)
  }

  /// Opens the store in the directory at a path. If there is none, creates it, unless the options say otherwise.
  /// - Throws: As ``init(at:user:options:)``.
  public init(path: String, user: Identity.ID, options: Options = Options()) throws {
    base = try Store.open(directory: path, user: user.rawValue, options: options.ofStore)
    live = LiveFeed(base)
  }

  /// Opens an existing store, whichever user it belongs to. Never creates one.
  /// - Throws: As ``init(at:user:options:)``, but not `wrongUser`.
  public init(existingAt path: String, options: Options = Options()) throws {
    var options = options.ofStore
    options.create = false
    base = try Store.open(directory: path, user: nil, options: options)
    live = LiveFeed(base)
  }

  /// The user that the store belongs to.
  public var user: Identity.ID { Identity.ID(base.user) }

  /// The directory of the store.
  public var path: String { base.directory }

  /// Ends the use of the store: later reads and writes throw `closed`.
  ///
  /// Waits for reads and writes that other threads have begun, if no other object of this process has the same store
  /// open. A store that is no longer referenced is closed automatically.
  public func close() { base.close() }
}

extension MessageStore {
  /// What is guaranteed about a write once it has returned.
  public enum Durability: Sendable, Hashable {
    /// The write survives the end of the process and a loss of power. It takes one sync; a large one takes two. No write
    /// that has returned is lost, if the drive keeps what it has synced.
    case full
    /// The write survives the end of the process, even a crash. A loss of power may undo the last writes that have
    /// returned, from the last one backwards: those that the system had not yet written to the disk, which it does within
    /// half a minute or so. A write is always undone as a whole, and the store is never damaged. It takes no sync.
    case relaxed
  }

  /// Which keys of metadata a store takes.
  public enum MetadataKeys: Sendable, Hashable {
    /// Every text of 1 to 256 UTF-8 bytes without NUL.
    case any
    /// Only names, as Layer took them: 1 to 256 of `A-Z a-z 0-9 _ -`.
    case names
  }

  /// How a store is opened.
  public struct Options: Sendable {
    /// Whether a store that does not exist is created. True by default.
    public var createsIfMissing = true
    /// Whether a store that is created has an index of the metadata of its messages and announcements, so that
    /// `metadata.serverID = "…"` is answered without reading every message. True by default. Writing a message costs a little more for
    /// each value. A store of a format before 11 gets it, beside other work, when it is opened for writing. Other stores keep what they
    /// were created with, whatever they are opened with later.
    public var indexesMessageMetadata = true
    /// Whether the store is opened for reading only: writes then throw `permissionDenied`. False by default.
    public var isReadOnly = false
    /// What is guaranteed about a write once it has returned. ``Durability/full`` by default.
    public var durability = Durability.full
    /// The greatest size of the file, in bytes: a write that needs more throws `storeFull`. Nil for the engine's own
    /// limit.
    public var maximumFileBytes: Int?

    /// The seconds that a write waits, from its call, while another process keeps writing; then it throws `busy`. A large write
    /// waits as long again if another process makes a checkpoint. Nil to wait without limit for a process that writes, and ten
    /// seconds for one that opens or closes the store. If a process opens a store several
    /// times, the value of the first open counts.
    public var writeWait: Double?
    /// Called once a second while a write waits for another process, on the thread of that write. Its arguments are the
    /// other process's number, nil if the system does not tell it, and the seconds waited so far. If a process opens a
    /// store several times, the value of the first open counts.
    public var onWriteWait: (@Sendable (_ process: Int32?, _ seconds: Double) -> Void)?
    /// Whether commits are given up that returned once and cannot be read any more, because the store's file `journal` is damaged
    /// or missing. What is readable of it stays; a damaged one is first copied to `journal.damaged` beside it. False by
    /// default: opening such a store throws `corrupted` or `journalMissing`, which say which commits are missing. Has no effect
    /// on a store that is opened for reading only.
    public var givesUpLostCommits = false
    /// Which keys of metadata writes and imports take. ``MetadataKeys/any`` by default. What is in the store already stays.
    public var metadataKeys = MetadataKeys.any
    /// Which commits go to the journal first.
    package var journal = JournalOptions()
    /// The seconds between two commits that remove what was deleted in bulk; nil if each write takes some of it along instead.
    package var purgePause: Double? = Store.Options().purgePause
    /// Makes the default options.
    public init() {}

    var ofStore: Store.Options {
      var options = Store.Options()
      options.create = createsIfMissing
      options.indexesMessageMetadata = indexesMessageMetadata
      options.readOnly = isReadOnly
      options.durability = durability == .full ? .full : .relaxed
      options.writerWait = writeWait
      if let onWriteWait { options.onWriterWait = { onWriteWait($0.process, $0.seconds) } }
      if let maximumFileBytes { options.maximumFileBytes = maximumFileBytes }
      options.aggregateEvaluator = QueryAggregateEvaluator()
      options.companion = ReadCompanion()
      options.givesUpLostCommits = givesUpLostCommits
      options.journal = journal
      options.purgePause = purgePause
      options.writerEnvironment.metadataKeys = metadataKeys == .names ? .names : .any
      return options
    }
  }
}
