/// One change of a store, with everything in it that it needs: the same edit does the same whenever and wherever it is
/// applied. Conversations, messages and announcements have numbers, in the order of their creation.
enum Edit: Codable, Hashable {
  case createConversation(Int, participants: [Int], createdAt: Int64, metadata: [String: String])
  case addParticipants([Int], conversation: Int)
  case removeParticipants([Int], conversation: Int)
  case setParticipants([Int], conversation: Int)
  case deleteConversation(Int)
  case receive(NewMessage)
  case send(NewMessage)
  case announce(NewMessage)
  case setPosition(Int64?, message: Int)
  case setSentAt(Int64?, message: Int)
  case setUnread(Bool, message: Int)
  case setStatus(Status?, user: Int, message: Int)
  case markRead([Int])
  case markConversationRead(Int)
  case deleteMessage(Int)
  case markAnnouncementRead(Int)
  case deleteAnnouncement(Int)
  case setMetadata(String, path: String, owner: Owner)
  case removeMetadata(path: String, owner: Owner)
  case putIdentity(Int, displayName: String?)
  case setFollowed(Bool, user: Int)
  case records(RecordEdit)
  case responses(ResponseEdit)
  /// The last edit of every operation: its number, kept in the store itself, so that what is in the store says exactly
  /// which operations are.
  case progress(Int)

  /// What carries metadata.
  enum Owner: Codable, Hashable {
    case conversation(Int)
    case message(Int)
  }

  /// How far a message has come on its way to a recipient.
  enum Status: String, Codable, CaseIterable {
    case pending, sent, delivered, read
  }
}

/// A message or an announcement that is to be made.
struct NewMessage: Codable, Hashable {
  var number: Int
  /// Its conversation; none for an announcement.
  var conversation = 0
  var sender: Int
  var position: Int64?
  /// In microseconds, as all times here.
  var sentAt: Int64
  var receivedAt: Int64
  var isUnread: Bool
  var parts: [Part]
  var status: [Int: Edit.Status] = [:]
  var metadata: [String: String] = [:]

  /// A part: a text, or so many bytes of data.
  struct Part: Codable, Hashable {
    var mimeType: String
    var text: String?
    var bytes = 0
  }
}

/// The edits of one transaction.
struct Operation: Codable {
  /// 1, 2, 3, …
  let number: Int
  let edits: [Edit]
  /// Whether the transaction throws at its end, so that nothing of it may stay.
  let isRolledBack: Bool
}
