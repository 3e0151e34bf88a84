import ChatGeneration
import SatchelBytes
import SatchelLines
import SatchelModel
import Testing

/// Reads a generated chat line by line and checks what every line must keep to.
struct ChatModel {
  var kinds: [String: Int] = [:]
  var messageCounts: [String: Int] = [:]
  var partTypes: [String: Int] = [:]
  var conversationsOfAlice = 0
  var distinctCount = 0
  var unreadCount = 0
  var unsentCount = 0
  var lastSentAt: String?
  var longestText = 0
  var hasDecomposedText = false
  var hasJoinedEmoji = false

  private var userIDs: Set<String> = []
  private var participants: [String: [String]] = [:]
  private var createdAt: [String: Int64] = [:]
  private var positions: [String: Int64] = [:]
  private var identifiers: Set<String> = []
  private var lastTime = Int64.min

  struct Malformed: Error {
    let key: String
  }

  mutating func read(_ line: [UInt8]) throws {
    let value = try JSONValue(parsing: line)
    var writer = JSONWriter()
    writer.value(value)
    #expect(writer.bytes == line)
    guard case .object(let record) = value else { throw Malformed(key: "") }
    let kind = try record.string("kind")
    #expect((kind == "header") == kinds.isEmpty)
    kinds[kind, default: 0] += 1
    switch kind {
    case "header": #expect(try record.string("format") == "satchel-interchange")
    case "identity": try readIdentity(record)
    case "conversation": try readConversation(record)
    case "message": try readMessage(record)
    case "announcement": try readAnnouncement(record)
    default: Issue.record("unknown kind \(kind)")
    }
  }

  private mutating func readIdentity(_ record: JSONObject) throws {
    #expect(kinds["conversation"] == nil)
    let userID = try record.string("userID")
    #expect(userIDs.insert(userID).inserted)
    #expect((userID == ChatGenerator.authenticatedUser) == (userIDs.count == 1))
    #expect(try !record.string("displayName").isEmpty)
  }

  private mutating func readConversation(_ record: JSONObject) throws {
    #expect(kinds["message"] == nil)
    let identifier = try record.string("identifier")
    guard case .array(let elements)? = record["participants"] else { throw Malformed(key: "participants") }
    let members = try elements.map { element in
      guard case .string(let userID) = element else { throw Malformed(key: "participants") }
      return userID
    }
    #expect((2...30).contains(members.count))
    #expect(Set(members).count == members.count)
    #expect(userIDs.isSuperset(of: members))
    #expect(participants.updateValue(members, forKey: identifier) == nil)
    createdAt[identifier] = try RFC3339.parse(record.string("createdAt"))
    if members.contains(ChatGenerator.authenticatedUser) { conversationsOfAlice += 1 }
    if record["isDistinct"] == .bool(true) { distinctCount += 1 }
  }

  private mutating func readMessage(_ record: JSONObject) throws {
    #expect(kinds["announcement"] == nil)
    #expect(identifiers.insert(try record.string("identifier")).inserted)
    let conversation = try record.string("conversation")
    let sender = try record.string("sender")
    let members = try #require(participants[conversation])
    #expect(userIDs.contains(sender))
    messageCounts[conversation, default: 0] += 1
    if record["isSent"] == .bool(false) {
      unsentCount += 1
      #expect(sender == ChatGenerator.authenticatedUser)
      #expect(record["position"] == nil && record["sentAt"] == nil)
    } else {
      #expect(unsentCount == 0)
      guard case .integer(let position)? = record["position"] else { throw Malformed(key: "position") }
      if let before = positions.updateValue(position, forKey: conversation) { #expect(position > before) }
      let sentAt = try RFC3339.parse(record.string("sentAt"))
      let receivedAt = try RFC3339.parse(record.string("receivedAt"))
      #expect(sentAt >= lastTime)
      #expect(sentAt >= createdAt[conversation] ?? Int64.max)
      #expect(sender == ChatGenerator.authenticatedUser ? receivedAt == sentAt : receivedAt >= sentAt)
      lastTime = sentAt
      lastSentAt = try record.string("sentAt")
    }
    if record["isUnread"] == .bool(true) {
      unreadCount += 1
      #expect(sender != ChatGenerator.authenticatedUser)
    }
    if case .object(let status)? = record["recipientStatus"] {
      #expect(sender == ChatGenerator.authenticatedUser)
      #expect(status.members.map(\.key) == members.filter { $0 != sender })
    }
    try readParts(record)
  }

  private mutating func readAnnouncement(_ record: JSONObject) throws {
    #expect(identifiers.insert(try record.string("identifier")).inserted)
    #expect(userIDs.contains(try record.string("sender")))
    #expect(record["conversation"] == nil)
    try readParts(record)
  }

  private mutating func readParts(_ record: JSONObject) throws {
    guard case .array(let parts)? = record["parts"] else { return }
    for case .object(let part) in parts {
      partTypes[try part.string("mimeType"), default: 0] += 1
      let contents = ["text", "base64", "url"].filter { part[$0] != nil }
      #expect(contents.count == 1)
      if part["base64"] != nil { #expect(try !Base64.decode(part.string("base64")).isEmpty) }
      if part["text"] != nil {
        let text = try part.string("text")
        longestText = max(longestText, text.utf8.count)
        hasDecomposedText = hasDecomposedText || text.unicodeScalars.contains("\u{301}")
        hasJoinedEmoji = hasJoinedEmoji || text.unicodeScalars.contains("\u{200D}")
      }
    }
  }
}

extension JSONObject {
  fileprivate func string(_ key: String) throws -> String {
    guard case .string(let value)? = self[key] else { throw ChatModel.Malformed(key: key) }
    return value
  }
}
