internal import RecordStore
package import SatchelCoding

/// The identifiers in records.
extension Snapshot {
  /// Returns the identifier of a conversation.
  package func conversationIdentifier(_ row: UInt32) throws -> String {
    if let last = names.conversation, last.row == row { return last.identifier }
    if let known = knownIdentifiers[row] {
      names.conversation = (row, known)
      return known
    }
    return try conversationIdentifier(conversation(row))
  }

  func conversationIdentifier(_ view: ConversationView) throws -> String {
    let identifier = try decoding("conversations", "\(view.row)") { () throws(CodingError) in
      try view.identifier()
    }
    remember(identifier, of: view.row)
    return identifier
  }

  /// Keeps the identifier of a conversation, so that its messages can name it without reading its record again.
  func remember(_ identifier: String, of row: UInt32) {
    if knownIdentifiers.count >= Self.mostIdentifiers { knownIdentifiers.removeAll(keepingCapacity: true) }
    knownIdentifiers[row] = identifier
    names.conversation = (row, identifier)
  }

  /// Forgets the identifiers of conversations: a write may have changed them.
  package func forgetIdentifiers() {
    knownIdentifiers.removeAll()
    names.conversation = nil
  }

  private static var mostIdentifiers: Int { 4096 }

  /// Returns the identifier of a message or announcement.
  package func identifier(of view: MessageView) throws -> String {
    try decoding("messages", "\(view.key.conversation)/\(view.key.sequence)") { () throws(CodingError) in
      try view.identifier()
    }
  }

  /// Returns the identifier that a server has given a message or an announcement; nil if it has given none.
  func remoteID(of view: MessageView) throws -> String? {
    guard let bytes = unsafe view.remoteIDBytes else { return nil }
    guard let text = unsafe String(utf8: bytes) else {
      throw RecordError(
        "messages", "\(view.key.conversation)/\(view.key.sequence)", "its remote identifier is not UTF-8")
    }
    return text
  }

  /// Returns the identifier that a server has given a conversation; nil if it has given none.
  func remoteID(of view: ConversationView) throws -> String? {
    guard let bytes = unsafe view.remoteIDBytes else { return nil }
    guard let text = unsafe String(utf8: bytes) else {
      throw RecordError("conversations", "\(view.row)", "its remote identifier is not UTF-8")
    }
    return text
  }

  /// Returns the identifier of a message or announcement. Reads nothing else of its record.
  package func identifier(of head: MessageHead) throws -> String {
    do { return try head.identifier() } catch {
      throw RecordError("messages", "\(head.key.conversation)/\(head.key.sequence)", error.description)
    }
  }
}
