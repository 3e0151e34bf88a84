import Satchel

/// What the panes show, and what the keys do. The lists are the controllers' own; nothing is copied.
@MainActor
final class ChatModel {
  let store: MessageStore
  /// The conversations, by their last message, newest first.
  let conversations: QueryController<Conversation>
  /// The last messages of the selected conversation, and those that arrive.
  let messages: QueryController<Message>
  /// Who is in the selected conversation.
  let members: QueryController<Identity>
  let unread: LiveCount<Message>

  private(set) var selection: Conversation.ID?
  /// Whether the keys go to the pane of messages.
  private(set) var isWriting = false
  private(set) var draft = ""
  /// How many messages are below the pane's last row.
  private(set) var scroll = 0
  private(set) var isOver = false
  /// The rows of a pane, for paging.
  var rows = 20

  init(_ store: MessageStore) async throws {
    self.store = store
    conversations = store.controller(
      for: Conversation.order { $0.lastMessage.sentAt.descending }.withoutContents(), window: .first(200))
    messages = store.controller(for: Message.all.limit(0))
    members = store.controller(for: Identity.all.limit(0))
    unread = try await store.liveCount(of: Message.filter { $0.isUnread })
  }

  /// The place of the selected conversation in the list.
  var selectedRow: Int? { selection.flatMap { conversations.indexPath(for: $0)?.last } }

  func load() async throws {
    try await conversations.execute()
    try await select(conversations.objects.first?.id)
  }

  /// Selects a neighbour when the selected conversation has gone.
  func keepSelection(_ changes: ChangeSet<Conversation>) async throws {
    guard let selection else { return try await select(changes.after.first?.id) }
    guard changes.after.indexPath(for: selection) == nil else { return }
    let row = changes.before.indexPath(for: selection)?.last ?? 0
    try await select(changes.after.dropFirst(row).first?.id ?? changes.after.last?.id)
  }

  private func select(_ conversation: Conversation.ID?) async throws {
    selection = conversation
    scroll = 0
    let messages = Message.filter { $0.conversation == selection ?? "" }.order { $0.position }
    try await self.messages.setQuery(
      messages.withoutContents().including(\.sender), window: .tail(50))
    // Perhaps another one by now.
    try await members.setQuery(
      Identity.members(of: selection ?? "").order { ($0.displayName, $0.userID) })
  }

  func press(_ key: Key) async throws {
    switch (isWriting, key) {
    case (_, .interrupt), (false, .character("q")): isOver = true
    case (_, .tab), (false, .enter): isWriting.toggle()
    case (false, .up): try await moveSelection(by: -1)
    case (false, .down): try await moveSelection(by: 1)
    case (false, .character("m")):
      if let selection { try await store.write { _ = try $0.markAsRead(selection) } }
    case (true, .up): try await scroll(by: 1)
    case (true, .down): try await scroll(by: -1)
    case (_, .pageUp): try await scroll(by: rows)
    case (_, .pageDown): try await scroll(by: -rows)
    case (true, .enter): try await enter()
    case (true, .backspace): _ = draft.popLast()
    case (true, .character(let character)): draft.append(character)
    default: break
    }
  }

  private func moveSelection(by rows: Int) async throws {
    let row = (selectedRow ?? 0) + rows
    if conversations.list.indices.contains(row) { try await select(conversations.list[row].id) }
  }

  /// Scrolls towards older messages, and has them loaded where the window ends.
  private func scroll(by rows: Int) async throws {
    scroll = max(0, scroll + rows)
    if scroll + self.rows > messages.count, messages.hasMoreBefore {
      try await messages.loadPrevious(max(rows, 50))
    }
    scroll = min(scroll, max(0, messages.count - self.rows))
  }

  /// Sends what was typed. `/edit TEXT` and `/delete` change the last message of one's own instead.
  private func enter() async throws {
    guard let selection, !draft.isEmpty else { return isWriting = false }
    let text = draft
    draft = ""
    scroll = 0
    guard text.hasPrefix("/") else {
      return try await store.write { _ = try $0.send([.text(text)], to: selection) }
    }
    let last = messages.list.last { $0.sender == store.user && $0.deletedAt == nil }
    guard let own = last?.id else { return }
    try await store.write { transaction in
      if text == "/delete" { try transaction.delete(own, for: .everyone) }
      if text.hasPrefix("/edit ") {
        try transaction.update(own) { $0.parts = [.text(String(text.dropFirst(6)))] }
      }
    }
  }
}
