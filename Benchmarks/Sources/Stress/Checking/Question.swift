import Satchel

/// A query, and the same asked of the model.
struct Question<Object: StoredObject> {
  let name: String
  let query: Query<Object>
  /// The results as the model has them, all of them in order.
  let expected: (Answers) -> [String]
  /// A result as a text.
  let describe: (Object) -> String
}

extension Question where Object == Message {
  /// Messages by a condition and an order, in the words of both.
  init(
    _ name: String, _ query: Query<Message>, _ order: MessageOrder = .creation,
    where condition: @escaping (Model.Message, Answers) -> Bool
  ) {
    self.name = name
    self.query = order.of(query)
    expected = { answers in
      order.sorted(answers.messages { condition($0, answers) }).map { Description.of($0) }
    }
    describe = { Description.of($0) }
  }
}

/// Orders of messages.
enum MessageOrder: CaseIterable {
  case creation, sentAt, newest, position, lastPosition

  func of(_ query: Query<Message>) -> Query<Message> {
    switch self {
    case .creation: query
    case .sentAt: query.order { $0.sentAt }
    case .newest: query.order { $0.sentAt.descending }
    case .position: query.order { $0.position }
    case .lastPosition: query.order { $0.position.descending }
    }
  }

  /// The messages, given in the order of creation, in this one. Missing times come first, missing positions last;
  /// descending is the exact reverse.
  func sorted(_ messages: [Model.Message]) -> [Model.Message] {
    switch self {
    case .creation: messages
    case .sentAt: Self.stable(messages) { $0.sentAt ?? .min }
    case .newest: Self.stable(messages) { $0.sentAt ?? .min }.reversed()
    case .position: Self.stable(messages) { $0.position ?? .max }
    case .lastPosition: Self.stable(messages) { $0.position ?? .max }.reversed()
    }
  }

  private static func stable(_ messages: [Model.Message], by key: (Model.Message) -> Int64) -> [Model.Message]
  {
    messages.sorted { (key($0), Int64($0.number)) < (key($1), Int64($1.number)) }
  }
}
