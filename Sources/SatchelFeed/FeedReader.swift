internal import SatchelCoding
internal import SatchelModel
package import SatchelReading
import SatchelText

/// Consecutive commits, as a consumer of the feed gets them.
package struct FeedBatch {
  package let commits: [StoreCommit]
  /// The last commit that was read, with or without changes.
  package let position: UInt64
  /// The number of the snapshot, if the batch reaches the snapshot's last commit; nil if more commits follow.
  package let lastTransaction: UInt64?
}

/// Makes commits from entries of the change log.
package struct FeedReader {
  private let snapshot: Snapshot
  private var values: FeedValues
  private var later: LaterValues

  /// Returns the commits after a given one: all of them, but at most 1,000 and about a megabyte of the log. Nil if the
  /// log no longer goes back that far.
  package static func read(after commit: UInt64, _ snapshot: Snapshot) throws -> FeedBatch? {
    var entries: [(commit: UInt64, entry: ChangeLogEntry)] = []
    var bytes = 0
    var later: LaterValues?
    let isComplete = try snapshot.forEachEntry(after: commit) { number, entry, size in
      if later == nil, entries.count < maximumCommits, bytes < maximumBytes {
        entries.append((number, entry))
        bytes += size
      } else {
        if later == nil { later = LaterValues(of: entries) }
        later?.append(entry)
      }
    }
    guard isComplete else { return nil }
    var reader = FeedReader(snapshot, later ?? LaterValues(of: entries))
    var commits: [StoreCommit] = []
    for (number, entry) in entries.reversed() { commits.append(try reader.commit(number, entry)) }
    let end = max(commit, snapshot.seal.commit)
    return FeedBatch(
      commits: commits.reversed(), position: later == nil ? end : entries.last?.commit ?? end,
      lastTransaction: later == nil ? snapshot.number : nil)
  }

  private init(_ snapshot: Snapshot, _ later: LaterValues) {
    self.snapshot = snapshot
    self.later = later
    values = FeedValues(snapshot)
  }

  private static let maximumBytes = 1 << 20
  private static let maximumCommits = 1000

  /// Makes the commit of an entry. Commits are made from the last to the first.
  private mutating func commit(_ number: UInt64, _ entry: ChangeLogEntry) throws -> StoreCommit {
    var changes: [ObjectChange] = []
    for change in entry.changes {
      if let change = try self.change(change) { changes.append(change) }
    }
    var bulkChanges: [BulkChange] = []
    for range in entry.ranges {
      if let change = try bulkChange(range) { bulkChanges.append(change) }
    }
    later.prepend(entry)
    return StoreCommit(sequence: number, changes: changes, bulkChanges: bulkChanges)
  }

  private mutating func change(_ change: LoggedChange) throws -> ObjectChange? {
    guard let object = try name(of: change.object) else { return nil }
    let conversation = try conversation(of: change.object)
    switch change.action {
    case .created: return ObjectChange(object: object, in: conversation, action: .created)
    case .deleted:
      // A value that the same transaction gave the object before deleting it was never committed.
      var properties = try fields(of: change).compactMap { field, before in
        before == .missing
          ? nil
          : PropertyChange(
            property: try spelling(field, isRecord: change.object.isRecord), before: before, after: .missing)
      }
      let statuses = try statuses(change.recipients.map { ($0.user, $0.before) })
      if !statuses.isEmpty {
        properties.append(
          PropertyChange(property: Self.statuses, before: .statuses(statuses), after: .missing))
      }
      return ObjectChange(
        object: object, in: conversation, action: .deleted, properties: properties,
        formerParts: try formerParts(of: change))
    case .updated:
      var properties: [PropertyChange] = []
      for (field, before) in try fields(of: change) {
        let after = try self.after(field, change.object)
        // Changed by the transaction, and changed back.
        if before == after, before != .unknown { continue }
        properties.append(
          PropertyChange(
            property: try spelling(field, isRecord: change.object.isRecord), before: before, after: after))
      }
      if let change = try changeOfStatuses(change) { properties.append(change) }
      return properties.isEmpty
        ? nil
        : ObjectChange(
          object: object, in: conversation, action: .updated, properties: properties,
          formerParts: try formerParts(of: change))
    }
  }

  private mutating func conversation(of object: ObjectRow) throws -> Conversation.ID? {
    guard case .message(let key) = object, !key.isAnnouncement,
      case .conversation(let id)? = try name(of: .conversation(key.conversation))
    else { return nil }
    return id
  }

  private static let statuses = "recipientStatus"

  /// Returns how the statuses of recipients differ; nil if they do not, or if the log does not say what they were.
  private mutating func changeOfStatuses(_ change: LoggedChange) throws -> PropertyChange? {
    var before: [(UInt32, RecipientStatus?)] = []
    var after: [(UInt32, RecipientStatus?)] = []
    var isKnown = true
    for recipient in change.recipients {
      let field = LoggedField.recipient(recipient.user)
      let later: LoggedValue =
        switch self.later.value(of: field, change.object) {
        case .value(let value): value
        case .current: try values.current(field, of: change.object)
        }
      var status: RecipientStatus?
      switch later {
      case .word(let word): status = UInt8(exactly: word).flatMap(RecipientStatus.init(rawValue:))
      case .missing: status = nil
      case .text, .scalar, .list, .reference, .long: isKnown = false
      }
      if isKnown, status == recipient.before { continue }
      before.append((recipient.user, recipient.before))
      after.append((recipient.user, status))
    }
    guard !before.isEmpty else { return nil }
    return PropertyChange(
      property: Self.statuses, before: .statuses(try statuses(before)),
      after: isKnown ? .statuses(try statuses(after)) : .unknown)
  }

  private func statuses(
    _ entries: [(user: UInt32, status: RecipientStatus?)]
  ) throws -> [Identity.ID: RecipientStatus] {
    var statuses: [Identity.ID: RecipientStatus] = [:]
    for (user, status) in entries { statuses[Identity.ID(try snapshot.users.text(user))] = status }
    return statuses
  }

  /// Returns what is known of the parts that an edit has replaced or removed.
  private func formerParts(of change: LoggedChange) throws -> [FormerPart] {
    try change.contents?.parts.map { part in
      FormerPart(
        index: Int(clamping: part.index), mimeType: try snapshot.mimeTypes.text(part.mimeType),
        size: part.size, length: Int64(clamping: part.length), digest: part.content?.digest,
        beginning: part.content?.beginning)
    } ?? []
  }

  /// Returns the fields that a change names, with their values before it.
  private mutating func fields(
    of change: LoggedChange
  ) throws -> [(field: LoggedField, before: ChangedValue)] {
    var fields: [(field: LoggedField, before: ChangedValue)] = []
    let named = change.properties.union(LoggedProperties(change.before.map(\.property)))
    for property in named.properties where property != .identifier && property != .contents {
      if property == .metadata, !change.metadata.isEmpty { continue }
      if property == .recipientStatus, !change.recipients.isEmpty { continue }
      let field = LoggedField.property(property)
      fields.append((field, try value(change.before(property) ?? .long, field, change.object)))
    }
    for entry in change.metadata {
      let field = LoggedField.metadata(entry.path)
      fields.append((field, try value(entry.before, field, change.object)))
    }
    return fields
  }

  private mutating func after(_ field: LoggedField, _ object: ObjectRow) throws -> ChangedValue {
    switch later.value(of: field, object) {
    case .value(let value): try self.value(value, field, object)
    case .current: try self.value(values.current(field, of: object), field, object)
    }
  }

  private mutating func name(of object: ObjectRow) throws -> ChangedObject? {
    try values.name(of: object, later.identifier(of: object))
  }

  private mutating func bulkChange(_ range: RangeChange) throws -> BulkChange? {
    var actions: Set<ObjectChange.Action> = []
    if range.actions.contains(.created) { actions.insert(.created) }
    if range.actions.contains(.updated) { actions.insert(.updated) }
    if range.actions.contains(.deleted) { actions.insert(.deleted) }
    let scope: BulkChange.Scope
    switch range.scope {
    case .importNumber: scope = .everything
    case .conversation(let row):
      // A conversation that cannot be named was deleted by a later bulk change of everything.
      guard case .conversation(let id)? = try name(of: .conversation(row)) else { return nil }
      scope = .conversation(id)
    }
    return BulkChange(scope: scope, actions: actions, count: Int(clamping: range.count))
  }

  /// Returns the value that a logged value stands for.
  private mutating func value(
    _ logged: LoggedValue, _ field: LoggedField, _ object: ObjectRow
  ) throws -> ChangedValue {
    switch (logged, field) {
    case (.missing, _): return .missing
    case (.long, _): return .unknown
    case (.scalar(let scalar), _):
      switch scalar {
      case .boolean(let value): return .boolean(value)
      case .integer(let value): return .number(value)
      case .number(let bits): return .double(Double(bitPattern: bits))
      case .date(let microseconds): return .date(Timestamp(microseconds: microseconds))
      }
    case (.text(let bytes), _): return .text(String(decoding: bytes, as: UTF8.self))
    case (.list(let texts), _): return .list(texts.map { String(decoding: $0, as: UTF8.self) })
    case (.reference(let bytes), _):
      return unsafe bytes.withUnsafeBytes { unsafe Reference(keyBytes: $0) }.map { .reference($0) }
        ?? .unknown
    case (.word(let word), .metadata), (.word(let word), .recipient): return .number(word)
    case (.word(let word), .property(let property)): return try value(word, property, object)
    }
  }

  /// Returns the value that a logged number stands for: itself, or what has this number.
  private mutating func value(
    _ word: Int64, _ property: LoggedProperty, _ object: ObjectRow
  ) throws -> ChangedValue {
    switch property {
    case .sender, .lastSender, .owner, .updatedBy:
      return .text(try snapshot.users.text(UInt32(truncatingIfNeeded: word)))
    case .typeSet:
      let members = try snapshot.typeSets.members(UInt32(truncatingIfNeeded: word))
      return .list(try members.map { try snapshot.mimeTypes.text($0) }.sorted(by: UTF8Order.isLess))
    case .participantSet:
      let members = try snapshot.participantSets.members(UInt32(truncatingIfNeeded: word))
      return .list(try members.map { try snapshot.users.text($0) }.sorted(by: UTF8Order.isLess))
    case .lastMessage:
      guard case .conversation(let row) = object else { return .unknown }
      let key = MessageKey(conversation: row, sequence: UInt64(bitPattern: word))
      guard case .message(let id)? = try name(of: .message(key)) else { return .unknown }
      return .text(id.rawValue)
    case .isVisible: return .boolean(word != 0)
    default:
      switch property.property?.type {
      case .date: return .date(Timestamp(microseconds: word))
      case .boolean: return .boolean(word != 0)
      case .enumeration(let enumeration):
        return enumeration.name(of: word).map { .text($0) } ?? .number(word)
      case .number, .text, .bytes, .custom, .participants, .metadata, nil: return .number(word)
      }
    }
  }

  /// - Parameter isRecord: Whether it is of a record of an application, whose fields are named by themselves.
  private func spelling(_ field: LoggedField, isRecord: Bool) throws -> String {
    switch field {
    case .metadata(let path):
      (isRecord ? "" : "metadata.") + (try snapshot.metadataPath(path).description)
    case .property(.metadata) where isRecord: "fields"
    case .property(let property): property.spelling
    case .recipient: Self.statuses
    }
  }
}

extension LoggedProperty {
  /// The property as the predicate language spells it; for what no query asks for, its name in the log.
  fileprivate var spelling: String { property?.path.joined(separator: ".") ?? "\(self)" }
}

extension ObjectRow {
  fileprivate var isRecord: Bool { if case .record = self { true } else { false } }
}
