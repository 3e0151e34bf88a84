import SatchelExecution

extension StoreSnapshot {
  /// The conversation of an identifier; nil where there is none that the user can see.
  public func conversation(_ id: Conversation.ID) throws -> Conversation? {
    try first(Conversation.filter { $0.identifier == id })
  }

  /// The message of an identifier; nil where there is none that the user can see.
  public func message(_ id: Message.ID) throws -> Message? {
    try first(Message.filter { $0.identifier == id })
  }

  /// The announcement of an identifier.
  public func announcement(_ id: Announcement.ID) throws -> Announcement? {
    try first(Announcement.filter { $0.identifier == id })
  }

  /// What is known of a user.
  public func identity(_ id: Identity.ID) throws -> Identity? {
    try first(Identity.filter { $0.userID == id })
  }

  /// The content of a part, of any size: the UTF-8 bytes of a text, the bytes of data, the UTF-8 bytes of a link.
  /// - Throws: ``SatchelError`` `unknownMessage` for a part that does not exist, or that the user cannot see.
  public func content(of part: MessagePart.ID) throws -> [UInt8] { try content(of: part, range: nil) }

  /// A stretch of the content of a part; what lies beyond its end is left out.
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
