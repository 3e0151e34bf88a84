internal import SatchelModel

/// Collects the changes of a write for its entry in the change log.
///
/// An object is noted once per flush of the overlay. Later notes of the same object are folded into one change, from
/// its first state to its last. Changes of many messages of one conversation become a range, those of many objects of an import
/// a range for each conversation, then one for everything. Messages that a conversation takes with it as it appears or disappears are a range of any
/// number, beside which other changes of the conversation's messages are listed.
package struct LogBuilder {
  /// The import that the transaction belongs to.
  package var importNumber: UInt32?

  /// Whether an object was created, or something of any length has changed: what a store without room refuses.
  package private(set) var grows = false

  /// The names of messages that the write has deleted for everyone: of what it deletes under these, no contents are kept.
  package private(set) var withdrawn: Set<[UInt8]> = []

  private var changes: [LoggedChange?] = []
  /// The index in `changes` of each object that is not in `created`.
  private var indices: [ObjectRow: Int] = [:]
  /// The index in `changes` of each created message, by ascending sequence. Most changes are of this kind, and most
  /// such messages have no other change.
  private var created: [(sequence: UInt64, index: Int?)] = []
  private var listed = 0
  /// How many messages of each conversation are listed; counted only once there are so many changes that it may matter.
  private var messagesOfConversation: [UInt32: Int]?
  private var ranges: [RangeChange.Scope: Range] = [:]
  /// The conversations of whose messages nothing is listed: too many have changed.
  private var unlisted: Set<UInt32> = []
  /// Whether no conversation's messages are listed: the import has changed too many objects.
  private var listsNoMessages = false
  /// The creation sequences of what the import has added.
  private var added = SequenceRuns()

  private struct Range {
    var actions: RangeChange.Actions = []
    var sequences = SequenceRange()
    var others: UInt64 = 0

    mutating func add(_ other: Range) {
      actions.formUnion(other.actions)
      sequences.add(other.sequences)
      others += other.others
    }
  }

  /// A write that changes more objects than this, spread over many conversations, becomes one range as well, so that a
  /// log entry stays below a few megabytes.
  private static let maximumListed = 20_000
  /// The import number of such a range, which belongs to no import.
  private static let noImport: UInt32 = 0

  package init() {}

  package var isEmpty: Bool { listed == 0 && ranges.isEmpty }

  /// Whether changes are listed one by one: false in an import that has changed too many objects.
  package var isListing: Bool { importNumber.map { ranges[.importNumber($0)] == nil } ?? true }

  /// Whether changes of a conversation are told apart from those of others.
  package var listsConversations: Bool { isListing && ranges[.importNumber(Self.noImport)] == nil }

  /// The entry for the change log.
  package var entry: ChangeLogEntry {
    ChangeLogEntry(
      changes: changes.compactMap { $0 },
      ranges: ranges.map { scope, range in
        RangeChange(
          scope, range.actions, sequences: range.sequences.closed, count: range.sequences.count + range.others
        )
      }
      .sorted { $0.sequences.lowerBound < $1.sequences.lowerBound },
      added: ranges.isEmpty ? [] : added.ranges)
  }

  /// Notes how an object has changed.
  package mutating func note(_ change: LoggedChange) {
    if change.action == .created || !change.properties.isDisjoint(with: .ofAnyLength) { grows = true }
    if importNumber != nil, change.action == .created, case .message(let key) = change.object {
      added.insert(key.sequence...key.sequence)
    }
    if let scope = scope(of: change.object) {
      add(change, to: scope)
      return boundImport()
    }
    if let index = index(of: change.object), let earlier = changes[index] {
      changes[index] = earlier.followed(by: change)
      if changes[index] == nil {
        removeIndex(of: change.object)
        listed -= 1
        if case .message(let key) = change.object { messagesOfConversation?[key.conversation]? -= 1 }
      }
      return
    }
    addIndex(of: change)
    changes.append(change)
    listed += 1
    if importNumber != nil { return boundImport() }
    if changes.count > ChangeLogEntry.maximumObjects { collapseIfMany(change.object) }
    if listed > Self.maximumListed { collapseAll(into: Self.noImport) }
  }

  /// Forgets what a message that is deleted for everyone had in its parts and metadata earlier in the write, and what is deleted in
  /// it under one of its names.
  package mutating func forgetContents(of key: MessageKey, names: [[UInt8]]) {
    if let index = index(of: .message(key)) { _ = changes[index]?.forgetContents() }
    withdrawn.formUnion(names)
    for index in changes.indices where changes[index]?.deletes(names) == true {
      _ = changes[index]?.forgetContents()
    }
  }

  /// Notes a change of so many messages of a conversation that they are not listed. Nor are later changes of its messages:
  /// what these had before the write is no longer known.
  package mutating func noteRange(
    of conversation: UInt32, _ action: RangeChange.Actions, _ sequences: SequenceRange
  ) {
    guard sequences.count > 0 else { return }
    if listsConversations { unlisted.insert(conversation) }
    addRange(of: conversation, action, sequences, isListed: listsConversations)
  }

  /// Notes that messages of a conversation appear or disappear with it: nothing in their records has changed.
  package mutating func noteMove(of conversation: UInt32, _ sequences: SequenceRange) {
    guard sequences.count > 0 else { return }
    addRange(of: conversation, .updated, sequences, isListed: isListing)
  }

  private mutating func addRange(
    of conversation: UInt32, _ action: RangeChange.Actions, _ sequences: SequenceRange, isListed: Bool
  ) {
    let scope =
      isListed
      ? RangeChange.Scope.conversation(conversation) : .importNumber(importNumber ?? Self.noImport)
    ranges[scope, default: Range()].actions.formUnion(action)
    ranges[scope, default: Range()].sequences.add(sequences)
  }

  /// Whether each of so many changes of objects of one kind is listed; if not, what they are need not be said.
  package func lists(_ count: Int) -> Bool {
    importNumber == nil ? listsConversations && count <= Self.maximumListed : isListing
  }

  /// Notes the deletion of objects that are no messages, none of which is listed.
  package mutating func noteDeletions(_ count: Int) {
    let number = importNumber ?? Self.noImport
    collapseAll(into: number)
    ranges[.importNumber(number), default: Range()].actions.insert(.deleted)
    ranges[.importNumber(number), default: Range()].others += UInt64(count)
  }

  /// Notes a change of definitions, which names no object.
  package mutating func noteDefinitions() {
    let scope = RangeChange.Scope.importNumber(importNumber ?? Self.noImport)
    if ranges[scope] == nil { ranges[scope] = Range() }
  }

  /// Adds the notes of a later write.
  package mutating func add(_ later: LogBuilder) {
    for case let change? in later.changes { note(change) }
    unlisted.formUnion(later.unlisted)
    listsNoMessages = listsNoMessages || later.listsNoMessages
    for (scope, range) in later.ranges { ranges[scope, default: Range()].add(range) }
    for run in later.added.ranges { added.insert(run) }
  }

  /// Returns the range that already covers changes of an object, or nil.
  private func scope(of object: ObjectRow) -> RangeChange.Scope? {
    if let importNumber, !isListing { return .importNumber(importNumber) }
    if ranges[.importNumber(Self.noImport)] != nil { return .importNumber(Self.noImport) }
    if case .message(let key) = object, !key.isAnnouncement,
      listsNoMessages || unlisted.contains(key.conversation)
    {
      return .conversation(key.conversation)
    }
    return nil
  }

  private mutating func add(_ change: LoggedChange, to scope: RangeChange.Scope) {
    var range = ranges[scope] ?? Range()
    switch change.action {
    case .created: range.actions.insert(.created)
    case .updated: range.actions.insert(.updated)
    case .deleted: range.actions.insert(.deleted)
    }
    if case .message(let key) = change.object {
      range.sequences.add(key.sequence)
    } else {
      range.others += 1
    }
    ranges[scope] = range
  }

  /// Replaces the changes of a message's conversation by a range if they have become too many.
  private mutating func collapseIfMany(_ object: ObjectRow) {
    guard case .message(let key) = object, !key.isAnnouncement else { return }
    var counts = messagesOfConversation ?? [:]
    if messagesOfConversation != nil {
      messagesOfConversation = nil  // So that `counts` is the only one.
      counts[key.conversation, default: 0] += 1
    } else {
      for case .message(let key)? in changes.lazy.map({ $0?.object }) where !key.isAnnouncement {
        counts[key.conversation, default: 0] += 1
      }
    }
    let isMany = counts[key.conversation, default: 0] > ChangeLogEntry.maximumObjects
    messagesOfConversation = counts
    if isMany { collapse(conversation: key.conversation) }
  }

  private mutating func collapse(conversation: UInt32) {
    unlisted.insert(conversation)
    collapse { $0 == conversation }
  }

  /// Replaces the changes of messages by ranges of those conversations that are chosen.
  private mutating func collapse(_ isChosen: (UInt32) -> Bool) {
    for index in changes.indices {
      guard let change = changes[index], case .message(let key) = change.object, !key.isAnnouncement,
        isChosen(key.conversation)
      else { continue }
      changes[index] = nil
      removeIndex(of: change.object)
      listed -= 1
      add(change, to: .conversation(key.conversation))
    }
  }

  /// In an import that has changed too many objects, replaces the changes of messages by a range for each conversation; and everything
  /// by one range if too many ranges or other objects are left.
  private mutating func boundImport() {
    guard let importNumber, isListing else { return }
    if listed > ChangeLogEntry.maximumImported, !listsNoMessages {
      listsNoMessages = true
      collapse { _ in true }
    }
    guard max(listed, ranges.count) > ChangeLogEntry.maximumImported else { return }
    var all = Range()
    for range in ranges.values { all.add(range) }
    ranges = [.importNumber(importNumber): all]
    collapseAll(into: importNumber)
  }

  private mutating func collapseAll(into number: UInt32) {
    for case let change? in changes { add(change, to: .importNumber(number)) }
    changes.removeAll()
    indices.removeAll()
    created.removeAll()
    listed = 0
  }

  // MARK: Indices of changes

  private func index(of object: ObjectRow) -> Int? {
    if case .message(let key) = object, let found = findCreated(key), let index = created[found].index {
      return index
    }
    return indices.isEmpty ? nil : indices[object]
  }

  private mutating func addIndex(of change: LoggedChange) {
    if case .message(let key) = change.object, change.action == .created,
      created.last.map({ $0.sequence < key.sequence }) ?? true
    {
      created.append((key.sequence, changes.count))
    } else {
      indices[change.object] = changes.count
    }
  }

  private mutating func removeIndex(of object: ObjectRow) {
    if case .message(let key) = object, let found = findCreated(key), created[found].index != nil {
      created[found].index = nil
    } else {
      indices[object] = nil
    }
  }

  /// Returns the index in `created` of a message, or nil. No other object has its sequence.
  private func findCreated(_ key: MessageKey) -> Int? {
    guard let last = created.last, key.sequence <= last.sequence else { return nil }
    var low = 0
    var high = created.count - 1
    while low < high {
      let middle = (low + high) / 2
      if created[middle].sequence < key.sequence { low = middle + 1 } else { high = middle }
    }
    return created[low].sequence == key.sequence ? low : nil
  }
}

extension LoggedProperties {
  /// Those whose values may take any room.
  fileprivate static let ofAnyLength = LoggedProperties([
    .metadata, .recipientStatus, .parts, .contents, .displayName, .firstName, .lastName, .emailAddress,
    .phoneNumber,
    .avatarURL, .publicKey, .remoteID,
  ])
}
