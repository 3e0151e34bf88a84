/// A message's or an announcement's identifier and properties: one row of contents that several may share.
package struct Envelope: Sendable {
  private let contents: any EnvelopeContents
  private let row: UInt32

  /// Makes the envelope of one row of contents.
  package init(_ contents: any EnvelopeContents, row: Int) {
    self.contents = contents
    self.row = UInt32(row)
  }

  /// Makes the envelope of values.
  /// - Parameters:
  ///   - conversation: Nil for an announcement.
  ///   - preview: The preview of a first text that is not among the parts; nil if it is, or if there is none.
  ///   - included: The objects that come with it; nil if none do.
  package init(
    identifier: String, remoteID: String? = nil, conversation: Conversation.ID?, sender: Identity.ID,
    position: Int64?, sentAt: Timestamp?, receivedAt: Timestamp?, editedAt: Timestamp? = nil,
    deletedAt: Timestamp? = nil,
    updatedAt: Timestamp? = nil, isSent: Bool, isUnread: Bool, parts: [MessagePart], preview: String? = nil,
    recipientStatus: [RecipientStatusEntry], metadata: Metadata, included: IncludedObjects? = nil
  ) {
    contents = EnvelopeValues(
      identifier: identifier, remoteID: remoteID, conversation: conversation, sender: sender,
      position: position, sentAt: sentAt,
      receivedAt: receivedAt, editedAt: editedAt, deletedAt: deletedAt, updatedAt: updatedAt, isSent: isSent,
      isUnread: isUnread,
      parts: parts, storedPreview: preview, recipientStatus: recipientStatus, metadata: metadata,
      included: included)
    row = 0
  }

  package var identifier: String { contents.identifier(Int(row)) }
  /// The identifier that a server has given it; nil if it has given none.
  package var remoteID: String? { contents.remoteID(Int(row)) }
  /// Nil for an announcement.
  package var conversation: Conversation.ID? { contents.conversation(Int(row)) }
  package var sender: Identity.ID { contents.sender(Int(row)) }
  package var position: Int64? { contents.position(Int(row)) }
  package var sentAt: Timestamp? { contents.sentAt(Int(row)) }
  package var receivedAt: Timestamp? { contents.receivedAt(Int(row)) }
  package var editedAt: Timestamp? { contents.editedAt(Int(row)) }
  package var deletedAt: Timestamp? { contents.deletedAt(Int(row)) }
  /// The last change; nil if nothing has changed that counts.
  package var updatedAt: Timestamp? { contents.updatedAt(Int(row)) }
  package var isSent: Bool { contents.isSent(Int(row)) }
  package var isUnread: Bool { contents.isUnread(Int(row)) }
  package var parts: [MessagePart] { contents.parts(Int(row)) }
  /// The recipients with their statuses, by ascending user id.
  package var recipientStatus: [RecipientStatusEntry] { contents.recipientStatus(Int(row)) }
  package var metadata: Metadata { contents.metadata(Int(row)) }
  /// The text of the first part that is a text.
  package var text: String? { contents.text(Int(row)) }
  /// The first bytes of that text, even if the text is not here.
  package var preview: String? { contents.preview(Int(row)) }
  /// Which objects were asked to come with it; nil if none were.
  package var inclusions: Inclusions? { contents.inclusions }
  /// The sender's identity; nil if there is none, or if it does not come along.
  package var includedSender: Identity? { contents.includedSender(Int(row)) }
  /// The conversation; nil if it does not come along.
  package var includedConversation: Conversation? { contents.includedConversation(Int(row)) }
  /// What others say to the message; nil if that does not come along.
  package var includedResponses: IncludedResponses? { contents.includedResponses(Int(row)) }

  /// The same in memory of its own.
  package var detached: Envelope { Envelope(contents.detached(Int(row)), row: 0) }
}

extension Envelope: Hashable {
  package static func == (left: Envelope, right: Envelope) -> Bool {
    if left.contents === right.contents && left.row == right.row { return true }
    return left.identifier == right.identifier && left.remoteID == right.remoteID
      && left.conversation == right.conversation
      && left.sender == right.sender && left.position == right.position && left.sentAt == right.sentAt
      && left.receivedAt == right.receivedAt && left.editedAt == right.editedAt
      && left.deletedAt == right.deletedAt && left.updatedAt == right.updatedAt && left.isSent == right.isSent
      && left.isUnread == right.isUnread && left.parts == right.parts
      && left.preview == right.preview && left.recipientStatus == right.recipientStatus
      && left.metadata == right.metadata && left.hasSameCompany(as: right)
  }

  /// Whether the same objects come with both.
  private func hasSameCompany(as other: Envelope) -> Bool {
    let (own, others) = (inclusions, other.inclusions)
    if own == nil, others == nil { return true }
    return own == others && includedSender == other.includedSender
      && includedConversation == other.includedConversation
      && includedResponses == other.includedResponses
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(Message.ID(identifier))
    hasher.combine(position)
    hasher.combine(sentAt)
  }
}

/// The source of the properties of some messages or announcements, its rows: values, or records that are decoded as far
/// as they are asked for.
package protocol EnvelopeContents: AnyObject, Sendable {
  func identifier(_ row: Int) -> String
  func remoteID(_ row: Int) -> String?
  /// Nil for an announcement.
  func conversation(_ row: Int) -> Conversation.ID?
  func sender(_ row: Int) -> Identity.ID
  func position(_ row: Int) -> Int64?
  func sentAt(_ row: Int) -> Timestamp?
  func receivedAt(_ row: Int) -> Timestamp?
  func editedAt(_ row: Int) -> Timestamp?
  func deletedAt(_ row: Int) -> Timestamp?
  func updatedAt(_ row: Int) -> Timestamp?
  func isSent(_ row: Int) -> Bool
  func isUnread(_ row: Int) -> Bool
  func parts(_ row: Int) -> [MessagePart]
  /// The recipients with their statuses, by ascending user id.
  func recipientStatus(_ row: Int) -> [RecipientStatusEntry]
  func metadata(_ row: Int) -> Metadata
  /// The text of the first part that is a text.
  func text(_ row: Int) -> String?
  /// The preview of that text, even if the text is not here.
  func preview(_ row: Int) -> String?
  /// Which objects were asked to come with the rows; nil if none were.
  var inclusions: Inclusions? { get }
  /// The sender's identity; nil if there is none, or if it does not come along.
  func includedSender(_ row: Int) -> Identity?
  /// The conversation; nil if it does not come along.
  func includedConversation(_ row: Int) -> Conversation?
  /// What others say to the message; nil if that does not come along.
  func includedResponses(_ row: Int) -> IncludedResponses?
  /// Contents with this row alone.
  func detached(_ row: Int) -> any EnvelopeContents
}
