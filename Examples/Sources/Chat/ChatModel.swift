import Satchel
import SatchelResponses

/// What the panes show, and what the keys do. The lists are the controllers' own; nothing is copied.
@MainActor
final class ChatModel {
  /// Where the keys go.
  enum Mode { case selecting, writing, searching }

  let store: MessageStore
  /// The conversations: pinned ones first, the others by their last message, newest first.
  let conversations: QueryController<Conversation>
  /// The last messages of the selected conversation, and those that arrive; after a jump, those around the message.
  let messages: QueryController<Message>
  /// What answers the message whose thread is open.
  let replies: QueryController<Record>
  /// Who is in the selected conversation.
  let members: QueryController<Identity>
  let unread: LiveCount<Message>

  private(set) var selection: Conversation.ID?
  private(set) var mode = Mode.selecting
  private(set) var draft = ""
  /// How many messages are below the pane's last row.
  private(set) var scroll = 0
  /// The message whose thread is open.
  private var rootID: Message.ID?
  /// What was found, while something is searched for.
  private(set) var search: Search?
  /// Which row of all is the message that was jumped to.
  private(set) var place: Int?
  private(set) var isOver = false
  /// The rows of a pane, for paging.
  var rows = 20

  init(_ store: MessageStore) async throws {
    self.store = store
    // What is on already is only looked at.
    try await store.enable(.reactions, .threads, .participations)
    conversations = store.controller(
      for: Conversation.order { ($0.my.pinnedAt.descending, $0.lastMessage.sentAt.descending) }
        .withoutContents().including(\.participation), window: .first(200))
    messages = store.controller(for: Message.all.limit(0))
    replies = store.controller(for: Reply.recordType.query.limit(0))
    members = store.controller(for: Identity.all.limit(0))
    unread = try await store.liveCount(of: Message.filter { $0.isUnread })
  }

  /// The place of the selected conversation in the list.
  var selectedRow: Int? { selection.flatMap { conversations.indexPath(for: $0)?.last } }

  /// The message whose thread is open, as it is now.
  var root: Message? { rootID.flatMap { id in messages.list.first { $0.id == id } } }

  /// The message that commands are about: the one whose thread is open, or the pane's last one.
  var chosen: Message? { root ?? messages.list.dropLast(scroll).last }

  func load() async throws {
    try await conversations.execute()
    try await replies.execute()
    try await select(conversations.objects.first?.id)
  }

  /// Selects a neighbour when the selected conversation has gone.
  func keepSelection(_ changes: ChangeSet<Conversation>) async throws {
    guard let selection else { return try await select(changes.after.first?.id) }
    guard changes.after.indexPath(for: selection) == nil else { return }
    let row = changes.before.indexPath(for: selection)?.last ?? 0
    try await select(changes.after.dropFirst(row).first?.id ?? changes.after.last?.id)
  }

  /// Shows a conversation from its end, or with a message of it as the pane's last row.
  private func select(_ conversation: Conversation.ID?, at message: Message.ID? = nil) async throws {
    selection = conversation
    (scroll, rootID, place) = (0, nil, nil)
    let query = Message.filter { $0.conversation == conversation ?? "" }.order { $0.position }
    var window = ListWindow.tail(50)
    // It may have gone since it was found.
    if let message, let rank = try await store.rank(of: message, in: query) {
      place = rank
      window = .around(message, before: 50, after: 50)
    }
    try await messages.setQuery(
      query.withoutContents().including(\.sender).including(\.reactions).including(\.replies), window: window)
    if let message, let row = messages.indexPath(for: message)?.last { scroll = messages.count - 1 - row }
    // Perhaps another one by now.
    try await members.setQuery(
      Identity.members(of: selection ?? "").order { ($0.displayName, $0.userID) })
  }

  func press(_ key: Key) async throws {
    switch (mode, key) {
    case (_, .interrupt), (.selecting, .character("q")): isOver = true
    case (.selecting, .tab), (.selecting, .enter): mode = .writing
    case (.writing, .tab): mode = .selecting
    case (.searching, .tab): leaveSearch()
    case (.selecting, .up): try await moveSelection(by: -1)
    case (.selecting, .down): try await moveSelection(by: 1)
    case (.selecting, .character("m")):
      if let selection { try await store.write { _ = try $0.markAsRead(selection) } }
    case (.selecting, .character("p")): try await changeOwn { $0.isPinned.toggle() }
    case (.selecting, .character("s")): try await changeOwn { $0.isMuted.toggle() }
    case (.selecting, .character("/")): (mode, draft) = (.searching, "")
    case (.writing, .up): try await scroll(by: 1)
    case (.writing, .down): try await scroll(by: -1)
    case (.searching, .up): search?.move(by: -1)
    case (.searching, .down): search?.move(by: 1)
    case (_, .pageUp): try await scroll(by: rows)
    case (_, .pageDown): try await scroll(by: -rows)
    case (.writing, .enter): try await enter()
    case (.searching, .enter): try await find()
    case (.writing, .backspace), (.searching, .backspace): edit { _ = $0.popLast() }
    case (.writing, .character(let character)), (.searching, .character(let character)):
      edit { $0.append(character) }
    default: break
    }
  }

  /// Changes what is typed. What was found is not what is searched for then.
  private func edit(_ body: (inout String) -> Void) {
    body(&draft)
    search = nil
  }

  private func moveSelection(by rows: Int) async throws {
    let row = (selectedRow ?? 0) + rows
    if conversations.list.indices.contains(row) { try await select(conversations.list[row].id) }
  }

  /// Changes what the selected conversation is to the user.
  private func changeOwn(_ change: @escaping @Sendable (inout Participation) -> Void) async throws {
    guard let selection else { return }
    try await store.write { _ = try $0.setParticipation(in: selection, change) }
  }

  /// Scrolls towards older messages, or newer ones, and has them loaded where the window ends.
  private func scroll(by rows: Int) async throws {
    if scroll + rows < 0, messages.hasMoreAfter {
      let count = messages.count
      try await messages.loadNext(max(-rows, 50))
      scroll += messages.count - count
    }
    scroll = max(0, scroll + rows)
    if scroll + self.rows > messages.count, messages.hasMoreBefore {
      try await messages.loadPrevious(max(rows, 50))
    }
    scroll = min(scroll, max(0, messages.count - self.rows))
  }

  // MARK: Searching

  /// Looks for what was typed; pressed again, jumps to the hit that is selected.
  private func find() async throws {
    guard let hit = search?.selected else { return search = try await Search(draft, in: store) }
    leaveSearch()
    try await select(hit.conversation, at: hit.id)
  }

  private func leaveSearch() { (mode, search, draft) = (.selecting, nil, "") }

  // MARK: Writing

  /// Sends what was typed, as an answer if a thread is open; a text that begins with a slash is a command.
  private func enter() async throws {
    guard let selection, !draft.isEmpty else { return mode = .selecting }
    let text = draft
    draft = ""
    if text.hasPrefix("/") {
      let words = text.dropFirst().split(separator: " ", maxSplits: 1)
      return try await perform(String(words.first ?? ""), String(words.dropFirst().first ?? ""))
    }
    if let root {
      return try await store.write { _ = try $0.reply(to: root.id, with: [.text(text)]) }
    }
    scroll = 0
    if messages.hasMoreAfter { try await messages.setWindow(.tail(50)) }
    try await store.write { _ = try $0.send([.text(text)], to: selection) }
  }

  /// `/react KIND` and `/thread` are about the chosen message, `/edit TEXT` and `/delete` about the last one of one's own.
  private func perform(_ command: String, _ text: String) async throws {
    let own = messages.list.last { $0.sender == store.user && $0.deletedAt == nil }
    switch command {
    case "react":
      guard let chosen, chosen.deletedAt == nil, !text.isEmpty else { return }
      let hasReacted = chosen.reactionSummary?.mine.contains(text) ?? false
      try await store.write { transaction in
        if hasReacted {
          try transaction.removeReaction(from: chosen.id, with: text)
        } else {
          try transaction.react(to: chosen.id, with: text)
        }
      }
    case "thread":
      rootID = rootID == nil ? chosen?.id : nil
      if let rootID {
        try await replies.setQuery(store.replies(to: rootID).including(\.message), window: .tail(50))
      }
    case "edit": if let own { try await store.write { try $0.update(own.id) { $0.parts = [.text(text)] } } }
    case "delete": if let own { try await store.write { try $0.delete(own.id, for: .everyone) } }
    default: break
    }
  }
}
