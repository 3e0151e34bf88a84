import Foundation
import Satchel
import SatchelResponses

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
    let empty = Array(repeating: Picture.Cell(), count: rows)
    let cells = mode == .searching ? hitCells : root.map(threadCells) ?? messageCells
    return Picture(
      left: Array(([.init(text: title, style: .bold)] + conversationCells + empty).prefix(rows + 1)),
      right: Array(([.init(text: subtitle, style: .bold)] + cells + empty).prefix(rows + 1)), bottom: bottom)
  }

  private var subtitle: String {
    if mode == .searching {
      return search.map { "\($0.hits.count) found" } ?? "type, and press enter to search"
    }
    if root != nil { return "\(replies.totalNumberOfObjects) in reply" }
    let names = members.list.map { $0.displayName ?? $0.userID.rawValue }.joined(separator: ", ")
    let row = place.map { ", at \($0 + 1)" } ?? ""
    return "\(messages.totalNumberOfObjects) messages\(row), \(line(names))"
  }

  private var bottom: String {
    switch mode {
    case .selecting:
      "↑↓ select   enter write   page up older   / search   m mark read   p pin   s silence   q quit"
    case .writing: "\(root == nil ? ">" : "↳") \(draft)▏"
    case .searching: "/ \(draft)▏"
    }
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
      let own = conversation.participation
      let isMuted = own?.isMuted ?? false
      let mark = isMuted ? "z" : own?.isPinned ?? false ? "*" : " "
      return Picture.Cell(
        text: "\(row == selected ? "›" : " ")\(mark)\(number) \(line(title).prefix(Picture.leftColumns - 7))",
        style: row == selected ? .inverted : unread.isEmpty || isMuted ? .plain : .bold)
    }
  }

  /// The messages down to where the pane is scrolled.
  private var messageCells: [Picture.Cell] {
    messages.list.dropLast(scroll).suffix(rows).map { message in
      let mark = message.isUnread ? "●" : message.editedAt != nil ? "✎" : message.isSent ? " " : "…"
      return Picture.Cell(
        text: "\(mark) \(row(of: message))", style: message.isUnread ? .bold : .plain)
    }
  }

  /// The message whose thread is open, and its replies.
  private func threadCells(_ root: Message) -> [Picture.Cell] {
    let messages = replies.list.suffix(rows - 1).compactMap { $0.included("message", as: Message.self) }
    return [Picture.Cell(text: "  \(row(of: root))", style: .bold)]
      + messages.map { Picture.Cell(text: "↳ \(row(of: $0))") }
  }

  /// What was found, around the hit that is selected.
  private var hitCells: [Picture.Cell] {
    guard let search else { return [] }
    let first = max(0, min(search.row - rows / 2, search.hits.count - rows))
    return search.hits.indices.dropFirst(first).prefix(rows).map { index in
      let hit = search.hits[index]
      return Picture.Cell(
        text: "\(time(of: hit)) \(line(name(of: hit) + ": " + search.snippet(of: hit)))",
        style: index == search.row ? .inverted : .plain)
    }
  }

  /// A message with what others say to it.
  private func row(of message: Message) -> String {
    let contents = message.preview ?? message.parts.map { "[\($0.mimeType)]" }.joined(separator: " ")
    let text = message.deletedAt == nil ? contents : "(deleted)"
    var said = message.reactionSummary?.kinds.map { "\($0.kind) \($0.count)" } ?? []
    if let thread = message.threadSummary, thread.replyCount > 0 { said.append("↳ \(thread.replyCount)") }
    let responses = said.isEmpty ? "" : "(\(said.joined(separator: ", "))) "
    return "\(time(of: message)) \(line(responses + name(of: message) + ": " + text))"
  }

  private func time(of message: Message) -> Substring {
    (message.sentAt?.formatted(.iso8601) ?? "").prefix(16)
  }

  private func name(of message: Message) -> String {
    let sender = message.included(\.sender) ?? members.list.first { $0.userID == message.sender }
    return sender?.displayName ?? message.sender.rawValue
  }

  /// A text as one line that changes nothing on the terminal.
  private func line(_ text: String) -> String {
    String(text.map { $0.unicodeScalars.contains { $0.properties.generalCategory == .control } ? " " : $0 })
  }
}
