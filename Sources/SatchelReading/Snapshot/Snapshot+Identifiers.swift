internal import RecordStore
package import SatchelCoding
package import SatchelModel

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

  /// Returns all names of the message, the announcement or the conversation that a reference means, first the identifier that never
  /// changes; only the name that it has if there is none, and of references to other objects.
  /// - Complexity: O(log n), one look-up; O(1) of references to other objects.
  package func names(of reference: Reference) throws -> [String] {
    switch reference.type {
    case Reference.messages:
      guard let key = try locateMessage(reference.name) else { break }
      let view = try existingMessage(key)
      return try SatchelCoding.names(identifier(of: view), remoteID(of: view))
    case Reference.conversations:
      guard let view = try conversation(of: Array(reference.name.utf8)) else { break }
      return try SatchelCoding.names(conversationIdentifier(view), remoteID(of: view))
    default: break
    }
    return [reference.name]
  }

  /// Returns the identifier of a message or announcement. Reads nothing else of its record.
  package func identifier(of head: MessageHead) throws -> String {
    do { return try head.identifier() } catch {
      throw RecordError("messages", "\(head.key.conversation)/\(head.key.sequence)", error.description)
    }
  }
}
