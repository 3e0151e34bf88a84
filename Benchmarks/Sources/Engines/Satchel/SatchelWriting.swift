import Foundation
import Satchel

// Writes as a program makes them that uses Satchel.
extension MessageStore {
  /// Takes messages into their conversations in one transaction.
  public func insert(_ batch: [NewMessage]) throws {
    try write { transaction in
      for new in batch {
        try transaction.receive(new.record, metadata: new.metadata, isUnread: new.record.isUnread)
      }
    }
  }
}

extension WriteTransaction {
  func receive(
    _ record: MessageValues, metadata: Metadata = Metadata(), isUnread: Bool? = nil,
    ifExists policy: ExistingMessage = .fail
  ) throws {
    try receive(
      record.parts.map(MessagePart.Draft.init), in: Conversation.ID(record.conversation),
      from: Identity.ID(record.sender), id: Message.ID(record.identifier), position: record.position,
      sentAt: record.sentAt.map { Timestamp(microseconds: $0).date },
      receivedAt: record.receivedAt.map { Timestamp(microseconds: $0).date }, isUnread: isUnread,
      metadata: metadata, editedAt: record.editedAt.map { Timestamp(microseconds: $0).date }, ifExists: policy
    )
  }
}

extension MessagePart.Draft {
  init(_ part: PartValues) {
    switch part.kind {
    case .text: self = .text(part.text ?? "", mimeType: part.mimeType)
    case .data: self = .data(part.data ?? [], mimeType: part.mimeType)
    case .url: self = .url(part.text ?? "", mimeType: part.mimeType, size: part.size)
    }
  }
}
