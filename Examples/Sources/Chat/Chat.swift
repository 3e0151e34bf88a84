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
      loops.addTask { try await follow(model.conversations.changes, model.keepSelection) }
      loops.addTask { try await follow(model.messages.changes) { _ in } }
      loops.addTask { try await follow(model.replies.changes) { _ in } }
      loops.addTask { try await follow(model.members.changes) { _ in } }
      loops.addTask { try await follow(model.unread.values) { _ in } }
      loops.addTask { try await follow(Key.pressed, model.press) }
      try await loops.next()  // The keys end, or the lists do: then there is a reason.
      loops.cancelAll()
    }
    if let failure = model.conversations.failure { throw failure }
  }

  /// Gets the list as it became. While something else is drawn, commits are gathered into one change set.
  private func follow<Events: AsyncSequence & Sendable>(
    _ events: Events, _ body: @MainActor (Events.Element) async throws -> Void
  ) async throws {
    for try await event in events {
      try await body(event)
      if model.isOver { return }
      draw()
    }
  }

  private func draw() { screen.show(model.picture(rows: screen.rows)) }
}
