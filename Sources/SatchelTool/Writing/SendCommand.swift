import ArgumentParser
import Satchel
import SatchelLines
import SatchelText
import TerminalInterface

/// `satchel send`: adds a message of the store's user.
struct SendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "send",
    abstract: "Adds a message that the store's user sends.",
    usage: """
      satchel send <store> <conversation> <text> ... [--id <id>] [--as <user>]
      satchel send <store> --with <user> ... <text> ... [--id <id>] [--as <user>]
      """,
    discussion: """
      Each text is a part of the message. It is not marked as sent, and has no position, until set says so: \
      satchel set STORE messages ID isSent=true position=12. Prints the identifier of the message, at a terminal as it is, elsewhere as \
      a JSON string.

      With --with, the conversation is the one of the store's user with exactly these others: if there is none, it is created.
      """)

  @OptionGroup var store: StoreArgument

  @Argument(
    help: ArgumentHelp(
      "The identifier of the conversation, unless --with is given; then a text for each part.",
      valueName: "conversation"))
  var words: [String] = []

  @Option(
    name: .customLong("with"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("The other participant, or one of several.", valueName: "user"))
  var users: [String] = []

  @Option(parsing: .unconditional, help: "The identifier of the message; without, a new one is made.")
  var id: String?

  @OptionGroup var writing: WriteOptions
  @OptionGroup var format: FormatOption

  private var texts: ArraySlice<String> { words.dropFirst(users.isEmpty ? 1 : 0) }

  func validate() throws {
    guard !texts.isEmpty else {
      throw ValidationError(
        users.isEmpty
          ? "send takes a conversation and a text: satchel send STORE CONVERSATION TEXT"
          : "send takes a text: satchel send STORE --with USER TEXT")
    }
  }

  func run() throws {
    let message = try writing.write(store.store) { transaction in
      let conversation: Conversation.ID
      if users.isEmpty, let first = words.first {
        conversation = Conversation.ID(first)
      } else {
        conversation = try transaction.conversation(with: users.map { Identity.ID($0) }).id
      }
      return try transaction.send(
        texts.map { .text($0) }, to: conversation, id: id.map { Message.ID($0) })
    }
    var output = Output()
    switch format.resolved {
    case .table: try output.line(message.rawValue.oneLine)
    case .json:
      var writer = JSONWriter()
      writer.string(message.rawValue)
      writer.endLine()
      try output.write(writer.bytes)
    }
    try output.flush()
  }
}
