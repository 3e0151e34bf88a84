import ArgumentParser
import Satchel

/// `satchel edit`: changes the contents of a message.
struct EditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Gives a message or an announcement other contents.",
    discussion: """
      The texts take the place of all parts, or of one with --part, or come behind them with --append. Each is a part. The \
      message says from then on that it was edited, and when. The rest of it is for satchel set.
      """)

  @OptionGroup var store: StoreArgument

  @Argument(help: "The identifier of the message or announcement.")
  var message: String

  @Argument(help: "The texts.")
  var texts: [String] = []

  @Option(parsing: .unconditional, help: "The index of the one part that the text replaces, from 0.")
  var part: Int?

  @Flag(help: "Add the texts behind the parts that are there.")
  var append = false

  @Option(
    name: .customLong("remove"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The index of a part that is removed, from 0, before anything is added.", valueName: "part"))
  var removed: [Int] = []

  @OptionGroup var writing: WriteOptions

  func validate() throws {
    guard !texts.isEmpty || !removed.isEmpty else {
      throw ValidationError("edit takes texts, or the parts to --remove")
    }
    guard removed.isEmpty || texts.isEmpty || append || part != nil else {
      throw ValidationError(
        "--remove goes with --append, --part or no texts: texts alone take the place of all parts")
    }
    guard part == nil || texts.count == 1 && !append else {
      throw ValidationError("--part goes with one text, and not with --append")
    }
  }

  func run() throws {
    func edit(_ changes: inout MessageChanges) {
      let parts = texts.map { MessagePart.Draft.text($0) }
      changes.removedParts = Set(removed)
      if let part {
        changes.replacedParts = [part: parts[0]]
      } else if append || texts.isEmpty {
        changes.appendedParts = parts
      } else {
        changes.parts = parts
      }
    }
    try writing.write(store.store) { transaction in
      let announcement = Announcement.ID(message)
      if try transaction.read({ try $0.announcement(announcement) }) != nil {
        try transaction.update(announcement, edit)
      } else {
        try transaction.update(Message.ID(message), edit)
      }
    }
  }
}
