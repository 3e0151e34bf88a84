import SatchelQuery

/// The one table of what Stream's keys mean in a store. A key that stands here with a refusal becomes one with a meaning by its line.
///
/// A channel is a conversation whose identifier is the channel's `cid`. What a store has no property for is a value of metadata under Stream's own
/// name, which is where an application puts it that keeps a channel, a user or a message with its extra data.
package struct FilterTable: Sendable {
  /// The keys, in the order of Stream's documentation.
  package let keys: [(name: String, meaning: KeyMeaning)]
  /// What any other key means.
  package let custom: CustomKeys
  /// The keys to sort by, most significant first: the paths that each stands for.
  package let sorting: [(name: String, meaning: SortMeaning)]

  package enum CustomKeys: Sendable {
    case metadata
    case refused(Refusal)
  }

  package enum SortMeaning: Sendable {
    case paths([[String]])
    case refused(Refusal)

    static func path(_ names: String...) -> SortMeaning { .paths([names]) }
  }

  package static func of(_ list: FilteredList) -> FilterTable {
    switch list {
    case .channels: channels
    case .users: users
    case .members: members
    case .messages: messages
    case .threads: threads
    case .reactions: reactions
    case .reminders: reminders
    case .votes: votes
    }
  }

  func meaning(of key: String) -> KeyMeaning? { keys.first { $0.name == key }?.meaning }
  func sortMeaning(of key: String) -> SortMeaning? { sorting.first { $0.name == key }?.meaning }
}

extension FilterTable {
  private static let channels = FilterTable(
    keys: [
      ("cid", .identifier("identifier")),
      ("id", .metadata("id")),
      ("name", .metadata("name")),
      ("image", .metadata("image")),
      ("type", .metadata("type")),
      ("last_message_at", .date("lastMessage", "sentAt")),
      ("created_by_id", .metadata("created_by_id")),
      ("created_at", .date("createdAt")),
      ("updated_at", .date("updatedAt")),
      ("deleted_at", .missing(.deletedChannels)),
      ("hidden", .refused(.participantStates)),
      ("frozen", .flag("frozen")),
      ("disabled", .flag("disabled")),
      ("blocked", .refused(.participantStates)),
      ("archived", .refused(.participantStates)),
      ("pinned", .refused(.participantStates)),
      ("members", .value(["participants"], .participants)),
      ("member_count", .value(["participantCount"], .number)),
      ("team", .metadata("team")),
      ("joined", .refused(.participantStates)),
      ("muted", .refused(.participantStates)),
      ("invite", .refused(.participantStates)),
      ("member.user.name", .refused(.namesOfMembers)),
      ("last_updated", .firstDate(["lastMessage", "sentAt"], ["createdAt"])),
      ("channel_role", .refused(.participantStates)),
      ("filter_tags", .metadata("filter_tags", .list)),
      ("has_unread", .flag(["hasUnreadMessages"], [.boolean(true)])),
    ],
    custom: .metadata,
    sorting: [
      // A conversation that a query gives has a message, unless all have been deleted.
      ("last_updated", .paths([["lastMessage", "sentAt"], ["createdAt"]])),
      ("created_at", .path("createdAt")),
      ("updated_at", .path("updatedAt")),
      ("last_message_at", .path("lastMessage", "sentAt")),
      ("pinned_at", .refused(.participantStates)),
      ("member_count", .path("participantCount")),
      ("cid", .path("identifier")),
      ("has_unread", .path("hasUnreadMessages")),
      ("unread_count", .path("unreadCount")),
    ])

  /// What users and members have in common.
  private static let identities: [(name: String, meaning: KeyMeaning)] = [
    ("id", .identifier("userID")),
    ("name", .text("displayName")),
    ("image", .text("avatarURL")),
    ("role", .metadata("role")),
    // Who is invisible is shown to others as offline.
    ("online", .flag(["presenceStatus"], [.text("available"), .text("busy"), .text("away")])),
    ("invisible", .flag(["presenceStatus"], [.text("invisible")])),
    ("last_active", .date("lastSeenAt")),
    ("unread_channels", .refused(.unreadOfUsers)),
    ("total_unread_count", .refused(.unreadOfUsers)),
    ("anon", .flag("anon")),
    ("teams", .metadata("teams", .list)),
  ]

  private static let users = FilterTable(
    keys: identities + [
      ("banned", .flag("banned")),
      ("created_at", .metadata("created_at", .custom)),
      ("updated_at", .metadata("updated_at", .custom)),
    ],
    custom: .metadata,
    sorting: [
      ("id", .path("userID")),
      ("name", .path("displayName")),
      ("role", .path("metadata", "role")),
      ("banned", .path("metadata", "banned")),
      ("last_active", .path("lastSeenAt")),
    ])

  private static let members = FilterTable(
    keys: identities + [
      ("is_moderator", .refused(.membership)),
      ("user_id", .identifier("userID")),
      ("user.email", .text("emailAddress")),
      ("channel_role", .refused(.membership)),
      ("banned", .refused(.membership)),
      ("invite", .refused(.membership)),
      ("joined", .refused(.membership)),
      ("created_at", .refused(.membership)),
      ("updated_at", .refused(.membership)),
      ("cid", .refused(.channelOfMembers)),
    ],
    custom: .metadata,
    sorting: [
      ("created_at", .refused(.membership)),
      ("user_id", .path("userID")),
      ("name", .path("displayName")),
      ("channel_role", .refused(.membership)),
    ])

  private static let messages = FilterTable(
    keys: [
      ("text", .text("parts", "text")),
      ("user.id", .identifier("sender", "userID")),
      ("attachments.type", .attachmentTypes),
      ("attachments", .attachments),
      ("id", .identifier("identifier")),
      ("cid", .identifier("conversation")),
      ("created_at", .date("sentAt")),
      ("updated_at", .date("updatedAt")),
      ("deleted_at", .date("deletedAt")),
      ("mentioned_users.id", .metadata("mentioned_users", .list)),
      ("parent_id", .refused(.threads)),
      ("reply_count", .refused(.threads)),
      ("reactions", .refused(.reactions)),
      ("pinned", .refused(.pins)),
    ],
    custom: .metadata,
    sorting: [
      ("relevance", .refused(.relevance)),
      ("id", .path("identifier")),
      ("created_at", .path("sentAt")),
      ("updated_at", .path("updatedAt")),
    ])

  private static func refused(_ refusal: Refusal, _ keys: [String], sorting: [String] = []) -> FilterTable {
    FilterTable(
      keys: keys.map { ($0, .refused(refusal)) }, custom: .refused(refusal),
      sorting: sorting.map { ($0, .refused(refusal)) })
  }

  private static let threads = refused(
    .threads,
    [
      "channel_cid", "created_at", "updated_at", "last_message_at", "created_by_user_id", "parent_message_id",
      "channel.disabled",
    ],
    sorting: [
      "created_at", "updated_at", "last_message_at", "participant_count", "active_participant_count",
      "reply_count", "parent_message_id", "has_unread",
    ])
  private static let reactions = refused(.reactions, ["type", "user_id"])
  private static let reminders = refused(
    .reminders, ["channel_cid", "remind_at", "created_at"],
    sorting: ["remind_at", "created_at", "updated_at"])
  private static let votes = refused(
    .votes, ["option_id", "user_id", "poll_id", "is_answer"], sorting: ["created_at"])
}
