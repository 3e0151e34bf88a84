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
}

extension ChatModel {
  func picture(rows count: Int) -> Picture {
    rows = max(1, count - 2)
    let title = "\(conversations.totalNumberOfObjects) conversations, \(unread.value) unread"
    let names = members.list.map { $0.displayName ?? $0.userID.rawValue }.joined(separator: ", ")
    let subtitle = "\(messages.totalNumberOfObjects) messages, \(line(names))"
    let empty = Array(repeating: Picture.Cell(), count: rows)
    return Picture(
      left: Array(([.init(text: title, style: .bold)] + conversationCells + empty).prefix(rows + 1)),
      right: Array(([.init(text: subtitle, style: .bold)] + messageCells + empty).prefix(rows + 1)),
      bottom: isWriting
        ? "> \(draft)▏" : "↑↓ select   enter write   page up older   m mark read   q quit")
  }

  /// The conversations around the selected one.
  private var conversationCells: [Picture.Cell] {
    let list = conversations.list
    let selected = selectedRow ?? 0
    let first = max(0, min(selected - rows / 2, list.count - rows))
    return list.indices.dropFirst(first).prefix(rows).map { row in
      let conversation = list[row]
      let others = conversation.participants.filter { $0 != store.user }.map(\.rawValue)
      let title = conversation.metadata["title"] ?? others.joined(separator: ", ")
      let unread = conversation.hasUnreadMessages ? "\(conversation.unreadCount)" : ""
      let number = String(repeating: " ", count: max(0, 3 - unread.count)) + unread
      return Picture.Cell(
        text: "\(row == selected ? "›" : " ")\(number) \(line(title).prefix(Picture.leftColumns - 6))",
        style: row == selected ? .inverted : unread.isEmpty ? .plain : .bold)
    }
  }

  /// The messages down to where the pane is scrolled.
  private var messageCells: [Picture.Cell] {
    messages.list.dropLast(scroll).suffix(rows).map { message in
      let sender = message.included(\.sender)?.displayName ?? message.sender.rawValue
      let contents = message.preview ?? message.parts.map { "[\($0.mimeType)]" }.joined(separator: " ")
      let text = message.deletedAt == nil ? contents : "(deleted)"
      let time = (message.sentAt?.formatted(.iso8601) ?? "").prefix(16)
      let mark = message.isUnread ? "●" : message.editedAt != nil ? "✎" : message.isSent ? " " : "…"
      return Picture.Cell(
        text: "\(mark) \(time) \(line(sender + ": " + text))", style: message.isUnread ? .bold : .plain)
    }
  }

  /// A text as one line that changes nothing on the terminal.
  private func line(_ text: String) -> String {
    String(text.map { $0.unicodeScalars.contains { $0.properties.generalCategory == .control } ? " " : $0 })
  }
}
