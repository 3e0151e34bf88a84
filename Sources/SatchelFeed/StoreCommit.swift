public import SatchelModel
public import SatchelRecords
import SatchelText

/// The changes of one commit, made by any process, in the order in which it made them.
public struct StoreCommit: Sendable, Hashable {
  /// The commit's number in the store: one higher than the number of the commit before. Commits that changed no object
  /// are not delivered, so the numbers of the delivered commits may have gaps.
  public let sequence: UInt64
  /// The objects that the commit created, updated or deleted, each once.
  ///
  /// An object is left out if a later commit deleted it together with more than a thousand others: its identifier is no
  /// longer known. The ``bulkChanges`` of that later commit say where the object was.
  public let changes: [ObjectChange]
  /// Changes of so many objects at once that the objects are not listed: read the ones that you need again.
  public let bulkChanges: [BulkChange]

  /// Whether ``changes`` lists everything that the commit changed.
  public var isComplete: Bool { bulkChanges.isEmpty }
}

/// The change that one commit made to one object.
public struct ObjectChange: Sendable, Hashable {
  /// What happened to an object.
  public enum Action: Sendable, Hashable, CaseIterable {
    /// The commit created the object, changed properties of it, or deleted it.
    case created, updated, deleted
  }

  /// The identifier of the object. It may be an object that the store's user cannot see.
  public let object: ChangedObject
  /// The conversation that a message belongs to, or belonged to; nil for other objects, and if the conversation was deleted together with
  /// more than a thousand objects, so that its identifier is no longer known.
  public let conversation: Conversation.ID?
  /// What happened to the object.
  public let action: Action
  /// The properties that changed.
  ///
  /// For an updated object: the properties whose values differ; of ``ChangedValue/statuses(_:)``, the recipients whose status
  /// differs. For a deleted object: the values that it had, as far as the log keeps them. For a created object: nothing, because the object itself has the values.
  public let properties: [PropertyChange]
  /// The parts of an updated message that an edit has replaced or removed, by ascending index, as they were before; all parts of a
  /// deleted message. Empty if its parts were not edited; the property `parts` says whether anything of them has changed at all.
  public let formerParts: [FormerPart]

  init(
    object: ChangedObject, in conversation: Conversation.ID?, action: Action,
    properties: [PropertyChange] = [],
    formerParts: [FormerPart] = []
  ) {
    self.object = object
    self.conversation = conversation
    self.action = action
    self.properties = properties
    self.formerParts = formerParts
  }

  /// The change of the property with this spelling in the predicate language; nil if it has not changed.
  public subscript(property: String) -> PropertyChange? { properties.first { $0.property == property } }
}

/// What the log keeps of a part that an edit has replaced or removed, or that a message had when it was deleted.
public struct FormerPart: Sendable, Hashable {
  /// The most bytes of a content that are kept.
  public static let keptBytes = 256

  /// The index that the part had.
  public let index: Int
  /// The MIME type.
  public let mimeType: String
  /// The size in bytes as queries saw it; nil for a link without a declared size.
  public let size: Int64?
  /// The bytes of the content: of the text, of the data or of the link.
  public let length: Int64
  /// A hash of the content, by which two versions of it can be told apart. Nil once the message has been deleted for everyone, or if it
  /// is not known: of what a commit deletes, it keeps this of 4 MB of contents that are longer than 512 bytes, and of none in a
  /// store that is short of room.
  public let digest: UInt64?
  /// The first ``keptBytes`` bytes of the content, all of it if it is not longer. Nil where ``digest`` is nil.
  public let beginning: [UInt8]?
}

/// The identifier of an object that a commit changed, with its kind.
public enum ChangedObject: Sendable, Hashable {
  /// The conversation with this identifier.
  case conversation(Conversation.ID)
  /// The message with this identifier.
  case message(Message.ID)
  /// The announcement with this identifier.
  case announcement(Announcement.ID)
  /// The identity of the user with this id.
  case identity(Identity.ID)
  /// The record with this type and name.
  case record(Record.ID)
}

/// A property with its values before and after a commit.
public struct PropertyChange: Sendable, Hashable {
  /// The property as the predicate language spells it: `isUnread`, `lastMessage.position`, `metadata.theme.color`. A field of a record is
  /// named by itself.
  ///
  /// Four names are not part of that language: `isVisible` of a conversation (whether its messages and the
  /// participation of the store's user let queries show it), `recipientStatus`, `parts`, and `metadata` as a whole; and of a record
  /// `fields` as a whole.
  public let property: String
  /// The value before the commit.
  public let before: ChangedValue
  /// The value right after the commit, even if later commits changed it again.
  public let after: ChangedValue
}

/// Changes of many objects at once, which are not listed one by one.
///
/// There is one for a change of more than 1,000 messages of a conversation; for the messages of a conversation that
/// appears or disappears; in an import of more than 10,000 objects for each conversation with messages in it, or one for everything if
/// there are more than 10,000 such conversations or other objects; and for another commit of more than 20,000 objects.
/// A commit that declares or drops an aggregate also has one: of ``Scope/everything``, without actions and with a count
/// of 0 if no object changed.
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
  /// What happened to the objects: one action or several.
  public let actions: Set<ObjectChange.Action>
  /// The number of changes.
  public let count: Int
}

extension BulkChange: CustomStringConvertible {
  /// The number of changes, what happened and where: `12000 created in conversation lunch`.
  public var description: String {
    let happened = ObjectChange.Action.allCases.filter(actions.contains).map { "\($0)" }.joined(
      separator: " or ")
    let place =
      switch scope {
      case .conversation(let id): "conversation \(id.rawValue.oneLine)"
      case .everything: "the store"
      }
    return "\(count) \(happened.isEmpty ? "changed" : happened) in \(place)"
  }
}

extension ChangedObject: CustomStringConvertible {
  /// The kind and the identifier: `message m1`.
  public var description: String {
    let (kind, id) =
      switch self {
      case .conversation(let id): ("conversation", id.rawValue)
      case .message(let id): ("message", id.rawValue)
      case .announcement(let id): ("announcement", id.rawValue)
      case .identity(let id): ("identity", id.rawValue)
      case .record(let id): ("record", id.description)
      }
    return "\(kind) \(id.oneLine)"
  }
}

extension ObjectChange: CustomStringConvertible {
  /// What happened, to which object, and which properties have changed: `updated message m1 (isUnread, position)`.
  public var description: String {
    let names = action == .updated ? properties.map(\.property.oneLine).joined(separator: ", ") : ""
    return "\(action) \(object)" + (names.isEmpty ? "" : " (\(names))")
  }
}

extension StoreCommit: CustomStringConvertible {
  /// The number of the commit and what it changed, ten objects at most.
  public var description: String {
    let shown = changes.prefix(10).map(\.description) + bulkChanges.prefix(10).map(\.description)
    let others = changes.count + bulkChanges.count - shown.count
    return "commit \(sequence): " + shown.joined(separator: ", ")
      + (others > 0 ? " and \(others) more" : "")
  }
}
