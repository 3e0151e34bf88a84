import SatchelExecution

extension StoreSnapshot {
  /// Returns the conversation with an identifier; nil if there is none that the user can see.
  /// - Complexity: O(log n) in the objects of the store.
  /// - Throws: As ``fetch(_:)``.
  public func conversation(_ id: Conversation.ID) throws -> Conversation? {
    try first(Conversation.filter { $0.identifier == id })
  }

  /// Returns the message with an identifier; nil if there is none that the user can see.
  /// - Complexity: O(log n) in the objects of the store.
  /// - Throws: As ``fetch(_:)``.
  public func message(_ id: Message.ID) throws -> Message? {
    try first(Message.filter { $0.identifier == id })
  }

  /// Returns the announcement with an identifier; nil if there is none.
  /// - Complexity: O(log n) in the objects of the store.
  /// - Throws: As ``fetch(_:)``.
  public func announcement(_ id: Announcement.ID) throws -> Announcement? {
    try first(Announcement.filter { $0.identifier == id })
  }

  /// Returns the identity of a user; nil if the store has none.
  /// - Complexity: O(log n) in the objects of the store.
  /// - Throws: As ``fetch(_:)``.
  public func identity(_ id: Identity.ID) throws -> Identity? {
    try first(Identity.filter { $0.userID == id })
  }

  /// Returns the whole content of a part, of any size: the UTF-8 bytes of a text, the bytes of data, or the UTF-8 bytes
  /// of a link.
  /// - Complexity: O(size of the content).
  /// - Throws: ``SatchelError`` `unknownMessage` if no such part exists or the user cannot see it.
  public func content(of part: MessagePart.ID) throws -> [UInt8] { try content(of: part, range: nil) }

  /// Returns the bytes of a part's content at the given offsets; offsets after its end are left out.
  /// - Complexity: O(bytes returned).
  /// - Throws: ``SatchelError`` `unknownMessage` if no such part exists or the user cannot see it.
  public func content(of part: MessagePart.ID, in range: Range<Int>) throws -> [UInt8] {
    try content(of: part, range: UInt64(clamping: range.lowerBound)..<UInt64(clamping: range.upperBound))
  }

  private func content(of part: MessagePart.ID, range: Range<UInt64>?) throws -> [UInt8] {
    guard let name = PartIdentifier(part.rawValue) else {
      throw SatchelError(
        .unknownMessage, "There is no such part; a part is named MESSAGE/parts/INDEX", ["part": part.rawValue]
      )
    }
    return try perform { try base.content(ofPart: Int(name.index), message: name.message, range: range) }
  }
}
