import ArgumentParser
import ChatGeneration
import TerminalInterface

/// `satchel generate`: writes a generated chat of any size.
struct GenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Writes a made-up chat in the interchange format to standard output.",
    discussion: "The same number and seed give the same bytes. The chat's user is alice.")

  @Option(help: "How many messages.")
  var messages: Int

  @Option(help: "Which one of many chats of that size.")
  var seed: UInt64 = 1

  func validate() throws {
    guard messages >= 0 else { throw ValidationError("--messages takes a number from 0 on, not \(messages)") }
  }

  func run() throws {
    var output = Output()
    try ChatGenerator(messages: messages, seed: seed).generate { try output.write($0) }
    try output.flush()
  }
}
