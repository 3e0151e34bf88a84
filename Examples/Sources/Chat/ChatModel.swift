import Satchel

/// What the panes show, and what the keys do. The lists are the controllers' own; nothing is copied.
@MainActor
final class ChatModel {
  enum Pane { case conversations, messages }

  let store: MessageStore
  /// The conversations, by their last message, newest first.
  let conversations: QueryController<Conversation>
  /// The last messages of the selected conversation, and those that arrive.
  let messages: QueryController<Message>
  let unread: LiveCount<Message>

  private(set) var selection: Conversation.ID?
  private(set) var pane = Pane.conversations
  private(set) var draft = ""
  /// How many messages are below the pane's last row.
  private(set) var scroll = 0
  private(set) var isOver = false
  /// The rows of a pane, for paging.
  var rows = 20

  private static let page = 50

  init(_ store: MessageStore) async throws {
    self.store = store
    conversations = store.controller(
      for: Conversation.order { $0.lastMessage.sentAt.descending }.withoutContents(), window: .first(200))
    messages = store.controller(for: Self.messages(of: nil), window: .tail(Self.page))
    unread = try await store.liveCount(of: Message.filter { $0.isUnread })
  }

  private static func messages(of conversation: Conversation.ID?) -> Query<Message> {
    Message.filter { $0.conversation.in(conversation.map { [$0] } ?? []) }.order { $0.position }
      .withoutContents().including(\.sender)
  }

  /// The place of the selected conversation in the list.
  var selectedRow: Int? { selection.flatMap { conversations.indexPath(for: $0)?.last } }

  func load() async throws {
    try await conversations.execute()
    try await messages.execute()
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
    // Perhaps another one by now.
    try await messages.setQuery(Self.messages(of: selection), window: .tail(Self.page))
  }

  func press(_ key: Key) async throws {
    switch (pane, key) {
    case (_, .interrupt), (.conversations, .character("q")): isOver = true
    case (_, .tab), (.conversations, .enter): pane = pane == .messages ? .conversations : .messages
    case (.conversations, .up): try await moveSelection(by: -1)
    case (.conversations, .down): try await moveSelection(by: 1)
    case (.conversations, .character("m")): try await markAsRead()
    case (.messages, .up): try await scroll(by: 1)
    case (.messages, .down): try await scroll(by: -1)
    case (_, .pageUp): try await scroll(by: rows)
    case (_, .pageDown): try await scroll(by: -rows)
    case (.messages, .enter): try await send()
    case (.messages, .backspace): _ = draft.popLast()
    case (.messages, .character(let character)): draft.append(character)
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
      try await messages.loadPrevious(max(rows, Self.page))
    }
    scroll = min(scroll, max(0, messages.count - self.rows))
  }

  private func markAsRead() async throws {
    guard let selection else { return }
    try await store.write { transaction in _ = try transaction.markAsRead(selection) }
  }

  private func send() async throws {
    guard let selection, !draft.isEmpty else { return pane = .conversations }
    let text = draft
    draft = ""
    scroll = 0
    try await store.write { transaction in _ = try transaction.send([.text(text)], to: selection) }
  }
}
