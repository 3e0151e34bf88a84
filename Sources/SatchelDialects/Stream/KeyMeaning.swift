import SatchelModel
package import SatchelQuery

/// What a key of Stream's means in a store: where its values are, and so which operators it has.
package enum KeyMeaning: Sendable {
  /// A value of a type.
  case value([String], ValueKind)
  /// The date at the first path, and where that is missing the one at the second.
  case firstDate([String], [String])
  /// Something that is true or false: true where the value is one of these, false where it is another one or missing.
  case flag([String], [QueryPredicate.Constant])
  /// Whether a message has parts that are no texts.
  case attachments
  /// The types of these parts.
  case attachmentTypes
  /// Something that no object of a store has.
  case missing(Refusal)
  /// Something that a store is not asked for.
  case refused(Refusal)

  /// The types of values; the texts say in an error what they are. Texts, dates and values of metadata may be missing.
  package enum ValueKind: String, Sendable {
    case text = "texts"
    case identifier = "identifiers, which are texts"
    case number = "numbers"
    case date = "dates, or texts in RFC 3339"
    case participants = "ids of users, which are texts"
    /// A list in metadata.
    case list = "the texts of a list"
    /// A value of metadata, of whatever type it is.
    case custom = "texts, numbers, Booleans or dates"
  }

  static func text(_ path: String...) -> KeyMeaning { .value(path, .text) }
  static func identifier(_ path: String...) -> KeyMeaning { .value(path, .identifier) }
  static func date(_ path: String...) -> KeyMeaning { .value(path, .date) }
  /// What stands in metadata under a key.
  static func metadata(_ key: String, _ kind: ValueKind = .text) -> KeyMeaning {
    .value(["metadata", key], kind)
  }
  /// A Boolean of metadata.
  static func flag(_ key: String) -> KeyMeaning { .flag(["metadata", key], [.boolean(true)]) }

  /// The operators that the key has.
  var operators: [FilterOperator] {
    let equality: [FilterOperator] = [.equal, .notEqual, .in, .notIn, .exists]
    let order: [FilterOperator] = [.greater, .greaterOrEqual, .less, .lessOrEqual]
    return switch self {
    case .value(_, .text), .value(_, .identifier), .value(_, .custom):
      equality + order + [.autocomplete, .contains]
    case .value(_, .number), .value(_, .date), .firstDate: equality + order
    case .value(_, .list): equality + [.autocomplete, .contains]
    case .value(_, .participants), .attachmentTypes: equality + [.contains]
    case .flag: equality
    case .attachments, .missing: [.exists]
    case .refused: []
    }
  }
}

/// Why something that Stream has is not asked of a store, and what to do instead.
package struct Refusal: Sendable {
  let reason: StaticString
  let instead: StaticString

  /// Returns the error that says so of a list, and of a key and an operator.
  func error(_ context: [String: String]) -> SatchelError {
    SatchelError(.notAvailable, reason, context).adding(["instead": instead.description])
  }

  static let blockedChannels = Refusal(
    reason: "Whether the user has blocked a channel is not in this version",
    instead: "keep it in the conversation's metadata under a key of your own")
  static let invitations = Refusal(
    reason: "Whether the user has accepted an invitation is not in this version",
    instead: "keep it in the conversation's metadata under a key of your own")
  static let joinedChannels = Refusal(
    reason: "A query gives no channel of which the user is not a member",
    instead: "leave the condition out")
  static let membership = Refusal(
    reason: "A member is an identity, which does not say since when it is one, and what it may do as one",
    instead: "ask for the participations in the conversation, records that have it")
  static let threads = Refusal(
    reason: "Threads and replies are not in this version",
    instead: "keep the parent's identifier in the message's metadata under a key of your own")
  static let reactions = Refusal(
    reason: "Reactions are not in this version",
    instead: "declare a record type with a reference to the message")
  static let pins = Refusal(
    reason: "Pinned messages are not in this version",
    instead: "keep it in the message's metadata under a key of your own")
  static let reminders = Refusal(
    reason: "Stream's reminders are kept by its service",
    instead: "declare a record type with a date and a reference to the message")
  static let votes = Refusal(
    reason: "Stream's polls are kept by its service",
    instead: "declare a record type with a reference to the message")
  static let search = Refusal(
    reason: "Full-text search is not in this version",
    instead: "$autocomplete for beginnings of words, or $contains")
  static let deletedChannels = Refusal(
    reason: "A conversation that is deleted is not in the store any more",
    instead: "leave the condition out: no conversation has a date of deletion, so that $exists is false")
  static let unreadOfUsers = Refusal(
    reason: "A store knows what its own user has not read, and of no other user",
    instead: "ask for the unread of conversations: has_unread, or the count of their unreadCount")
  static let namesOfMembers = Refusal(
    reason: "The names of members are of identities, to which no path leads from a conversation",
    instead: "filter users by name, and channels by members $in their ids")
  static let channelOfMembers = Refusal(
    reason: "Members are asked for in one channel", instead: "give the channel to ChannelMemberListQuery")
  static let relevance = Refusal(
    reason: "Full-text search, which would rank messages, is not in this version",
    instead: "sort by created_at")
}
