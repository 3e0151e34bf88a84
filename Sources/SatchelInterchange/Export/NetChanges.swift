import SatchelCoding
import SatchelModel
import SatchelReading
import SatchelStorage

/// The changes that all commits after a given one have made to a store, one for each object: how the object differs
/// now from what it was at that commit.
struct NetChanges {
  /// Objects that existed then and exist now, with the properties that may differ.
  private(set) var updated: [ObjectRow: Update] = [:]
  /// Objects that did not exist then and exist now.
  private(set) var created: Set<ObjectRow> = []
  /// Objects that existed then and do not exist now, with their identifiers.
  private(set) var deleted: [ObjectRow: String] = [:]

  struct Update {
    var properties: LoggedProperties = []
    /// Whether all properties may differ, because the log does not say which ones have changed.
    var isWhole = false

    func has(_ property: LoggedProperty) -> Bool { isWhole || properties.contains(property) }
  }

  /// Whether a record of an application has come, changed or gone.
  var concernsRecords: Bool {
    [Set(updated.keys), created, Set(deleted.keys)].contains { objects in
      objects.contains { if case .record = $0 { true } else { false } }
    }
  }

  private let snapshot: Snapshot
  private var ranges: [ListedRange] = []

  /// A range of a commit, and what that commit has added if it belongs to an import.
  private struct ListedRange {
    let commit: UInt64
    let range: RangeChange
    let added: [ClosedRange<UInt64>]

    /// Whether the range says that a message of its conversation did not exist before the commit.
    func created(_ sequence: UInt64) -> Bool {
      guard range.sequences.contains(sequence) else { return false }
      guard !added.isEmpty else { return range.actions == .created }
      return added.contains { $0.contains(sequence) }
    }
  }

  /// Reads the change log. Takes memory for what the log names, which is at most its 16 MB.
  /// - Throws: ``SatchelError`` `logTrimmed` if the log does not reach back to that commit, or does not list what a
  ///   commit has changed; `invalidValue` for a commit that has not happened.
  init(after commit: UInt64, _ snapshot: Snapshot) throws {
    self.snapshot = snapshot
    guard commit <= snapshot.seal.commit else {
      throw SatchelError(
        .invalidValue, "The store has not come to that commit: it may be another store than the one meant",
        ["since": String(commit), "last": String(snapshot.seal.commit)])
    }
    var net: [ObjectRow: LoggedChange] = [:]
    var ranges: [ListedRange] = []
    let isComplete = try snapshot.forEachEntry(after: commit) { number, entry, _ in
      for change in entry.changes {
        net[change.object] = net[change.object].map { $0.followed(by: change) } ?? change
      }
      for range in entry.ranges where range.count > 0 {
        ranges.append(ListedRange(commit: number, range: range, added: entry.added))
      }
    }
    guard isComplete else {
      throw SatchelError(
        .logTrimmed, "The change log no longer reaches back that far: make a new backup or a whole export",
        ["since": String(commit), "first": String(snapshot.seal.log.first)])
    }
    self.ranges = ranges
    try take(net)
    for range in ranges { try take(range) }
  }

  private mutating func take(_ net: [ObjectRow: LoggedChange]) throws {
    for (object, change) in net {
      switch change.action {
      case .deleted:
        guard case .text(let identifier)? = change.before(.identifier) else { continue }
        deleted[object] = String(decoding: identifier, as: UTF8.self)
      case .created: if try exists(object) { created.insert(object) }
      case .updated:
        // Properties that a conversation derives from its messages follow from the messages' own changes.
        let properties = change.properties.subtracting(.derived)
        if !properties.isEmpty, try exists(object) { updated[object] = Update(properties: properties) }
      }
    }
    // The deletion of a conversation includes its messages, so they need no deletion of their own.
    for object in deleted.keys {
      guard case .message(let key) = object, !key.isAnnouncement,
        try hasComeSince(key) || snapshot.findConversation(key.conversation) == nil
      else { continue }
      deleted[object] = nil
    }
  }

  /// Whether a message, which the log does not list as created, did not exist at the commit: its conversation is a new one,
  /// or it came with more messages than are listed.
  private func hasComeSince(_ key: MessageKey) -> Bool {
    created.contains(.conversation(key.conversation))
      || ranges.contains { $0.range.scope == .conversation(key.conversation) && $0.created(key.sequence) }
  }

  private mutating func take(_ listed: ListedRange) throws {
    let range = listed.range
    guard case .conversation(let row) = range.scope else { throw Self.unlisted(listed.commit) }
    // The deletion of a conversation includes everything in it.
    guard try snapshot.findConversation(row) != nil else { return }
    let isNew = created.contains(.conversation(row))
    let isOfImport = !listed.added.isEmpty && !range.actions.contains(.deleted)
    guard isNew || isOfImport || range.actions == .created || range.actions == .updated else {
      throw Self.unlisted(listed.commit)
    }
    let start = MessageKey(conversation: row, sequence: range.sequences.lowerBound)
    var keys: [MessageKey] = []
    try snapshot.scanMessages(from: start) { key, _ in
      guard key.conversation == row, key.sequence <= range.sequences.upperBound else { return false }
      keys.append(key)
      return true
    }
    for key in keys where !created.contains(.message(key)) {
      if isNew || listed.created(key.sequence) {
        created.insert(.message(key))
        updated[.message(key)] = nil
      } else if range.actions.contains(.updated) {
        updated[.message(key), default: Update()].isWhole = true
      }
    }
  }

  /// Returns whether an object exists now. A message needs a conversation that exists: the records of a deleted
  /// conversation's messages are removed little by little.
  private func exists(_ object: ObjectRow) throws -> Bool {
    switch object {
    case .conversation(let row): try snapshot.findConversation(row) != nil
    case .identity(let row): try snapshot.findIdentity(row) != nil
    case .record(let key): try snapshot.findRecord(key) != nil
    case .message(let key):
      try snapshot.message(key) != nil
        && (key.isAnnouncement || snapshot.findConversation(key.conversation) != nil)
    }
  }

  private static func unlisted(_ commit: UInt64) -> SatchelError {
    SatchelError(
      .logTrimmed,
      "A commit has changed more objects at once than the change log lists: make a new backup or a whole export",
      ["commit": String(commit)])
  }
}

extension LoggedProperties {
  /// Properties that a conversation's record derives from its messages.
  fileprivate static let derived = LoggedProperties([
    .isVisible, .messageCount, .unreadCount, .lastMessage, .lastPosition, .lastSentAt, .lastReceivedAt,
    .lastIsUnread, .lastSender,
  ])
}
