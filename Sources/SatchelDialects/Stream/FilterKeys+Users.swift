public import SatchelModel
public import SatchelQuery

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// The keys that Stream names. What each means, and which are refused, is said by the table of keys, `FilterTable`.

extension FilterKey where Scope: UserFilterScope {
  /// The user id.
  public static var id: FilterKey<Scope, Identity.ID> { "id" }
  /// The display name.
  public static var name: FilterKey<Scope, String> { "name" }
  /// The picture.
  public static var imageURL: FilterKey<Scope, URL> { "image" }
  /// The role that the user has everywhere.
  public static var role: FilterKey<Scope, String> { "role" }
  /// Whether the user is connected.
  public static var isOnline: FilterKey<Scope, Bool> { "online" }
  /// Whether the user is banned.
  public static var isBanned: FilterKey<Scope, Bool> { "banned" }
  /// When the user, or the membership, was created.
  public static var createdAt: FilterKey<Scope, Date> { "created_at" }
  /// When the user, or the membership, was changed last.
  public static var updatedAt: FilterKey<Scope, Date> { "updated_at" }
  /// When the user was seen last.
  public static var lastActiveAt: FilterKey<Scope, Date> { "last_active" }
  /// Whether the user is shown to others as offline.
  public static var isInvisible: FilterKey<Scope, Bool> { "invisible" }
  /// The number of channels with unread messages.
  public static var unreadChannelsCount: FilterKey<Scope, Int> { "unread_channels" }
  /// The number of unread messages.
  public static var unreadMessagesCount: FilterKey<Scope, Int> { "total_unread_count" }
  /// Whether the user is anonymous.
  public static var isAnonymous: FilterKey<Scope, Bool> { "anon" }
  /// The teams.
  public static var teams: FilterKey<Scope, String> { "teams" }
}

extension FilterKey where Scope == MemberListFilterScope {
  /// Whether the member is a moderator.
  public static var isModerator: FilterKey<Scope, Bool> { "is_moderator" }
  /// The email address.
  public static var email: FilterKey<Scope, String> { "user.email" }
  /// The role in the channel.
  public static var channelRole: FilterKey<Scope, String> { "channel_role" }
  /// Whether the member is banned from the channel.
  public static var banned: FilterKey<Scope, Bool> { "banned" }
  /// The state of the invitation.
  public static var invite: FilterKey<Scope, String> { "invite" }
  /// Whether the member has joined.
  public static var joined: FilterKey<Scope, Bool> { "joined" }
}
