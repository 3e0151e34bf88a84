import SatchelQuery

/// The one table of what Stream's keys mean in a store. A key that stands here with a refusal becomes one with a meaning by its line.
///
/// A channel is a conversation whose identifier is the channel's `cid`. What a store has no property for is a value of metadata under Stream's own
/// name, which is where an application puts it that keeps a channel, a user or a message with its extra data. What a channel is to the user is what
/// the conversation is to him, in a store that keeps the states of participants.
package struct FilterTable: Sendable {
  /// The keys, in the order of Stream's documentation.
  package let keys: [(name: String, meaning: KeyMeaning)]
  /// What any other key means.
  package let custom: CustomKeys

  package enum CustomKeys: Sendable {
    case metadata
    case refused(Refusal)
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
      ("hidden", .flag(["my", "isHidden"], [.boolean(true)])),
      ("frozen", .flag("frozen")),
      ("disabled", .flag("disabled")),
      ("blocked", .refused(.blockedChannels)),
      ("archived", .flag(["my", "isArchived"], [.boolean(true)])),
      ("pinned", .flag(["my", "isPinned"], [.boolean(true)])),
      ("members", .value(["participants"], .participants)),
      ("member_count", .value(["participantCount"], .number)),
      ("team", .metadata("team")),
      ("joined", .refused(.joinedChannels)),
      ("muted", .flag(["my", "isMuted"], [.boolean(true)])),
      ("invite", .refused(.invitations)),
      ("member.user.name", .refused(.namesOfMembers)),
      ("last_updated", .firstDate(["lastMessage", "sentAt"], ["createdAt"])),
      ("channel_role", .text("my", "role")),
      ("filter_tags", .metadata("filter_tags", .list)),
      ("has_unread", .flag(["hasUnreadMessages"], [.boolean(true)])),
      ("unread_count", .value(["unreadCount"], .number)),
      ("pinned_at", .date("my", "pinnedAt")),
    ],
    custom: .metadata)

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
    custom: .metadata)

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
    custom: .metadata)

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
      ("relevance", .refused(.relevance)),
    ],
    custom: .metadata)

  private static func refused(_ refusal: Refusal, _ keys: String...) -> FilterTable {
    FilterTable(keys: keys.map { ($0, .refused(refusal)) }, custom: .refused(refusal))
  }

  private static let threads = refused(
    .threads, "channel_cid", "created_at", "updated_at", "last_message_at", "created_by_user_id",
    "parent_message_id", "channel.disabled")
  private static let reactions = refused(.reactions, "type", "user_id")
  private static let reminders = refused(.reminders, "channel_cid", "remind_at", "created_at")
  private static let votes = refused(.votes, "option_id", "user_id", "poll_id", "is_answer")
}
