import ArgumentParser
import Satchel
import SatchelModel

/// `satchel delete`: removes messages, announcements or conversations.
struct DeleteCommand: ParsableCommand, TakesKinds {
  static let kinds = [ObjectKind.messages, .announcements, .conversations]
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Deletes messages, announcements, or conversations with all their messages.",
    discussion: """
      Nothing of them is left. With --for-everyone, a message stays in its place as one that was deleted, without its contents. All \
      of them are deleted or, if one of the identifiers is none, none is.
      """)

  @OptionGroup var store: StoreArgument

  @Argument(help: "messages, announcements or conversations.")
  var kind: ObjectKind

  @Argument(help: "The identifiers.")
  var identifiers: [String]

  @Flag(help: "Leave the messages in their places, without their contents.")
  var forEveryone = false

  @OptionGroup var writing: WriteOptions

  func validate() throws {
    guard Self.kinds.contains(kind) else {
      throw ValidationError("delete takes messages, announcements or conversations, not \(kind.rawValue)")
    }
    guard kind != .conversations || !forEveryone else {
      throw ValidationError("--for-everyone goes with messages and announcements")
    }
  }

  func run() throws {
    let audience = forEveryone ? DeletionAudience.everyone : .user
    try writing.write(store.store) { transaction in
      // One that is named twice is deleted once.
      var deleted: Set<String> = []
      for identifier in identifiers where deleted.insert(identifier).inserted {
        switch kind {
        case .messages: try transaction.delete(Message.ID(identifier), for: audience)
        case .announcements: try transaction.delete(Announcement.ID(identifier), for: audience)
        default: try transaction.delete(Conversation.ID(identifier))
        }
      }
    }
  }
}
