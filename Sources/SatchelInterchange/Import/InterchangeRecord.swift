package import SatchelModel
package import SatchelStorage

/// The kinds of lines between the header and the trailer.
package enum InterchangeKind: String, Sendable, Hashable, CaseIterable {
  case identity, conversation, message, announcement, update, delete

  /// The kind of that name, compared by bytes.
  package init?(_ name: ByteString) {
    guard let kind = Self.allCases.first(where: { ByteString($0.rawValue) == name }) else { return nil }
    self = kind
  }
}

/// What a line brings to a store, with the defaults of what it leaves out.
package enum InterchangeRecord: Sendable, Hashable {
  case identity(Identity)
  case conversation(ConversationDraft)
  case message(MessageDraft, in: Conversation.ID)
  case announcement(MessageDraft)
  case messageUpdate(Message.ID, MessageUpdate)
  case conversationUpdate(Conversation.ID, ConversationUpdate)
  case identityUpdate(Identity.ID, IdentityUpdate)
  case messageDeletion(Message.ID)
  case conversationDeletion(Conversation.ID)
}

/// A line of an interchange file.
package enum InterchangeLine: Sendable, Hashable {
  case header(FileHeader)
  case record(InterchangeRecord)
  case trailer(FileTrailer)
}

/// The first line of a file, of a version that this program reads.
package struct FileHeader: Sendable, Hashable {
  /// What `format` has to be.
  package static let format = "satchel-interchange"
  /// The version that is written, and the newest that is read.
  package static let version: Int64 = 1

  /// True when a file without a trailer is one that was cut off.
  package var announcesTrailer: Bool

  package init(announcesTrailer: Bool) { self.announcesTrailer = announcesTrailer }
}

/// The last line of a file that says what came before it.
package struct FileTrailer: Sendable, Hashable {
  /// How many lines of each kind there are; nil when the trailer does not say.
  package var counts: [ByteString: Int64]?
  /// SHA-256 of all lines before it, in hexadecimal; nil when the trailer does not say.
  package var sha256: String?

  package init(counts: [ByteString: Int64]? = nil, sha256: String? = nil) {
    self.counts = counts
    self.sha256 = sha256
  }
}
