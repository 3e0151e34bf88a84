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
/// Reads see one snapshot each and never wait for writers; writes are atomic and run one at a time, across threads and
/// processes. A store may be used from any thread and any number of processes at once.
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
  /// The engine underneath.
  package let base: Store
  /// What keeps live queries up to date.
  package let live: LiveFeed

  /// Opens the store in a directory; creates it where there is none, unless the options say otherwise.
  /// - Parameter user: Whose store it is: queries show what that user can see.
  /// - Throws: ``SatchelError`` `wrongUser` for a store of another user, `noSuchStore`, `notAStore`, `newerFormat`,
  ///   `corrupted`, `permissionDenied`, `invalidIdentifier` or `io`.
  public convenience init(at directory: URL, user: Identity.ID, options: Options = Options()) throws {
    try self.init(path: directory.path, user: user, options: options)
  }

  /// Opens the store in a directory; creates it where there is none, unless the options say otherwise.
  /// - Throws: As the other initializer.
  public init(path: String, user: Identity.ID, options: Options = Options()) throws {
    base = try Store.open(directory: path, user: user.rawValue, options: options.ofStore)
    live = LiveFeed(base)
  }

  /// Opens a store that exists, whoever its user is.
  /// - Throws: As the other initializers.
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

  /// Ends the use of the store: later reads and writes throw `closed`. A store that is no longer referenced closes by
  /// itself.
  public func close() { base.close() }
}

extension MessageStore {
  /// What a commit guarantees when it returns.
  public enum Durability: Sendable, Hashable {
    /// It survives the end of the process and the loss of power: two syncs, of the data and then of the page that makes
    /// them the store's. Nothing that has returned is lost, as far as the drive keeps what it has synced.
    case full
    /// It survives the end of the process, however that ends. The loss of power may undo the last write that has returned,
    /// and those that it was committed together with; earlier ones only if the drive does not keep what it has synced. The
    /// store is sound in any case, and what is undone is undone whole. One sync.
    case relaxed
  }

  /// How to open a store.
  public struct Options: Sendable {
    /// Whether a store that does not exist is created.
    public var createsIfMissing = true
    /// Whether writes are refused.
    public var isReadOnly = false
    /// What a commit guarantees.
    public var durability = Durability.full
    /// The most bytes that the file may grow to; nil for the engine's own limit.
    public var maximumFileBytes: Int?

    /// Seconds after which a write throws `busy` when another process is writing all the time; nil to wait for as long as
    /// it takes. The time counts from the call. Of several opens of a store in one process the first decides.
    public var writeWait: Double?
    /// Called once a second, on the thread of the write, while one waits for another process: with the number of that
    /// process, nil where the system does not tell it, and the seconds so far. As with ``writeWait`` the first open decides.
    public var onWriteWait: (@Sendable (_ process: Int32?, _ seconds: Double) -> Void)?
    /// The usual options.
    public init() {}

    var ofStore: Store.Options {
      var options = Store.Options()
      options.create = createsIfMissing
      options.readOnly = isReadOnly
      options.durability = durability == .full ? .full : .relaxed
      options.writerWait = writeWait
      if let onWriteWait { options.onWriterWait = { onWriteWait($0.process, $0.seconds) } }
      if let maximumFileBytes { options.maximumFileBytes = maximumFileBytes }
      options.aggregateEvaluator = QueryAggregateEvaluator()
      options.companion = ReadCompanion()
      return options
    }
  }
}
