import Foundation

/// Messages of the store's user that no server has accepted yet, each the last one of a conversation of its own.
public struct Drafts: Sendable {
  public let messages: [NewMessage]

  /// - Parameter count: How many there are, at most one in each of the larger half of the conversations.
  public init(_ data: LoadedDataset, count: Int) throws {
    let participants = try data.sqlite.connection.prepare(
      "SELECT user FROM participant WHERE conversation = ?1 ORDER BY user")
    let now = Int64(Date.now.timeIntervalSince1970 * 1e6)
    let conversations = data.keys.conversations
    let texts = Tail(data.keys, "drafts")
    messages = try conversations.prefix(min(count, conversations.count / 2)).enumerated().map { number, key in
      let others = try participants.bind(1, key.row).texts().filter { $0 != data.user }
      var record = MessageValues()
      record.identifier = "draft-\(number)"
      record.conversation = key.identifier
      record.sender = data.user
      record.sentAt = now
      record.receivedAt = now
      record.isSent = false
      record.parts = [texts.message(number).record.parts[0]]
      record.recipientStatus = String(
        decoding: try JSONEncoder().encode(
          Dictionary(uniqueKeysWithValues: others.map { ($0, "pending") })), as: UTF8.self)
      return NewMessage(conversation: key, record: record)
    }
  }
}

/// What a server says when it accepts a draft.
public struct Confirmation: Sendable {
  public let remoteID: String
  public let position: Int64
  /// Microseconds since 1970.
  public let sentAt: Int64

  /// The confirmation of the draft of a number: it stays the last message of its conversation.
  public init(ofDraft number: Int) {
    remoteID = "srv-\(number)"
    position = 2_000_000_000 + Int64(number)
    sentAt = 1_798_761_600_000_000 + Int64(number) * 1_000_000
  }
}
