/// The properties of one envelope, kept as values.
final class EnvelopeValues: EnvelopeContents {
  private let identifier: String
  private let remoteID: String?
  private let conversation: Conversation.ID?
  private let sender: Identity.ID
  private let position: Int64?
  private let sentAt: Timestamp?
  private let receivedAt: Timestamp?
  private let editedAt: Timestamp?
  private let deletedAt: Timestamp?
  private let updatedAt: Timestamp?
  private let isSent: Bool
  private let isUnread: Bool
  private let parts: [MessagePart]
  private let storedPreview: String?
  private let recipientStatus: [RecipientStatusEntry]
  private let metadata: Metadata
  private let included: IncludedObjects?

  init(
    identifier: String, remoteID: String?, conversation: Conversation.ID?, sender: Identity.ID,
    position: Int64?, sentAt: Timestamp?, receivedAt: Timestamp?, editedAt: Timestamp?, deletedAt: Timestamp?,
    updatedAt: Timestamp?, isSent: Bool, isUnread: Bool, parts: [MessagePart], storedPreview: String?,
    recipientStatus: [RecipientStatusEntry], metadata: Metadata, included: IncludedObjects?
  ) {
    self.identifier = identifier
    self.remoteID = remoteID
    self.conversation = conversation
    self.sender = sender
    self.position = position
    self.sentAt = sentAt
    self.receivedAt = receivedAt
    self.editedAt = editedAt
    self.deletedAt = deletedAt
    self.updatedAt = updatedAt
    self.isSent = isSent
    self.isUnread = isUnread
    self.parts = parts
    self.storedPreview = storedPreview
    self.recipientStatus = recipientStatus
    self.metadata = metadata
    self.included = included
  }

  func identifier(_ row: Int) -> String { identifier }
  func remoteID(_ row: Int) -> String? { remoteID }
  func conversation(_ row: Int) -> Conversation.ID? { conversation }
  func sender(_ row: Int) -> Identity.ID { sender }
  func position(_ row: Int) -> Int64? { position }
  func sentAt(_ row: Int) -> Timestamp? { sentAt }
  func receivedAt(_ row: Int) -> Timestamp? { receivedAt }
  func editedAt(_ row: Int) -> Timestamp? { editedAt }
  func deletedAt(_ row: Int) -> Timestamp? { deletedAt }
  func updatedAt(_ row: Int) -> Timestamp? { updatedAt }
  func isSent(_ row: Int) -> Bool { isSent }
  func isUnread(_ row: Int) -> Bool { isUnread }
  func parts(_ row: Int) -> [MessagePart] { parts }
  func recipientStatus(_ row: Int) -> [RecipientStatusEntry] { recipientStatus }
  func metadata(_ row: Int) -> Metadata { metadata }
  var inclusions: Inclusions? { included?.inclusions }
  func includedSender(_ row: Int) -> Identity? { included?.sender }
  func includedConversation(_ row: Int) -> Conversation? { included?.conversation }
  func includedResponses(_ row: Int) -> IncludedResponses? { included?.responses }
  func detached(_ row: Int) -> any EnvelopeContents { self }

  func text(_ row: Int) -> String? {
    for part in parts {
      switch part.content {
      case .text(let text): return text
      case .storedText: return nil
      case .data, .url, .storedData: continue
      }
    }
    return nil
  }

  func preview(_ row: Int) -> String? { storedPreview ?? text(row).map { TextPreview.of($0) } }
}
