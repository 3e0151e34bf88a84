import ArgumentParser
import Satchel
import SatchelModel
import TerminalInterface

/// `satchel count`: counts the results of a query.
struct CountCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "count",
    abstract: "Counts conversations, messages, parts, announcements or identities.",
    discussion: """
      Prints a number, the same as query --select count: from the nodes of an index alone where the condition is one of its \
      ranges, which satchel explain --select count tells.
      """)

  @OptionGroup var store: StoreArgument

  @Argument(help: "conversations, messages, parts, announcements or identities.")
  var kind: ObjectKind

  @OptionGroup var window: WindowArguments

  func run() throws {
    let description = try window.description(of: kind)
    let count = try store.read { try $0.count(description) }
    var output = Output()
    try output.line(String(count))
    try output.flush()
  }
}
