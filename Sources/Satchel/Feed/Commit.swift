/// What one commit of a process has changed, in the order in which it changed it.
public struct Commit: Sendable, Hashable {
  /// The commit's number in the store: each is one higher than the one before. Commits that changed no object are not
  /// delivered, so that the numbers that are may have gaps.
  public let sequence: UInt64
  /// The objects that the commit created, updated or deleted, each once.
  ///
  /// An object that a later commit deleted together with more than a thousand others is left out: nobody can name it any
  /// more, and that commit's ``bulkChanges`` say where it was.
  public let changes: [ObjectChange]
  /// Changes of so many objects at once that they are not listed: read what you need of them again.
  public let bulkChanges: [BulkChange]

  /// Whether ``changes`` lists everything that the commit has changed.
  public var isComplete: Bool { bulkChanges.isEmpty }
}

/// How one commit has changed one object.
public struct ObjectChange: Sendable, Hashable {
  /// What happened to an object.
  public enum Action: Sendable, Hashable, CaseIterable {
    case created, updated, deleted
  }

  /// The object, by its identifier. It need not be one that the store's user can see.
  public let object: ChangedObject
  /// What happened to it.
  public let action: Action
  /// Of an updated object the properties whose values differ; of a deleted one the values that it had, as far as they are
  /// kept; of a created one nothing, because the object itself says it.
  public let properties: [PropertyChange]

  /// How a property has changed, by its spelling in the predicate language; nil when it has not.
  public subscript(property: String) -> PropertyChange? { properties.first { $0.property == property } }
}

/// An object that a commit has changed.
public enum ChangedObject: Sendable, Hashable {
  case conversation(Conversation.ID)
  case message(Message.ID)
  case announcement(Announcement.ID)
  case identity(Identity.ID)
}

/// A property's value before and after a commit.
public struct PropertyChange: Sendable, Hashable {
  /// The property as the predicate language spells it: `isUnread`, `lastMessage.position`, `metadata.theme.color`. Three are
  /// none of that language: `isVisible` of a conversation (whether its messages and the store's user's participation let
  /// queries show it), `recipientStatus` and `metadata` as wholes.
  public let property: String
  /// The value before the commit.
  public let before: ChangedValue
  /// The value right after the commit, whatever later ones made of it.
  public let after: ChangedValue
}

/// Changes of many objects at once: of more than a thousand messages of a conversation, of the messages of one that
/// appears or disappears with them, of an import, or of more than 20,000 objects.
public struct BulkChange: Sendable, Hashable {
  /// Where the objects are.
  public enum Scope: Sendable, Hashable {
    /// Messages of one conversation.
    case conversation(Conversation.ID)
    /// Objects of any kind, anywhere in the store.
    case everything
  }

  /// Where the objects are.
  public let scope: Scope
  /// What happened to them: one action or several.
  public let actions: Set<ObjectChange.Action>
  /// How many changes there were.
  public let count: Int
}
