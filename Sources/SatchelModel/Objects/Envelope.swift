/// The properties that messages and announcements have in common.
package struct Envelope: Sendable {
  private let contents: any EnvelopeContents

  package init(_ contents: any EnvelopeContents) { self.contents = contents }

  package init(
    sender: Identity.ID, position: Int64?, sentAt: Timestamp?, receivedAt: Timestamp?, isSent: Bool,
    isUnread: Bool,
    parts: [MessagePart], recipientStatus: [RecipientStatusEntry], metadata: Metadata
  ) {
    contents = EnvelopeValues(
      sender: sender, position: position, sentAt: sentAt, receivedAt: receivedAt, isSent: isSent,
      isUnread: isUnread, parts: parts, recipientStatus: recipientStatus, metadata: metadata)
  }

  package var sender: Identity.ID { contents.sender }
  package var position: Int64? { contents.position }
  package var sentAt: Timestamp? { contents.sentAt }
  package var receivedAt: Timestamp? { contents.receivedAt }
  package var isSent: Bool { contents.isSent }
  package var isUnread: Bool { contents.isUnread }
  package var parts: [MessagePart] { contents.parts }
  /// The recipients with their statuses, by ascending user id.
  package var recipientStatus: [RecipientStatusEntry] { contents.recipientStatus }
  package var metadata: Metadata { contents.metadata }
  /// The text of the first part that is a text.
  package var text: String? { contents.text }
}

extension Envelope: Hashable {
  package static func == (left: Envelope, right: Envelope) -> Bool {
    if left.contents === right.contents { return true }
    return left.sender == right.sender && left.position == right.position && left.sentAt == right.sentAt
      && left.receivedAt == right.receivedAt && left.isSent == right.isSent
      && left.isUnread == right.isUnread && left.parts == right.parts
      && left.recipientStatus == right.recipientStatus && left.metadata == right.metadata
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(sender)
    hasher.combine(position)
    hasher.combine(sentAt)
    hasher.combine(text)
  }
}

/// The source of an envelope's properties: values, or a record that is decoded as far as it is asked for.
package protocol EnvelopeContents: AnyObject, Sendable {
  var sender: Identity.ID { get }
  var position: Int64? { get }
  var sentAt: Timestamp? { get }
  var receivedAt: Timestamp? { get }
  var isSent: Bool { get }
  var isUnread: Bool { get }
  var parts: [MessagePart] { get }
  /// The recipients with their statuses, by ascending user id.
  var recipientStatus: [RecipientStatusEntry] { get }
  var metadata: Metadata { get }
  /// The text of the first part that is a text.
  var text: String? { get }
}

/// The properties of an envelope, kept as values.
private final class EnvelopeValues: EnvelopeContents {
  let sender: Identity.ID
  let position: Int64?
  let sentAt: Timestamp?
  let receivedAt: Timestamp?
  let isSent: Bool
  let isUnread: Bool
  let parts: [MessagePart]
  let recipientStatus: [RecipientStatusEntry]
  let metadata: Metadata

  init(
    sender: Identity.ID, position: Int64?, sentAt: Timestamp?, receivedAt: Timestamp?, isSent: Bool,
    isUnread: Bool,
    parts: [MessagePart], recipientStatus: [RecipientStatusEntry], metadata: Metadata
  ) {
    self.sender = sender
    self.position = position
    self.sentAt = sentAt
    self.receivedAt = receivedAt
    self.isSent = isSent
    self.isUnread = isUnread
    self.parts = parts
    self.recipientStatus = recipientStatus
    self.metadata = metadata
  }

  var text: String? {
    for case .text(let text) in parts.lazy.map(\.content) { return text }
    return nil
  }
}
