package import Satchel
package import SatchelModel
package import SatchelRecords
package import SatchelText

/// The kinds of lines between the header and the trailer.
package enum InterchangeKind: String, Sendable, Hashable, CaseIterable {
  case identity, conversation, message, announcement, update, delete
  case declaredIndex = "index"
  case recordType, record

  /// Creates the kind of a name, compared by bytes; nil if there is none.
  package init?(_ name: ByteString) {
    // A literal for each, because the texts of raw values are made anew each time.
    switch name {
    case "message": self = .message
    case "announcement": self = .announcement
    case "conversation": self = .conversation
    case "identity": self = .identity
    case "update": self = .update
    case "delete": self = .delete
    case "index": self = .declaredIndex
    case "recordType": self = .recordType
    case "record": self = .record
    default: return nil
    }
  }

  /// The kind's place in `allCases`.
  var index: Int {
    switch self {
    case .identity: 0
    case .conversation: 1
    case .message: 2
    case .announcement: 3
    case .update: 4
    case .delete: 5
    case .declaredIndex: 6
    case .recordType: 7
    case .record: 8
    }
  }
}

/// The content of a line for a store, with default values for absent keys.
///
/// Indirect, because a record goes through several hands between two threads.
package indirect enum InterchangeRecord: Sendable, Hashable {
  case identity(Identity)
  case conversation(ConversationDraft)
  case message(MessageDraft, in: Conversation.ID)
  case announcement(MessageDraft)
  case messageUpdate(Message.ID, MessageUpdate)
  case conversationUpdate(Conversation.ID, ConversationUpdate)
  case identityUpdate(Identity.ID, IdentityUpdate)
  case messageDeletion(Message.ID)
  case conversationDeletion(Conversation.ID)
  case index(Index)
  case recordType(RecordType)
  case record(Record)
  case recordUpdate(RecordUpdate)
  case recordDeletion(Record.ID)
}

/// A line of an interchange file.
package enum InterchangeLine: Sendable, Hashable {
  case header(FileHeader)
  case record(InterchangeRecord)
  case trailer(FileTrailer)
}

/// The first line of a file whose version this program reads.
package struct FileHeader: Sendable, Hashable {
  /// The value that `format` must have.
  package static let format = "satchel-interchange"
  /// The version in which metadata has texts only. It is written wherever it is enough.
  package static let version: Int64 = 1
  /// The version in which metadata has values of all types.
  package static let typedVersion: Int64 = 2
  /// The version that has declarations of indexes.
  package static let indexVersion: Int64 = 3
  /// The version that has records of applications, their types, and references.
  package static let recordVersion: Int64 = 4
  /// The newest version that is read.
  package static let newestVersion = recordVersion

  /// Whether the file must end with a trailer, so that one without a trailer was cut off.
  package var announcesTrailer: Bool

  package init(announcesTrailer: Bool) { self.announcesTrailer = announcesTrailer }
}

/// The last line of a file; it describes the lines before it.
package struct FileTrailer: Sendable, Hashable {
  /// How many lines of each kind there are; nil if the trailer does not say.
  package var counts: [ByteString: Int64]?
  /// The SHA-256 of all lines before the trailer, in hexadecimal; nil if the trailer does not say.
  package var sha256: String?

  package init(counts: [ByteString: Int64]? = nil, sha256: String? = nil) {
    self.counts = counts
    self.sha256 = sha256
  }
}
