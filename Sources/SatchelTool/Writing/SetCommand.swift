import ArgumentParser
import Satchel
import SatchelInterchange
import SatchelModel
import SatchelWriting
import TerminalInterface

/// `satchel set`: changes properties of an object.
struct SetCommand: ParsableCommand, TakesKinds {
  static let kinds = ObjectKind.allCases.filter { $0 != .parts }
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Sets properties of a conversation, message, announcement or identity.",
    usage: """
      satchel set <store> <kind> <identifier> <name>=<value> ... <name>:=<json> ... [--clear <name> ...] [--as <user>]
      """,
    discussion: """
      The names are those of \"set\" in a line of the interchange format, and metadata.KEY, recipientStatus.USER and \
      transferStatus.INDEX. A text is what stands behind the = sign; dates are 2024-01-03T12:00:00Z, numbers 12, Booleans true and false, \
      participants user ids joined by commas, the store's user among them. Behind := a value is JSON, as in such a line: so metadata gets \
      numbers, Booleans, lists of texts, dates and dictionaries. All properties are set or, if one of them cannot be, none is.

      satchel set STORE messages m1 isUnread=false position=12 --clear sentAt
      satchel set STORE conversations lunch metadata.title=Lunch participants=alice,bob
      satchel set STORE messages m1 metadata.stars:=5 'metadata.tags:=["urgent","late"]' 'metadata.due:={"$date":"2024-01-03T12:00:00Z"}'
      """)

  @OptionGroup var store: StoreArgument

  @Argument(help: "conversations, messages, announcements or identities.")
  var kind: ObjectKind

  @Argument(help: "The identifier of the object.")
  var identifier: String

  @Argument(help: ArgumentHelp("Properties and their values.", valueName: "name=value"))
  var assignments: [String] = []

  @Option(
    name: .customLong("clear"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A property that is to have no value any more.", valueName: "name"))
  var cleared: [String] = []

  @OptionGroup var writing: WriteOptions

  func validate() throws {
    guard Self.kinds.contains(kind) else {
      throw ValidationError("set takes conversations, messages, announcements or identities, not parts")
    }
    guard !assignments.isEmpty || !cleared.isEmpty else {
      throw ValidationError("set takes properties and their values, such as metadata.title=Lunch")
    }
  }

  func run() throws {
    let line = UpdateLine(of: kind, identifier)
    let changes =
      try assignments.map { try UpdateLine.Change(assignment: $0) }
      + cleared.map { try UpdateLine.Change(clearing: $0) }
    let record = try line.record(changes)
    try writing.write(store.store) { transaction in
      switch record {
      case .messageUpdate(let id, let update):
        try transaction.writer.updateMessage(id, isAnnouncement: kind == .announcements, update)
      case .conversationUpdate(let id, let update):
        if case .replace(let users) = update.participants, !users.contains(transaction.writer.user) {
          let user = transaction.writer.user.rawValue
          throw ToolError(
            "participants without \(user), whose store it is, would take the conversation and its messages from "
              + "all queries: participants=\(([user] + users.map(\.rawValue)).joined(separator: ","))")
        }
        try transaction.writer.updateConversation(id, update)
      case .identityUpdate(let id, let update): try transaction.writer.updateIdentity(id, update)
      default: break
      }
    }
  }
}
