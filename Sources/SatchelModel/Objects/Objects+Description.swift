import SatchelText

// What `print` shows of an object: one line, for people. It may change; nothing should be read out of it.

extension Message: CustomStringConvertible {
  /// The identifier, the conversation, the sender, the date, what is unread or unsent, and the beginning of the text.
  public var description: String {
    "message \(id.rawValue.oneLine) in \(conversation.rawValue.oneLine) " + envelope.summary
  }
}

extension Announcement: CustomStringConvertible {
  /// The identifier, the sender, the date, whether it is unread, and the beginning of the text.
  public var description: String { "announcement \(id.rawValue.oneLine) " + envelope.summary }
}

extension Conversation: CustomStringConvertible {
  /// The identifier, the participants, the numbers of messages, and the metadata.
  public var description: String {
    let names = participants.prefix(10).map(\.rawValue.oneLine).joined(separator: ", ")
    let others = participants.count > 10 ? " and \(participants.count - 10) others" : ""
    let values = metadata.isEmpty ? "" : ", metadata \(metadata)".shortened
    return "conversation \(id.rawValue.oneLine) of \(names)\(others): "
      + "\(messageCount) messages, \(unreadCount) unread\(values)"
  }
}

extension Identity: CustomStringConvertible {
  /// The user id and the name.
  public var description: String {
    let name = displayName ?? [firstName, lastName].compactMap { $0 }.joined(separator: " ")
    return "identity \(userID.rawValue.oneLine)" + (name.isEmpty ? "" : " (\(name.shortened))")
  }
}

extension MessagePart: CustomStringConvertible {
  /// The identifier, the MIME type, the size in bytes, and the beginning of a text or link.
  public var description: String {
    "part \(id.rawValue.oneLine), " + content.summary(mimeType, size)
  }
}

extension MessagePart.Draft: CustomStringConvertible {
  /// The MIME type, the size in bytes, and the beginning of a text or link.
  public var description: String { "new part, " + content.summary(mimeType, size) }
}

extension MessagePart.Content {
  fileprivate func summary(_ mimeType: String, _ size: Int64?) -> String {
    let bytes = size.map { ", \($0) bytes" } ?? ""
    let shown: String? =
      switch self {
      case .text(let text), .url(let text): text
      case .data, .storedText, .storedData: nil
      }
    return mimeType.oneLine + bytes + (shown.map { ": \($0.shortened)" } ?? "")
  }
}

extension Metadata: CustomStringConvertible {
  /// The entries as a literal of Swift shows them: `["theme": ["color": "red"], "title": "Lunch"]`.
  public var description: String {
    guard !isEmpty else { return "[:]" }
    let shown = entries.map { entry in
      "\"\(entry.key)\": \(entry.value)"
    }
    return "[" + shown.joined(separator: ", ") + "]"
  }
}

extension MetadataValue: CustomStringConvertible {
  /// The value as a literal of Swift shows it; a date in RFC 3339.
  public var description: String {
    switch self {
    case .text(let text): text.debugDescription
    case .integer(let integer): integer.description
    case .number(let number): number.description
    case .boolean(let value): value.description
    case .date(let date): date.description
    case .list(let texts): "[" + texts.map(\.debugDescription).joined(separator: ", ") + "]"
    case .dictionary(let metadata): metadata.description
    case .reference(let reference): reference.description.oneLine
    }
  }
}

extension Timestamp: CustomStringConvertible {
  /// The time in RFC 3339, in UTC, such as `2026-03-01T12:00:00.000001Z`. Years outside 0000 to 9999 have a sign or more
  /// digits.
  public var description: String { RFC3339.text(of: self) }
}

extension RecipientStatus: CustomStringConvertible {
  /// Its name.
  public var description: String { name }
}

extension PresenceStatus: CustomStringConvertible {
  /// Its name.
  public var description: String { name }
}

extension TransferStatus: CustomStringConvertible {
  /// Its name.
  public var description: String { name }
}

extension Envelope {
  /// What messages and announcements have in common.
  fileprivate var summary: String {
    var words = "from \(sender.rawValue.oneLine)"
    if let sentAt { words += ", sent \(sentAt)" }
    if !isSent { words += ", not confirmed" }
    if isUnread { words += ", unread" }
    if let text = text ?? preview { return words + ": " + text.shortened }
    let types = parts.prefix(3).map(\.mimeType.oneLine).joined(separator: ", ")
    return words + (types.isEmpty ? ", without parts" : ": \(types)")
  }
}

extension String {
  /// The beginning, as one line that is safe to display.
  fileprivate var shortened: String { count <= 80 ? oneLine : String(prefix(79)).oneLine + "…" }
}
