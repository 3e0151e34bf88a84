import ArgumentParser
import Satchel
import SatchelModel

/// `satchel delete`: removes messages, announcements, conversations or records.
struct DeleteCommand: ParsableCommand, TakesKinds, TakesRecordTypes {
  static let kinds = [ObjectKind.messages, .announcements, .conversations]
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Deletes messages, announcements, conversations with all their messages, or records.",
    discussion: """
      Nothing of them is left. With --for-everyone, a message stays in its place as one that was deleted, without its contents. All \
      of them are deleted or, if one of the identifiers is none, none is. What becomes of records that refer to them is what their declared fields \
      say: they go as well, lose the field, or keep all of it from being deleted.
      """)

  @OptionGroup var store: StoreArgument

  @Argument(help: "messages, announcements or conversations; or a record type.")
  var kind: QueriedKind

  @Argument(help: "The identifiers.")
  var identifiers: [String]

  @Flag(help: "Leave the messages in their places, without their contents.")
  var forEveryone = false

  @OptionGroup var writing: WriteOptions

  func validate() throws {
    try kind.validate(in: store)
    guard kind.recordType != nil || Self.kinds.contains(kind.kind) else {
      throw ValidationError(
        "delete takes messages, announcements, conversations or a record type, not \(kind.kind.rawValue)")
    }
    guard [.messages, .announcements].contains(kind.kind) || !forEveryone else {
      throw ValidationError("--for-everyone goes with messages and announcements")
    }
  }

  func run() throws {
    let audience = forEveryone ? DeletionAudience.everyone : .user
    try writing.write(store.store) { transaction in
      // One that is named twice is deleted once.
      var deleted: Set<String> = []
      for identifier in identifiers where deleted.insert(identifier).inserted {
        switch kind.kind {
        case .records: try transaction.delete(Record.ID(type: kind.recordType ?? "", name: identifier))
        case .messages: try transaction.delete(Message.ID(identifier), for: audience)
        case .announcements: try transaction.delete(Announcement.ID(identifier), for: audience)
        default: try transaction.delete(Conversation.ID(identifier))
        }
      }
    }
  }
}
