import SatchelCoding
package import SatchelModel
package import SatchelPlanning

extension Executor {
  /// Returns the names by which a reference may name the object that a row refers to: its identifier, and the one that a server has given
  /// it.
  func names(of row: RowReference, _ kind: ObjectKind) throws -> [String] {
    let remote: String? =
      switch kind {
      case .messages:
        unsafe try snapshot.message(conversation: row.conversation, sequence: row.sequence).remoteIDBytes
          .map { unsafe String(decoding: $0, as: UTF8.self) }
      case .conversations:
        unsafe try snapshot.conversation(UInt32(truncatingIfNeeded: row.sequence)).remoteIDBytes
          .map { unsafe String(decoding: $0, as: UTF8.self) }
      case .parts, .announcements, .identities, .records: nil
      }
    return [try identifier(of: row, kind)] + (remote.map { [$0] } ?? [])
  }

  /// Returns the identifier of the object that a row refers to.
  package func identifier(of row: RowReference, _ kind: ObjectKind) throws -> String {
    switch kind {
    case .messages:
      return try snapshot.identifier(
        of: snapshot.messageHead(conversation: row.conversation, sequence: row.sequence))
    case .parts:
      let message = try snapshot.messageHead(conversation: row.conversation, sequence: row.sequence)
      return try snapshot.identifier(of: message) + "/parts/" + String(row.part)
    case .announcements: return try snapshot.announcement(row.sequence).identifier()
    case .conversations:
      return try snapshot.conversation(UInt32(truncatingIfNeeded: row.sequence)).identifier()
    case .identities:
      if let user = row.member { return try snapshot.users.text(user) }
      return try snapshot.users.text(snapshot.identity(UInt32(truncatingIfNeeded: row.sequence)).user)
    case .records:
      let key = TypedRecordKey(type: row.conversation, sequence: row.sequence)
      return try snapshot.identifier(of: snapshot.record(key))
    }
  }
}

/// A parsed part identifier: `MESSAGE/parts/INDEX`, with an index without leading zeros. The message's own identifier
/// may contain slashes.
package struct PartIdentifier {
  /// The identifier of the message or announcement.
  package let message: String
  /// The part's index in its message.
  package let index: UInt32

  /// Parses an identifier; nil if the text names no part.
  package init?(_ identifier: String) {
    let bytes = Array(identifier.utf8)
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")),
      let index = UInt32(String(decoding: bytes[(slash + 1)...], as: UTF8.self)),
      String(index).utf8.elementsEqual(bytes[(slash + 1)...]),
      bytes[...slash].suffix(7).elementsEqual("/parts/".utf8)
    else { return nil }
    message = String(decoding: bytes[..<(slash - 6)], as: UTF8.self)
    self.index = index
  }
}
