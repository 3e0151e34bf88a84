import Foundation
import SatchelModel

/// The names that the store has for the properties of objects, by one step of a key path.
struct PropertyNames {
  private var names: [AnyKeyPath: [String]] = [:]
  /// The key paths to the number of elements of what a property has.
  let counts: Set<AnyKeyPath> = [\[MessagePart].count, \[Identity.ID].count, \String.count]
  /// The key paths to whether there are no elements.
  let emptiness: Set<AnyKeyPath> = [
    \[MessagePart].isEmpty, \[Identity.ID].isEmpty, \String.isEmpty, \Metadata.isEmpty,
  ]

  init() {
    add(\Message.id, "identifier")
    add(\Message.conversation, "conversation")
    add(\Conversation.id, "identifier")
    add(\Conversation.remoteID, "remoteID")
    add(\Conversation.participants, "participants")
    add(\Conversation.participantCount, "participantCount")
    add(\Conversation.createdAt, "createdAt")
    add(\Conversation.createdTimestamp, "createdAt")
    add(\Conversation.updatedAt, "updatedAt")
    add(\Conversation.updatedTimestamp, "updatedAt")
    add(\Conversation.isDistinct, "isDistinct")
    add(\Conversation.hasUnreadMessages, "hasUnreadMessages")
    add(\Conversation.unreadCount, "unreadCount")
    add(\Conversation.messageCount, "messageCount")
    add(\Conversation.lastMessage, "lastMessage")
    add(\Conversation.metadata, "metadata")
    addIdentity()
    add(\MessagePart.id, "identifier")
    add(\MessagePart.message, "message")
    add(\MessagePart.index, "index")
    add(\MessagePart.mimeType, "mimeType")
    add(\MessagePart.size, "size")
    add(\MessagePart.text, "text")
    add(\MessagePart.transferStatus, "transferStatus")
    addMessage()
    addAnnouncement()
    addIdentifiers()
  }

  /// Returns the names of a step; nil if the store has no such property.
  subscript(_ keyPath: AnyKeyPath) -> [String]? { names[keyPath] }

  /// Returns the names that there are for properties of the type that a key path begins at.
  func available(besides keyPath: AnyKeyPath) -> [String] {
    let type = type(of: keyPath).rootType
    let found = names.filter { Swift.type(of: $0.key).rootType == type }.map {
      $0.value.joined(separator: ".")
    }
    return Set(found).subtracting([""]).sorted()
  }

  private mutating func add(_ keyPath: AnyKeyPath, _ path: String...) { names[keyPath] = path }

  /// An identifier and its text are one property, also where a key path goes from the object to the text.
  private mutating func addIdentifiers() {
    names[\Message.ID.rawValue] = []
    names[\Conversation.ID.rawValue] = []
    names[\Announcement.ID.rawValue] = []
    names[\MessagePart.ID.rawValue] = []
    names[\Identity.ID.rawValue] = []
    add(\Message.id.rawValue, "identifier")
    add(\Message.conversation.rawValue, "conversation")
    add(\Message.sender.rawValue, "sender", "userID")
    add(\Announcement.id.rawValue, "identifier")
    add(\Announcement.sender.rawValue, "sender", "userID")
    add(\Conversation.id.rawValue, "identifier")
    add(\Identity.id.rawValue, "userID")
    add(\Identity.userID.rawValue, "userID")
    add(\MessagePart.id.rawValue, "identifier")
    add(\MessagePart.message.rawValue, "message")
  }

  private mutating func addIdentity() {
    add(\Identity.id, "userID")
    add(\Identity.userID, "userID")
    add(\Identity.displayName, "displayName")
    add(\Identity.firstName, "firstName")
    add(\Identity.lastName, "lastName")
    add(\Identity.emailAddress, "emailAddress")
    add(\Identity.phoneNumber, "phoneNumber")
    add(\Identity.avatarURL, "avatarURL")
    add(\Identity.publicKey, "publicKey")
    add(\Identity.followed, "followed")
    add(\Identity.lastSeenAt, "lastSeenAt")
    add(\Identity.lastSeenTimestamp, "lastSeenAt")
    add(\Identity.presenceStatus, "presenceStatus")
    add(\Identity.metadata, "metadata")
  }

  private mutating func addMessage() {
    add(\Message.remoteID, "remoteID")
    add(\Message.sender, "sender", "userID")
    add(\Message.position, "position")
    add(\Message.sentAt, "sentAt")
    add(\Message.sentTimestamp, "sentAt")
    add(\Message.receivedAt, "receivedAt")
    add(\Message.receivedTimestamp, "receivedAt")
    add(\Message.editedAt, "editedAt")
    add(\Message.editedTimestamp, "editedAt")
    add(\Message.deletedAt, "deletedAt")
    add(\Message.deletedTimestamp, "deletedAt")
    add(\Message.updatedAt, "updatedAt")
    add(\Message.updatedTimestamp, "updatedAt")
    add(\Message.isSent, "isSent")
    add(\Message.isUnread, "isUnread")
    add(\Message.parts, "parts")
    add(\Message.recipientStatus, "recipientStatus")
    add(\Message.metadata, "metadata")
  }

  private mutating func addAnnouncement() {
    add(\Announcement.id, "identifier")
    add(\Announcement.remoteID, "remoteID")
    add(\Announcement.sender, "sender", "userID")
    add(\Announcement.position, "position")
    add(\Announcement.sentAt, "sentAt")
    add(\Announcement.sentTimestamp, "sentAt")
    add(\Announcement.receivedAt, "receivedAt")
    add(\Announcement.receivedTimestamp, "receivedAt")
    add(\Announcement.editedAt, "editedAt")
    add(\Announcement.editedTimestamp, "editedAt")
    add(\Announcement.deletedAt, "deletedAt")
    add(\Announcement.deletedTimestamp, "deletedAt")
    add(\Announcement.updatedAt, "updatedAt")
    add(\Announcement.updatedTimestamp, "updatedAt")
    add(\Announcement.isSent, "isSent")
    add(\Announcement.isUnread, "isUnread")
    add(\Announcement.parts, "parts")
    add(\Announcement.recipientStatus, "recipientStatus")
    add(\Announcement.metadata, "metadata")
  }
}
