/// What a conversation's messages come to.
struct Summary {
  var messages = 0
  var unread = 0
  /// The one that sorts last: by position, those without one after all others, then by creation.
  var last: Model.Message?

  /// The summaries of all conversations that have messages.
  static func all(of model: Model) -> [Int: Summary] {
    var summaries: [Int: Summary] = [:]
    for message in model.messages {
      summaries[message.conversation, default: Summary()].add(message)
    }
    return summaries
  }

  private mutating func add(_ message: Model.Message) {
    messages += 1
    unread += message.isUnread ? 1 : 0
    // Messages come in the order of creation: of equal positions the later one is last.
    if let last, let position = message.position, last.position.map({ $0 > position }) ?? true { return }
    last = message
  }
}

/// A model with what its conversations' messages come to: what questions are answered from.
struct Answers {
  let model: Model
  let summaries: [Int: Summary]
  /// The numbers of the conversations that the user takes part in.
  let visible: Set<Int>

  init(_ model: Model) {
    self.model = model
    summaries = Summary.all(of: model)
    visible = Set(model.conversations.lazy.filter(\.isVisible).map(\.number))
  }

  /// The messages that queries see and a condition holds for, in the order of creation.
  func messages(where condition: (Model.Message) -> Bool = { _ in true }) -> [Model.Message] {
    model.messages.filter { visible.contains($0.conversation) && condition($0) }
  }

  /// The conversations that queries see and a condition holds for, in the order of creation.
  func conversations(
    where condition: (Model.Conversation, Summary) -> Bool = { _, _ in true }
  ) -> [(Model.Conversation, Summary)] {
    model.conversations.compactMap { conversation in
      guard conversation.isVisible, let summary = summaries[conversation.number],
        condition(conversation, summary)
      else { return nil }
      return (conversation, summary)
    }
  }
}
