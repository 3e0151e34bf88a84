package import SatchelCoding
package import SatchelModel

/// The objects that a write has removed, as far as records may refer to them: what that means for these is looked at when the write ends.
/// An object that is there again by then is not gone.
package struct RemovedObjects: Sendable {
  /// The objects, by each of their names.
  package private(set) var names: [Name] = []
  /// Conversations of which all messages are gone. The tables have the messages until the transaction ends.
  package private(set) var conversations: [Conversation] = []
  /// In an import, the records that its lines have brought or changed since the first removal: their references are what the source has,
  /// and stay.
  package private(set) var kept: Set<TypedRecordKey> = []
  /// The references of the first names, as many as there are here: for look-ups.
  private var references: Set<Reference> = []
  private var indexedNames = 0

  /// The line of an import that is being carried out, which removes what is added meanwhile; nil outside of imports.
  package var line: UInt64?

  /// A name of a removed object, and the line that has removed it.
  package struct Name: Sendable {
    let reference: Reference
    let line: UInt64?
  }

  /// A conversation that was deleted with its messages, and the line that has deleted it.
  package struct Conversation: Sendable {
    let row: UInt32
    let messages: UInt64
    let line: UInt64?
  }

  package init() {}

  package var isEmpty: Bool { names.isEmpty && conversations.isEmpty }

  package mutating func add(_ type: String, names: [String]) {
    for name in names { self.names.append(Name(reference: Reference(type: type, name: name), line: line)) }
  }

  package mutating func add(messagesOf row: UInt32, count: UInt64) {
    conversations.append(Conversation(row: row, messages: count, line: line))
  }

  package mutating func keep(_ record: TypedRecordKey) { kept.insert(record) }

  /// Puts the names of their messages in the place of the conversations, for who looks at them after the transaction.
  /// - Complexity: O(messages of the conversations).
  package mutating func nameMessages(in snapshot: Snapshot) throws {
    for conversation in conversations {
      try snapshot.forEachName(ofMessagesOf: conversation.row) { name in
        let message = Reference(type: Reference.messages, name: String(decoding: name, as: UTF8.self))
        names.append(Name(reference: message, line: conversation.line))
      }
    }
    conversations = []
  }

  /// Whether an object of a name was removed, and a record was there by then. Of messages that went with their conversation, `nameMessages`
  /// comes first.
  /// - Complexity: O(1), and O(objects removed since the last call).
  package mutating func haveRemoved(_ object: Reference, before record: TypedRecordKey) -> Bool {
    for name in names[indexedNames...] { references.insert(name.reference) }
    indexedNames = names.count
    return !kept.contains(record) && references.contains(object)
  }

  /// Whether lines of an import have removed the objects.
  var haveLines: Bool { names.first?.line != nil || conversations.first?.line != nil }

  /// Returns the last line that has removed an object of a name; nil if none has.
  /// - Complexity: O(removed objects).
  func line(of object: Reference, in snapshot: Snapshot) throws -> UInt64? {
    if let name = names.last(where: { $0.reference == object }) { return name.line }
    for conversation in conversations where object.type == Reference.messages {
      var isOfIt = false
      try snapshot.forEachName(ofMessagesOf: conversation.row) { name in
        if name.elementsEqual(object.name.utf8) { isOfIt = true }
      }
      if isOfIt { return conversation.line }
    }
    return nil
  }
}

extension Snapshot {
  /// Calls `visit` with the names of all messages that the tables have of a conversation, also if it is deleted.
  func forEachName(ofMessagesOf row: UInt32, _ visit: ([UInt8]) -> Void) throws {
    try scanMessages(from: MessageKey(conversation: row, sequence: 0)) { key, bytes in
      guard key.conversation == row else { return false }
      let view = try decoding("messages", "\(row)/\(key.sequence)") { () throws(CodingError) in
        unsafe try MessageView(bytes, key: key)
      }
      visit(unsafe [UInt8](view.identifierBytes))
      if let name = unsafe view.remoteIDBytes { visit(unsafe [UInt8](name)) }
      return true
    }
  }
}
