import SatchelBytes
import SatchelModel
import SatchelWriting

extension RecordDecoder {
  /// Decodes a message or an announcement. In an announcement, `conversation` is an unknown key.
  mutating func message(
    _ object: JSONObject, conversation: inout Conversation.ID?, isAnnouncement: Bool
  ) throws(LineError) -> MessageDraft {
    guard let identifier = try object[known: .identifier]?.text("identifier") else {
      throw .missing("identifier")
    }
    guard let sender = try object[known: .sender]?.text("sender") else { throw .missing("sender") }
    var draft = MessageDraft(identifier: Message.ID(identifier), sender: Identity.ID(sender))
    for member in object.members {
      let value = member.value
      switch member.known {
      case .kind, .identifier, .sender: break
      case .conversation where !isAnnouncement:
        conversation = try value.text("conversation").map { Conversation.ID($0) }
      case .remoteID: draft.remoteID = try value.text("remoteID").map { Message.ID($0) }
      case .position: draft.position = try value.integer("position")
      case .sentAt: draft.sentAt = try value.date("sentAt")
      case .receivedAt: draft.receivedAt = try value.date("receivedAt")
      case .editedAt: draft.editedAt = try value.date("editedAt")
      case .deletedAt: draft.deletedAt = try value.date("deletedAt")
      case .updatedAt: draft.updatedAt = try value.date("updatedAt")
      case .isSent: draft.isSent = try value.bool("isSent") ?? true
      case .isUnread: draft.isUnread = try value.bool("isUnread") ?? false
      case .parts: draft.parts = try parts(value)
      case .recipientStatus:
        for recipient in try value.object("recipientStatus")?.members ?? [] {
          let status = try recipient.value.recipientStatus("recipientStatus.\(recipient.key)")
          guard let status else { continue }
          draft.recipientStatus.append(
            RecipientStatusEntry(user: Identity.ID(recipient.key), status: status))
        }
      case .metadata: draft.metadata = try value.metadata("metadata", version) ?? Metadata()
      default: pass(over: member.key)
      }
    }
    return draft
  }

  mutating func parts(
    _ value: JSONValue, of key: String = "parts"
  ) throws(LineError) -> [MessagePart.Draft] {
    guard let elements = try value.array(key) else { return [] }
    var parts: [MessagePart.Draft] = []
    parts.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      guard case .object(let object) = element else {
        throw .type(of: "parts[\(index)]", takes: "an object", found: element)
      }
      parts.append(try part(object, index))
    }
    return parts
  }

  private mutating func part(_ object: JSONObject, _ index: Int) throws(LineError) -> MessagePart.Draft {
    var mimeType: String?
    var text: String?
    var data: String?
    var url: String?
    var size: Int64?
    var status = TransferStatus.complete
    for member in object.members {
      let value = member.value
      switch member.known {
      case .mimeType: mimeType = try value.text("parts[\(index)].mimeType")
      case .text: text = try value.text("parts[\(index)].text")
      case .base64: data = try value.text("parts[\(index)].base64")
      case .url: url = try value.text("parts[\(index)].url")
      case .size: size = try value.integer("parts[\(index)].size")
      case .transferStatus:
        status = try value.transferStatus("parts[\(index)].transferStatus") ?? .complete
      default: pass(over: member.key)
      }
    }
    guard let mimeType else { throw .missing("parts[\(index)].mimeType") }
    if let size, size < 0 { throw LineError("parts[\(index)].size takes a number of bytes, not \(size)") }
    switch (text, data, url) {
    case (let text?, nil, nil):
      if size != nil { pass(over: "size") }
      return .text(text, mimeType: mimeType, transferStatus: status)
    case (nil, let data?, nil):
      if size != nil { pass(over: "size") }
      do {
        return .data(try Base64.decode(data), mimeType: mimeType, transferStatus: status)
      } catch {
        throw LineError("parts[\(index)].base64 is \(error)")
      }
    case (nil, nil, let url?):
      return .url(url, mimeType: mimeType, size: size, transferStatus: status)
    default: throw LineError("parts[\(index)] takes exactly one of text, base64 and url")
    }
  }
}
