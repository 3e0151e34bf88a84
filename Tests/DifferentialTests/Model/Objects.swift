/// The four delivery states a user can have a message in, by the word the interchange format uses.
let recipientStatuses: [ByteString] = ["pending", "sent", "delivered", "read"]
/// How far a part may have got, by the word the interchange format uses, in the order in which they sort.
let transferStatuses: [ByteString] = [
  "awaitingUpload", "uploading", "readyForDownload", "downloading", "complete",
]

struct ModelIdentity: Sendable {
  /// The order of arrival, over all kinds.
  let creation: Int
  let userID: ByteString
  /// `displayName`, `firstName`, `lastName`, `emailAddress`, `phoneNumber`, `avatarURL`: those that are there.
  var names: [ByteString: ByteString] = [:]
  var metadata = MetadataTree.empty

  static let nameKeys: [ByteString] = [
    "displayName", "firstName", "lastName", "emailAddress", "phoneNumber", "avatarURL",
  ]
}

struct ModelConversation: Sendable {
  let creation: Int
  let identifier: ByteString
  var remoteID: ByteString?
  var participants: Set<ByteString> = []
  /// Microseconds.
  var createdAt: Int64?
  var isDistinct = false
  var metadata = MetadataTree.empty
}

/// A message, or an announcement, which is a message of no conversation.
struct ModelMessage: Sendable {
  let creation: Int
  let identifier: ByteString
  let conversation: ByteString?
  let sender: ByteString
  var remoteID: ByteString?
  var position: Int64?
  var sentAt: Int64?
  var receivedAt: Int64?
  var editedAt: Int64?
  /// When it was deleted for everyone: it has no parts, recipients or metadata then, and gets none.
  var deletedAt: Int64?
  var isSent = true
  var isUnread = false
  var parts: [ModelPart] = []
  var recipientStatus: [ByteString: ByteString] = [:]
  var metadata = MetadataTree.empty
}

struct ModelPart: Sendable {
  let mimeType: ByteString
  let text: ByteString?
  /// Bytes; nil for content kept elsewhere whose size was not given.
  let size: Int64?
  /// One of `transferStatuses`.
  var transferStatus: ByteString = "complete"
}
