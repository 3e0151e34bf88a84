/// The lists that Stream has filters for.
public enum FilteredList: String, Hashable, Sendable, CaseIterable {
  /// Conversations.
  case channels
  /// Identities.
  case users
  /// The identities of a conversation's participants.
  case members
  case messages, threads, reactions, reminders
  /// The votes of a poll.
  case votes
}

/// What a filter is for. It says which keys there are, and is no more than a type.
public protocol FilterScope: Sendable {
  /// The list that its filters are for.
  static var list: FilteredList { get }
}

/// The scope of filters for users or for members, which have keys in common.
public protocol UserFilterScope: FilterScope {}

/// The scope of filters for channels.
public enum ChannelListFilterScope: FilterScope {
  /// The list that its filters are for.
  public static var list: FilteredList { .channels }
}

/// The scope of filters for users.
public enum UserListFilterScope: UserFilterScope {
  /// The list that its filters are for.
  public static var list: FilteredList { .users }
}

/// The scope of filters for the members of a channel.
public enum MemberListFilterScope: UserFilterScope {
  /// The list that its filters are for.
  public static var list: FilteredList { .members }
}

/// The scope of filters for messages.
public enum MessageSearchFilterScope: FilterScope {
  /// The list that its filters are for.
  public static var list: FilteredList { .messages }
}

/// The scope of filters for threads.
public enum ThreadListFilterScope: FilterScope {
  /// The list that its filters are for.
  public static var list: FilteredList { .threads }
}

/// The scope of filters for the reactions to a message.
public enum ReactionListFilterScope: FilterScope {
  /// The list that its filters are for.
  public static var list: FilteredList { .reactions }
}

/// The scope of filters for reminders of messages.
public enum MessageReminderListFilterScope: FilterScope {
  /// The list that its filters are for.
  public static var list: FilteredList { .reminders }
}

/// The scope of filters for the votes of a poll.
public enum VoteListFilterScope: FilterScope {
  /// The list that its filters are for.
  public static var list: FilteredList { .votes }
}
