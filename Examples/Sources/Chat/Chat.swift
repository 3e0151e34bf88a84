import Foundation
import Satchel

/// A chat in the terminal: `Chat STORE`. With `--script`, or where there is no terminal, each new picture is printed as
/// text, and the keys come from standard input until its end.
@main
@MainActor
struct Chat {
  let model: ChatModel
  let screen: any Screen

  static func main() async {
    let arguments = CommandLine.arguments.dropFirst().filter { $0 != "--script" }
    guard arguments.count == 1, let path = arguments.first else {
      print("usage: Chat STORE [--script]")
      exit(64)
    }
    let isScript = CommandLine.arguments.contains("--script") || isatty(0) == 0 || isatty(1) == 0
    do {
      let model = try await ChatModel(MessageStore(existingAt: path))
      let screen: any Screen = isScript ? Printout() : Terminal()
      defer { screen.close() }
      try await Chat(model: model, screen: screen).run()
    } catch {
      FileHandle.standardError.write(Data("Chat: \(error)\n".utf8))
      exit(1)
    }
  }

  private func run() async throws {
    try await model.load()
    draw()
    try await withThrowingTaskGroup(of: Void.self) { loops in
      loops.addTask { try await followConversations() }
      loops.addTask { await followMessages() }
      loops.addTask { await followUnread() }
      loops.addTask { try await followKeys() }
      try await loops.next()  // The keys end, or the lists do: then there is a reason.
      loops.cancelAll()
    }
    if let failure = model.conversations.failure { throw failure }
  }

  // Each loop gets the list as it became. While something else is drawn, commits are gathered into one change set.
  private func followConversations() async throws {
    for await changes in model.conversations.changes {
      try await model.keepSelection(changes)
      draw()
    }
  }

  private func followMessages() async { for await _ in model.messages.changes { draw() } }
  private func followUnread() async { for await _ in model.unread.values { draw() } }

  private func followKeys() async throws {
    for await key in Key.pressed {
      try await model.press(key)
      if model.isOver { return }
      draw()
    }
  }

  private func draw() { screen.show(Picture(of: model, rows: screen.rows)) }
}
