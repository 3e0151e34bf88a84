import Foundation

/// What a delivery finds of a message that is there.
struct NamedRow {
  var id: Int64 = 0
  var conversation: Int64 = 0
  var sender = ""
  var position: Int64 = 0
  var sentAt: Int64?
  var receivedAt: Int64?
  var editedAt: Int64?
  var deletedAt: Int64?
}

/// The last message of a conversation.
struct LastRow {
  var id: Int64
  var position: Int64
  var receivedAt: Int64?
}

/// Where the steps of a message's life go: the same work for plain SQLite and GRDB.
protocol LifeSink {
  func setContent(_ content: PartValues, part: Int64) throws
  /// - Returns: Whether there is such a message that was not deleted; so do the next two.
  func setEdited(_ message: Int64, at date: Int64?, now: Int64) throws -> Bool
  func setDeleted(_ message: Int64, at date: Int64, now: Int64) throws -> Bool
  func setConfirmed(_ message: Int64, _ confirmation: Confirmation, now: Int64) throws -> Bool
  func removeParts(of message: Int64) throws
  func last(of conversation: Int64) throws -> LastRow?
  func setLast(_ last: LastRow, of conversation: Int64, isSame: Bool) throws
  /// - Returns: Nil if no message has the name.
  func row(named name: String) throws -> NamedRow?
  func parts(of message: Int64) throws -> [PartValues]
}

/// A step that cannot be taken: the message is not as the step expects it.
struct LifeError: Error, CustomStringConvertible {
  let description: String
}

extension LifeSink {
  private var now: Int64 { Int64(Date.now.timeIntervalSince1970 * 1e6) }

  private func require(_ isDone: Bool, _ message: String) throws {
    if !isDone {
      throw LifeError(description: "\(message) is not there, or was deleted, or is confirmed already")
    }
  }

  /// Replaces the text that a message begins with.
  func edit(_ edit: KnownMessage) throws {
    try require(setEdited(edit.row, at: edit.record.editedAt, now: now), edit.record.identifier)
    try setContent(edit.record.parts[0], part: edit.row * 1024)
  }

  /// Deletes a message for everyone.
  func withdraw(_ message: KnownMessage, at date: Int64) throws {
    try require(setDeleted(message.row, at: date, now: now), message.record.identifier)
    try removeParts(of: message.row)
  }

  /// Confirms a draft. A delivery that has overtaken the confirmation would have to be joined to it: there is none.
  func confirm(_ draft: Int64, in conversation: Int64, _ confirmation: Confirmation) throws {
    guard try row(named: confirmation.remoteID) == nil else {
      throw LifeError(description: "\(confirmation.remoteID) was delivered before it was confirmed")
    }
    try require(setConfirmed(draft, confirmation, now: now), confirmation.remoteID)
    guard let last = try last(of: conversation) else { return }
    try setLast(last, of: conversation, isSame: last.id == draft)
  }

  /// Merges a delivery of a message that is there: parts are replaced by one that was not edited earlier, and what is the same is
  /// not written. A delivery that moves the message, or has parts of other types, does not occur.
  func merge(_ delivery: KnownMessage) throws {
    let record = delivery.record
    guard let old = try row(named: record.identifier), old.conversation == delivery.conversation.row,
      old.sender == record.sender
    else { throw LifeError(description: "\(record.identifier) is not there, or another message's name") }
    guard old.position == record.position, old.sentAt == record.sentAt, old.receivedAt == record.receivedAt
    else { throw LifeError(description: "\(record.identifier) is moved by its delivery") }
    guard old.deletedAt == nil, old.editedAt ?? .min <= record.editedAt ?? .min else { return }
    let parts = try parts(of: old.id)
    guard parts.map(\.mimeType) == record.parts.map(\.mimeType), parts.map(\.kind) == record.parts.map(\.kind)
    else { throw LifeError(description: "\(record.identifier) has other parts in its delivery") }
    var isChanged = old.editedAt != record.editedAt
    for (place, (part, new)) in zip(parts, record.parts).enumerated()
    where part.size != new.size || part.text != new.text || part.data != new.data {
      try setContent(new, part: old.id * 1024 + Int64(place))
      isChanged = true
    }
    if isChanged { _ = try setEdited(old.id, at: record.editedAt, now: now) }
  }
}
