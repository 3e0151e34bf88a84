import Satchel
import SatchelModel
import SatchelReading
import SatchelScenes
import SatchelStorage

/// What a consumer of the feed can know of a store: each object's properties, spelled as the feed spells them.
typealias FeedState = [ChangedObject: [String: ChangedValue]]

extension MessageStore {
  /// The synchronous write, in functions that are asynchronous too.
  func writing<Result>(_ body: (WriteTransaction) throws -> Result) throws -> Result { try write(body) }

  /// The objects that the store's user can see, as they are now.
  func feedState() throws -> FeedState {
    try read { snapshot in
      var state: FeedState = [:]
      for conversation in try snapshot.fetch(Query<Conversation>()) {
        state[.conversation(conversation.id)] = conversation.feedProperties
      }
      for message in try snapshot.fetch(Query<Message>()) {
        var properties = Self.properties(
          message.envelope, message.position, message.sentTimestamp, message.receivedTimestamp,
          message.isSent,
          message.isUnread, message.sender, message.parts, message.metadata)
        properties["conversation"] = .text(message.conversation.rawValue)
        state[.message(message.id)] = properties
      }
      for message in try snapshot.fetch(Query<Announcement>()) {
        state[.announcement(message.id)] = Self.properties(
          message.envelope, message.position, message.sentTimestamp, message.receivedTimestamp,
          message.isSent,
          message.isUnread, message.sender, message.parts, message.metadata)
      }
      for identity in try snapshot.fetch(Query<Identity>()) {
        state[.identity(identity.id)] = identity.feedProperties
      }
      for type in try snapshot.base.recordTypes() {
        for (_, record) in try snapshot.base.records(ofType: type.id, after: nil, limit: .max) {
          state[.record(record.id)] = record.feedProperties
        }
      }
      return state
    }
  }

  private static func properties(
    _ envelope: Envelope, _ position: Int64?, _ sentAt: Timestamp?, _ receivedAt: Timestamp?, _ isSent: Bool,
    _ isUnread: Bool,
    _ sender: Identity.ID, _ parts: [MessagePart], _ metadata: Metadata
  ) -> [String: ChangedValue] {
    var properties: [String: ChangedValue] = [
      "isSent": .boolean(isSent), "isUnread": .boolean(isUnread), "sender.userID": .text(sender.rawValue),
      "parts.mimeType": .list(Set(parts.map(\.mimeType)).sorted()),
    ]
    if !envelope.recipientStatus.isEmpty {
      properties["recipientStatus"] = .statuses(
        Dictionary(uniqueKeysWithValues: envelope.recipientStatus.map { ($0.user, $0.status) }))
    }
    properties["parts"] = .list(
      parts.map { part in
        switch part.content {
        case .text(let text), .url(let text): text
        case .data(let bytes): String(decoding: bytes, as: UTF8.self)
        case .storedText, .storedData: ""
        }
      })
    properties["position"] = position.map { .number($0) }
    properties["sentAt"] = sentAt.map { .date($0) }
    properties["receivedAt"] = receivedAt.map { .date($0) }
    properties["editedAt"] = envelope.editedAt.map { .date($0) }
    properties["deletedAt"] = envelope.deletedAt.map { .date($0) }
    properties["updatedAt"] = envelope.updatedAt.map { .date($0) }
    properties["remoteID"] = envelope.remoteID.map { .text($0) }
    metadata.addFeedProperties(&properties)
    return properties
  }
}

extension Conversation {
  fileprivate var feedProperties: [String: ChangedValue] {
    var properties: [String: ChangedValue] = [
      "participants": .list(participants.map(\.rawValue)), "isDistinct": .boolean(isDistinct),
      "messageCount": .number(Int64(messageCount)), "unreadCount": .number(Int64(unreadCount)),
    ]
    properties["createdAt"] = createdTimestamp.map { .date($0) }
    properties["updatedAt"] = lastUpdate.map { .date($0) }
    properties["remoteID"] = remoteID.map { .text($0.rawValue) }
    if let last = lastMessage {
      properties["lastMessage"] = .text(last.id.rawValue)
      properties["lastMessage.position"] = last.position.map { .number($0) }
      properties["lastMessage.sentAt"] = last.sentTimestamp.map { .date($0) }
      properties["lastMessage.receivedAt"] = last.receivedTimestamp.map { .date($0) }
      properties["lastMessage.isUnread"] = .boolean(last.isUnread)
      properties["lastMessage.sender.userID"] = .text(last.sender.rawValue)
    }
    metadata.addFeedProperties(&properties)
    return properties
  }
}

extension Identity {
  fileprivate var feedProperties: [String: ChangedValue] {
    var properties: [String: ChangedValue] = ["followed": .boolean(followed)]
    properties["displayName"] = displayName.map { .text($0) }
    properties["firstName"] = firstName.map { .text($0) }
    properties["lastName"] = lastName.map { .text($0) }
    properties["emailAddress"] = emailAddress.map { .text($0) }
    properties["phoneNumber"] = phoneNumber.map { .text($0) }
    properties["avatarURL"] = avatarURL.map { .text($0) }
    metadata.addFeedProperties(&properties)
    return properties
  }
}

extension Record {
  fileprivate var feedProperties: [String: ChangedValue] {
    // Who created a record never changes, and the log keeps nothing of it.
    var properties: [String: ChangedValue] = [:]
    properties["owner"] = owner.map { .text($0.rawValue) }
    properties["updatedBy"] = updatedBy.map { .text($0.rawValue) }
    properties["createdAt"] = createdTimestamp.map { .date($0) }
    properties["updatedAt"] = updatedTimestamp.map { .date($0) }
    fields.addFeedProperties(&properties, below: nil)
    return properties
  }
}

extension Metadata {
  fileprivate func addFeedProperties(
    _ properties: inout [String: ChangedValue], below path: String? = "metadata"
  ) {
    for entry in entries {
      let isName = entry.key.utf8.allSatisfy { ("a"..."z").contains(Unicode.Scalar($0)) }
      let key = isName ? entry.key : "'" + entry.key.replacing("'", with: "\\'") + "'"
      let property = (path.map { $0 + "." } ?? "") + key
      switch entry.value {
      case .text(let text): properties[property] = .text(text)
      case .integer(let value): properties[property] = .number(value)
      case .number(let value): properties[property] = .double(value)
      case .boolean(let value): properties[property] = .boolean(value)
      case .date(let date): properties[property] = .date(date)
      case .list(let texts): properties[property] = .list(texts)
      case .reference(let reference): properties[property] = .reference(reference)
      case .dictionary(let inner): inner.addFeedProperties(&properties, below: property)
      }
    }
  }
}

/// A store of alice that has seen many commits, of one follower each, made without a sync; returns the sequence before
/// them.
func makeStore(_ directory: TemporaryDirectory, commits: Int, consumer: String?) throws -> (
  MessageStore, UInt64
) {
  let path = directory.url.appendingPathComponent("store").path
  var options = Store.Options()
  options.durability = .temporaryImport
  // Commits go to the journal, and on from there every few of them.
  options.journal.use = .always
  options.journal.commitsBefore = 0
  options.journal.checkpointCommits = 3
  options.journal.mostCommits = 7
  let quick = try Store.open(directory: path, user: "alice", options: options)
  if let consumer { _ = try quick.write { try $0.registerConsumer(consumer) } }
  let start = try quick.sequence()
  for round in 0..<commits { try quick.write { try $0.setFollowed(round % 2 == 0, "bob") } }
  quick.close()
  return (try MessageStore(path: path, user: "alice"), start)
}
