internal import SatchelModel
import SatchelText

/// What the log notes of a change: which properties differ, and the former values of those that have a fixed width, are
/// interned or are sort keys. For a deleted object, all these values are noted.
extension LogBuilder {
  /// Notes how a message or an announcement differs; nil stands for one that does not exist.
  /// - Parameters:
  ///   - contents: What is kept of contents in `bodies` that the message had, by part. Of others that it had there nothing is kept.
  ///   - interning: Returns the number of a key path; nil for one that is not to be noted.
  package mutating func note(
    _ key: MessageKey, from old: StoredMessage?, to new: StoredMessage?,
    contents: [Int: LoggedContent] = [:], interning: (String) throws -> UInt32?
  ) throws {
    guard var difference = Difference(.message(key), old == nil, new == nil) else { return }
    if let old, isListing {
      difference.add(.remoteID, text: old.remoteID, new?.remoteID)
      difference.add(.position, old.position, new?.position)
      difference.add(.sentAt, old.sentAt, new?.sentAt)
      difference.add(.receivedAt, old.receivedAt, new?.receivedAt)
      difference.add(.editedAt, old.life.editedAt, new?.life.editedAt)
      difference.add(.deletedAt, old.life.deletedAt, new?.life.deletedAt)
      difference.add(.updatedAt, old.life.updatedAt, new?.life.updatedAt)
      difference.add(.isSent, old.isSent ? 1 : 0, new.map { $0.isSent ? 1 : 0 })
      difference.add(.isUnread, old.isUnread ? 1 : 0, new.map { $0.isUnread ? 1 : 0 })
      difference.add(.sender, Int64(old.sender), new.map { Int64($0.sender) })
      difference.add(.typeSet, Int64(old.typeSet), new.map { Int64($0.typeSet) })
      if new == nil { difference.add(identifier: old.identifier) }
      difference.add(old.recipients, new?.recipients ?? [])
      difference.add(old.parts, new?.parts ?? [], contents, isForgotten: new?.life.deletedAt != nil)
      try difference.add(old.metadata, new?.metadata ?? Metadata(), interning)
      if new?.life.deletedAt != nil || new == nil && isWithdrawn(old) {
        _ = difference.change.forgetContents()
      }
    }
    note(difference)
    if let new, new.life.deletedAt != nil { forgetContents(of: key, names: new.nameBytes) }
  }

  private func isWithdrawn(_ message: StoredMessage) -> Bool {
    !withdrawn.isEmpty && message.nameBytes.contains(where: withdrawn.contains)
  }

  /// Notes that an unread message is read, and that nothing else about it has changed.
  package mutating func noteMarkedRead(_ key: MessageKey) {
    guard var difference = Difference(.message(key), false, false) else { return }
    if isListing { difference.add(.isUnread, 1, 0) }
    note(difference)
  }

  package mutating func note(
    conversation row: UInt32, from old: StoredConversation?, to new: StoredConversation?,
    interning: (String) throws -> UInt32
  ) throws {
    guard var difference = Difference(.conversation(row), old == nil, new == nil) else { return }
    if let old, isListing {
      difference.add(.participantSet, Int64(old.participantSet), new.map { Int64($0.participantSet) })
      difference.add(.remoteID, text: old.remoteID, new?.remoteID)
      difference.add(.createdAt, old.createdAt, new?.createdAt)
      difference.add(.updatedAt, old.updatedAt, new?.updatedAt)
      difference.add(.isDistinct, old.isDistinct ? 1 : 0, new.map { $0.isDistinct ? 1 : 0 })
      difference.add(.isVisible, old.isVisible ? 1 : 0, new.map { $0.isVisible ? 1 : 0 })
      difference.add(
        .messageCount, Int64(bitPattern: old.messageCount), new.map { Int64(bitPattern: $0.messageCount) })
      difference.add(
        .unreadCount, Int64(bitPattern: old.unreadCount), new.map { Int64(bitPattern: $0.unreadCount) })
      difference.add(
        .lastMessage, old.last.map { Int64(bitPattern: $0.sequence) },
        new?.last.map { Int64(bitPattern: $0.sequence) })
      difference.add(.lastPosition, old.last?.position, new?.last?.position)
      difference.add(.lastSentAt, old.last?.sentAt, new?.last?.sentAt)
      difference.add(.lastReceivedAt, old.last?.receivedAt, new?.last?.receivedAt)
      difference.add(
        .lastIsUnread, old.last.map { $0.isUnread ? 1 : 0 }, new?.last.map { $0.isUnread ? 1 : 0 })
      difference.add(.lastSender, old.last.map { Int64($0.sender) }, new?.last.map { Int64($0.sender) })
      if new == nil { difference.add(identifier: old.identifier) }
      try difference.add(old.metadata, new?.metadata ?? Metadata(), interning)
    }
    note(difference)
  }

  package mutating func note(
    identity row: UInt32, from old: StoredIdentity?, to new: StoredIdentity?,
    interning: (String) throws -> UInt32
  ) throws {
    guard var difference = Difference(.identity(row), old == nil, new == nil) else { return }
    if let old, isListing {
      for field in ObjectField.ofIdentities {
        guard let property = field.description.logged else { continue }
        if case .text(let text) = old[field] {
          difference.add(property, text: text.map { Array($0.utf8) }, new?[field].utf8)
        } else {
          difference.add(property, old[field].number, new?[field].number)
        }
      }
      try difference.add(old.metadata, new?.metadata ?? Metadata(), interning)
    }
    note(difference)
  }

  package mutating func note(
    record key: TypedRecordKey, from old: StoredRecord?, to new: StoredRecord?,
    interning: (String) throws -> UInt32
  ) throws {
    guard var difference = Difference(.record(key), old == nil, new == nil) else { return }
    if let old, isListing {
      difference.add(.owner, Int64(old.owner), new.map { Int64($0.owner) })
      difference.add(.updatedBy, Int64(old.updatedBy), new.map { Int64($0.updatedBy) })
      difference.add(.updatedAt, old.updatedAt, new?.updatedAt)
      if new == nil {
        difference.add(.createdAt, old.createdAt, nil)
        difference.add(identifier: old.identifier)
      }
      try difference.add(old.fields, new?.fields ?? Metadata(), interning)
    }
    note(difference)
  }

  private mutating func note(_ difference: Difference) {
    let change = difference.change
    if isListing, change.action == .updated, change.properties.isEmpty { return }
    note(change)
  }
}

extension FieldValue {
  fileprivate var utf8: [UInt8]? {
    if case .text(let text?) = self { Array(text.utf8) } else { nil }
  }
}

/// A change that is being assembled.
private struct Difference {
  var change: LoggedChange

  /// Nil for an object that exists neither before nor after.
  init?(_ object: ObjectRow, _ isCreated: Bool, _ isDeleted: Bool) {
    if isCreated && isDeleted { return nil }
    change = LoggedChange(object, isCreated ? .created : isDeleted ? .deleted : .updated)
  }

  /// Notes a property if it differs.
  mutating func add(_ property: LoggedProperty, _ old: Int64?, _ new: Int64?) {
    if change.action == .deleted {
      if old != nil { change.before.append(BeforeValue(property, LoggedValue(old))) }
    } else if old != new {
      change.properties.insert(property)
      change.before.append(BeforeValue(property, LoggedValue(old)))
    }
  }

  mutating func add(_ property: LoggedProperty, text old: [UInt8]?, _ new: [UInt8]?) {
    if change.action == .deleted {
      if old != nil { change.before.append(BeforeValue(property, LoggedValue(text: old))) }
    } else if old != new {
      change.properties.insert(property)
      change.before.append(BeforeValue(property, LoggedValue(text: old)))
    }
  }

  /// Notes the complete identifier of a deleted object.
  mutating func add(identifier: [UInt8]) {
    change.before.append(BeforeValue(.identifier, .text(identifier)))
  }

  /// Notes the recipients whose statuses differ. Both are sorted by user.
  mutating func add(_ old: [RecipientFields], _ new: [RecipientFields]) {
    guard old != new else { return }
    if change.action != .deleted { change.properties.insert(.recipientStatus) }
    var next = 0
    for recipient in old {
      while next < new.count, new[next].user < recipient.user {
        change.recipients.append(RecipientChange(user: new[next].user, before: nil))
        next += 1
      }
      let isSame = next < new.count && new[next] == recipient
      if next < new.count, new[next].user == recipient.user { next += 1 }
      if !isSame { change.recipients.append(RecipientChange(user: recipient.user, before: recipient.status)) }
    }
    for recipient in new[next...] {
      change.recipients.append(RecipientChange(user: recipient.user, before: nil))
    }
  }

  /// Notes the parts that are not as they were.
  mutating func add(
    _ old: [StoredPart], _ new: [StoredPart], _ contents: [Int: LoggedContent], isForgotten: Bool
  ) {
    guard old != new else { return }
    if change.action != .deleted { change.properties.insert(.parts) }
    guard let former = LoggedContents(from: old, to: new, contents, isForgotten: isForgotten) else { return }
    if change.action != .deleted { change.properties.insert(.contents) }
    change.contents = former
  }

  /// Notes the key paths whose values differ, except those for which `interning` returns nil.
  mutating func add(_ old: Metadata, _ new: Metadata, _ interning: (String) throws -> UInt32?) throws {
    guard !old.hasSameBytes(as: new) else { return }
    if change.action != .deleted { change.properties.insert(.metadata) }
    let before = Self.values(of: old)
    let after = Self.values(of: new)
    var next = 0
    for (path, value) in before {
      while next < after.count, UTF8Order.isLess(after[next].path, path) {
        try add(after[next].path, before: nil, interning)
        next += 1
      }
      let isSame = next < after.count && UTF8Order.areEqual(after[next].path, path)
      if !isSame || !after[next].value.hasSameBytes(as: value) { try add(path, before: value, interning) }
      if isSame { next += 1 }
    }
    for (path, _) in after[next...] { try add(path, before: nil, interning) }
  }

  private mutating func add(
    _ path: String, before: MetadataValue?, _ interning: (String) throws -> UInt32?
  ) throws {
    guard let number = try interning(path) else { return }
    change.metadata.append(MetadataChange(path: number, before: LoggedValue(metadata: before)))
  }

  /// Returns the values of metadata with their key paths, by the bytes of these.
  private static func values(of metadata: Metadata) -> [(path: String, value: MetadataValue)] {
    var values: [(path: String, value: MetadataValue)] = []
    metadata.forEachValue { values.append((MetadataPath($0).stored, $1)) }
    // Keys are in that order, and key paths mostly.
    let isSorted = values.indices.dropFirst().allSatisfy {
      UTF8Order.isLess(values[$0 - 1].path, values[$0].path)
    }
    return isSorted ? values : values.sorted { UTF8Order.isLess($0.path, $1.path) }
  }
}
