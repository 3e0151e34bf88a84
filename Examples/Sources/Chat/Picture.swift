import Foundation
import Satchel

/// What the screen shows: two panes with equally many rows, and a line below them.
struct Picture: Equatable {
  /// What a terminal is told before a text.
  enum Style: String { case plain = "", bold = "\u{1B}[1m", inverted = "\u{1B}[7m" }

  struct Cell: Equatable {
    var text = ""
    var style = Style.plain
  }

  let left: [Cell]
  let right: [Cell]
  let bottom: String

  /// The columns of the left pane.
  static let leftColumns = 34

  @MainActor
  init(of model: ChatModel, rows count: Int) {
    model.rows = max(1, count - 2)
    let total = model.conversations.totalNumberOfObjects
    let title = Cell(text: "\(total) conversations, \(model.unread.value) unread", style: .bold)
    let subtitle = Cell(text: "\(model.messages.totalNumberOfObjects) messages", style: .bold)
    let empty = Array(repeating: Cell(), count: model.rows)
    left = Array(([title] + Self.conversations(model) + empty).prefix(model.rows + 1))
    right = Array(([subtitle] + Self.messages(model) + empty).prefix(model.rows + 1))
    bottom =
      model.pane == .messages
      ? "> \(model.draft)▏" : "↑↓ select   enter write   page up older   m mark read   q quit"
  }

  /// The conversations around the selected one.
  @MainActor
  private static func conversations(_ model: ChatModel) -> [Cell] {
    let list = model.conversations.list
    let selected = model.selectedRow ?? 0
    let first = max(0, min(selected - model.rows / 2, list.count - model.rows))
    return list.indices.dropFirst(first).prefix(model.rows).map { row in
      let conversation = list[row]
      let others = conversation.participants.filter { $0 != model.store.user }.map(\.rawValue)
      let title = conversation.metadata["title"] ?? others.joined(separator: ", ")
      let unread = conversation.hasUnreadMessages ? "\(conversation.unreadCount)" : ""
      let number = String(repeating: " ", count: max(0, 3 - unread.count)) + unread
      let style: Style = row == selected ? .inverted : conversation.hasUnreadMessages ? .bold : .plain
      return Cell(
        text: "\(row == selected ? "›" : " ")\(number) \(line(title).prefix(leftColumns - 6))", style: style)
    }
  }

  /// The messages down to where the pane is scrolled.
  @MainActor
  private static func messages(_ model: ChatModel) -> [Cell] {
    model.messages.list.dropLast(model.scroll).suffix(model.rows).map { message in
      let sender = message.included(\.sender)?.displayName ?? message.sender.rawValue
      let text = message.preview ?? message.parts.map { "[\($0.mimeType)]" }.joined(separator: " ")
      let time = (message.sentAt?.formatted(.iso8601) ?? "").prefix(16)
      let mark = message.isUnread ? "●" : message.isSent ? " " : "…"
      return Cell(
        text: "\(mark) \(time) \(line(sender + ": " + text))", style: message.isUnread ? .bold : .plain)
    }
  }

  /// A text as one line that changes nothing on the terminal.
  private static func line(_ text: String) -> String {
    String(text.map { $0.unicodeScalars.contains { $0.properties.generalCategory == .control } ? " " : $0 })
  }
}
