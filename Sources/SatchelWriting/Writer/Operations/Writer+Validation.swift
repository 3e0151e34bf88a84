internal import SatchelCoding
internal import SatchelModel

extension Writer {
  /// Throws `invalidIdentifier` unless a text is an identifier: any text that is not empty and has no NUL character.
  package static func check(identifier: String, _ role: String) throws {
    guard !identifier.isEmpty, !identifier.utf8.contains(0) else {
      throw SatchelError(
        .invalidIdentifier, "An identifier is at least one character and has no NUL",
        [role: identifier])
    }
  }

  /// Throws unless a name is valid for a message or announcement, as its identifier or its remote identifier, and new to the store.
  /// Returns how many others have a name of the same hash.
  @discardableResult
  func checkNew(message identifier: String) throws -> Int {
    try Self.check(identifier: identifier, "message")
    var others = 0
    guard try locateMessage(identifier, others: &others) == nil else {
      throw SatchelError(
        .identifierExists, "A message or announcement with that identifier is in the store already",
        ["message": identifier])
    }
    others += overlay.newMessages(ofOneHashWith: identifier)
    try Self.check(identifier: identifier, "message", ofOneHash: others)
    return others
  }

  /// Throws unless a name is valid for a conversation, as its identifier or its remote identifier, and new to the store. Returns how
  /// many others have a name of the same hash.
  @discardableResult
  func checkNew(conversation identifier: String) throws -> Int {
    try Self.check(identifier: identifier, "conversation")
    var others = 0
    guard try locateConversation(identifier, others: &others) == nil else {
      throw SatchelError(
        .identifierExists, "A conversation with that identifier is in the store already",
        ["conversation": identifier])
    }
    others += overlay.newConversations(ofOneHashWith: identifier)
    try Self.check(identifier: identifier, "conversation", ofOneHash: others)
    return others
  }

  /// Throws unless a new message or announcement may have an identifier and a remote identifier. Returns how many others have a name
  /// of the identifier's hash.
  @discardableResult
  func checkNew(message identifier: String, remoteID: Message.ID?) throws -> Int {
    if let remoteID { try Self.check(identifier: remoteID.rawValue, "remoteID") }
    let others = try checkNew(message: identifier)
    for name in names(identifier, remoteID?.rawValue).dropFirst() { try checkNew(message: name) }
    return others
  }

  /// Throws unless a new conversation may have an identifier and a remote identifier. Returns how many others have a name of the
  /// identifier's hash.
  @discardableResult
  func checkNew(conversation identifier: String, remoteID: Conversation.ID?) throws -> Int {
    if let remoteID { try Self.check(identifier: remoteID.rawValue, "remoteID") }
    let others = try checkNew(conversation: identifier)
    for name in names(identifier, remoteID?.rawValue).dropFirst() { try checkNew(conversation: name) }
    return others
  }

  /// Checks that an object may get a remote identifier, which is not that of another one.
  /// - Returns: The remote identifier as it is stored then; nil if the object has it already.
  static func check(remoteID: String, of old: [UInt8]?) throws -> [UInt8]? {
    try check(identifier: remoteID, "remoteID")
    guard let old else { return Array(remoteID.utf8) }
    guard old.elementsEqual(remoteID.utf8) else {
      throw SatchelError(
        .invalidValue, "It has another remote identifier already, which never changes",
        ["property": "remoteID", "value": remoteID, "existing": String(decoding: old, as: UTF8.self)])
    }
    return nil
  }

  /// The most messages or conversations whose identifiers may have one hash.
  ///
  /// A look-up reads the records of all of them. The hash is no secret, so that anybody can make identifiers that have
  /// one hash; by chance not even two ever do.
  package static let maximumOfOneHash = 32

  /// Throws `invalidIdentifier` if as many others as may be have the identifier's hash.
  static func check(identifier: String, _ role: String, ofOneHash others: Int) throws {
    guard others < Self.maximumOfOneHash else {
      throw SatchelError(
        .invalidIdentifier,
        "At most 32 identifiers may have the same hash, and the store has that many: use another identifier",
        [role: identifier])
    }
  }

  /// Checks everything in a draft that does not depend on what is in the store.
  func check(_ draft: MessageDraft) throws {
    try Self.check(identifier: draft.sender.rawValue, "sender")
    for entry in draft.recipientStatus { try Self.check(identifier: entry.user.rawValue, "recipient") }
    try draft.metadata.validate(environmentOfWrites.metadataKeys)
    try Self.check(parts: Array(draft.parts.enumerated()), of: draft.parts.count, mayBeStaged: true)
    if draft.deletedAt != nil,
      !draft.parts.isEmpty || !draft.recipientStatus.isEmpty || draft.metadata != Metadata()
    {
      throw Self.deleted("deletedAt")
    }
  }

  /// The error of who gives contents to a message that was deleted for everyone.
  static func deleted(_ property: String) -> SatchelError {
    SatchelError(
      .invalidValue, "A message that was deleted for everyone has no parts, recipients or metadata",
      ["property": property])
  }

  static let maximumParts = 65_535

  /// Checks parts that a message gets, each with its index among all parts that the message has then.
  /// - Parameter mayBeStaged: Whether their contents may be in the store already: only those of a new message may.
  static func check(parts: [(Int, MessagePart.Draft)], of count: Int, mayBeStaged: Bool = false) throws {
    guard count <= maximumParts else {
      throw SatchelError(
        .invalidValue, "A message has at most 65535 parts",
        ["property": "parts", "count": String(count)])
    }
    for (index, part) in parts {
      guard MIMEType.isValid(part.mimeType) else {
        throw SatchelError(
          .invalidValue,
          "A MIME type is a type, a slash and a subtype, as in image/png; parameters may follow a semicolon",
          ["property": "parts.mimeType", "part": String(index), "value": part.mimeType])
      }
      guard part.staged == nil || mayBeStaged else {
        throw SatchelError(
          .invalidValue,
          "A content that was given before the write is a part of a new message: an edit gives it as data",
          ["property": "parts", "part": String(index)])
      }
      switch part.content {
      case .storedData where part.staged != nil: break
      case .storedText, .storedData:
        throw SatchelError(
          .invalidValue, "A part needs its content: read it with content(of:) first",
          ["property": "parts", "part": String(index)])
      case .text, .data, .url: break
      }
      if let size = part.declaredSize, size < 0 {
        throw SatchelError(
          .invalidValue, "A declared size is not negative",
          ["property": "parts.size", "part": String(index), "size": String(size)])
      }
    }
  }

  /// Checks that a message with `count` parts has parts of these indices.
  static func check(parts: some Sequence<Int>, below count: Int) throws {
    for index in parts where !(0..<count).contains(index) {
      throw SatchelError(
        .invalidValue, "The message has no part of this index, which counts from 0",
        ["property": "parts", "part": String(index), "count": String(count)])
    }
  }
}
