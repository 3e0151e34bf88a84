extension Model {
  /// Does to the model what the edit does to a store.
  mutating func apply(_ edit: ResponseEdit) {
    switch edit {
    case .enable: keepsResponses = true
    case .react(let kind, let user, let message):
      reactions.insert(.init(kind: kind, user: user, message: message))
    case .removeReaction(let kind, let user, let message):
      reactions.remove(.init(kind: kind, user: user, message: message))
    case .setParent(let parent, let message):
      // Of which message the store was told last that it answers one is seen in the last reply: one that is told again keeps its place.
      if parent == nil { parents.removeAll { $0.message == message } }
      guard let parent else { return }
      if let place = parents.firstIndex(where: { $0.message == message }) {
        parents[place].parent = parent
      } else {
        parents.append(Reply(message: message, parent: parent))
      }
    case .setState(let participant, let state):
      if states[participant] != nil || state != .init() { states[participant] = state }
    case .relate(let kind, let from, let to): relations.insert(.init(kind: kind, from: from, to: to))
    case .unrelate(let kind, let from, let to): relations.remove(.init(kind: kind, from: from, to: to))
    }
  }

  /// That a message answers another one; none, if that was deleted.
  struct Reply {
    let message: Int
    var parent: Int?
  }

  /// Nothing is said of who is a participant no longer.
  mutating func forgetStates(of users: [Int], in conversation: Int) {
    for user in users { states[.init(user: user, conversation: conversation)] = nil }
  }

  /// As `forgetStates(of:in:)`, of all who are not among some users.
  mutating func forgetStates(but users: [Int], in conversation: Int) {
    states = states.filter { $0.key.conversation != conversation || users.contains($0.key.user) }
  }

  /// What is said to messages that are gone goes with them, and what answers them answers nothing.
  mutating func settleResponses() {
    let gone = removed.messages
    guard !gone.isEmpty else { return }
    reactions = reactions.filter { !gone.contains($0.message) }
    parents.removeAll { gone.contains($0.message) }
    for place in parents.indices where parents[place].parent.map(gone.contains) ?? false {
      parents[place].parent = nil
    }
  }
}
