import Satchel
import SatchelScenes
import TestSupport
import Testing

/// Random operations against a small model of what conversations derive from their messages.
@Suite struct DerivedValueTests {
  private static let operations = TestEnvironment.rounds(1500)

  struct ModelMessage {
    let id: Message.ID
    let conversation: Int
    var position: Int64?
    var isUnread: Bool
  }

  struct ModelConversation {
    var isVisible = true
    var title: String?
  }

  struct Model {
    /// In the order of creation.
    var messages: [ModelMessage] = []
    var conversations: [Int: ModelConversation] = [:]
    var created = 0

    func messages(of conversation: Int) -> [ModelMessage] {
      messages.filter { $0.conversation == conversation }
    }

    /// The last by position, unsent ones after all others, then by creation.
    func last(of conversation: Int) -> ModelMessage? {
      messages(of: conversation).enumerated().max { left, right in
        switch (left.element.position, right.element.position) {
        case (let first?, let second?) where first != second: first < second
        case (nil, .some): false
        case (.some, nil): true
        default: left.offset < right.offset
        }
      }?.element
    }
  }

  struct Discarded: Error {}

  @Test func conversationsKnowTheirMessages() throws {
    var random = SeededGenerator(for: "values derived from messages")
    let scratch = try Scratch()
    var store = scratch.store
    var model = Model()
    var done = 0
    var nextCheck = 200
    while done < Self.operations {
      let count = random.percent(20) ? random.below(60) : 1 + random.below(5)
      let isDiscarded = random.percent(15)
      var changed = model
      do {
        try store.write { tx in
          for _ in 0..<count {
            try operate(tx, &changed, &random)
            if random.percent(10) { try check(changed, try tx.fetch(Conversation.all)) }
          }
          if isDiscarded { throw Discarded() }
        }
        model = changed
      } catch is Discarded {}
      done += count
      try check(model, try store.fetch(Conversation.all))
      if done >= nextCheck {
        nextCheck += 300
        try expectSound(store)
        try checkCounts(model, store)
        if random.percent(50) {
          store.close()
          store = try scratch.reopened()
        }
      }
    }
    try expectSound(store)
    try checkCounts(model, store)
    print("\(model.messages.count) messages left in \(model.conversations.count) conversations")
  }

  private func operate(_ tx: WriteTransaction, _ model: inout Model, _ random: inout SeededGenerator) throws {
    model.created += 1
    let serial = model.created
    guard let number = model.conversations.keys.sorted().randomElement(using: &random), !random.percent(3)
    else {
      try tx.createConversation(with: ["bob"], id: Self.id(serial))
      model.conversations[serial] = ModelConversation()
      return
    }
    let conversation = Self.id(number)
    switch random.below(100) {
    case 0..<40:
      let message = ModelMessage(
        id: Message.ID("m\(serial)"), conversation: number,
        position: random.percent(70) ? Int64(random.below(30)) : nil, isUnread: random.percent(50))
      try tx.receive(
        [.text("\(serial)")], in: conversation, from: "bob", id: message.id, position: message.position,
        isUnread: message.isUnread)
      model.messages.append(message)
    case 40..<48:
      let id = try tx.send([.text("\(serial)")], to: conversation, id: Message.ID("m\(serial)"))
      model.messages.append(ModelMessage(id: id, conversation: number, position: nil, isUnread: false))
    case 48..<62:
      guard let place = model.messages.indices.randomElement(using: &random) else { return }
      try tx.delete(model.messages[place].id)
      model.messages.remove(at: place)
    case 62..<76:
      guard let place = model.messages.indices.randomElement(using: &random) else { return }
      let position = random.percent(70) ? Int64(random.below(30)) : nil
      let isUnread = random.percent(50)
      try tx.update(model.messages[place].id) {
        $0.position = .some(position)
        $0.isUnread = isUnread
      }
      model.messages[place].position = position
      model.messages[place].isUnread = isUnread
    case 76..<84:
      let places = (0..<min(3, model.messages.count)).map { _ in random.below(model.messages.count) }
      try tx.markAsRead(places.map { model.messages[$0].id })
      for place in places { model.messages[place].isUnread = false }
    case 84..<87:
      let unread = model.messages(of: number).count { $0.isUnread }
      #expect(try tx.markAsRead(conversation) == unread)
      for place in model.messages.indices where model.messages[place].conversation == number {
        model.messages[place].isUnread = false
      }
    case 87..<92:
      if model.conversations[number]?.isVisible == true {
        try tx.removeParticipants(["alice"], from: conversation)
      } else {
        try tx.addParticipants(["alice"], to: conversation)
      }
      model.conversations[number]?.isVisible.toggle()
    case 92..<97:
      let title = random.percent(70) ? "title \(random.below(5))" : nil
      if let title {
        try tx.setMetadata(.text(title), at: "title", of: .conversation(conversation))
      } else {
        try tx.removeMetadata(at: "title", of: .conversation(conversation))
      }
      model.conversations[number]?.title = title
    default:
      guard model.conversations.count > 4 else { return }
      try tx.delete(conversation)
      model.conversations[number] = nil
      model.messages.removeAll { $0.conversation == number }
    }
  }

  private static func id(_ number: Int) -> Conversation.ID { Conversation.ID("c\(number)") }

  /// Conversations are given numbers in the order of their creation.
  private func check(
    _ model: Model, _ found: [Conversation], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let expected = model.conversations.filter { $0.value.isVisible && model.last(of: $0.key) != nil }
    try #require(
      found.map(\.id) == expected.keys.sorted().map(Self.id), sourceLocation: sourceLocation)
    for (conversation, number) in zip(found, expected.keys.sorted()) {
      let messages = model.messages(of: number)
      let last = try #require(model.last(of: number))
      try #require(
        conversation.messageCount == messages.count
          && conversation.unreadCount == messages.count { $0.isUnread }
          && conversation.lastMessage?.id == last.id && conversation.lastMessage?.position == last.position
          && conversation.lastMessage?.isUnread == last.isUnread
          && conversation.metadata["title"] == model.conversations[number]?.title,
        "\(conversation.id)", sourceLocation: sourceLocation)
    }
  }

  /// What queries count, on the indexes, against the model.
  private func checkCounts(_ model: Model, _ store: MessageStore) throws {
    let visible = model.messages.filter { model.conversations[$0.conversation]?.isVisible == true }
    try store.read { snapshot in
      let identifiers = try snapshot.identifiers(Message.all)
      #expect(identifiers == visible.map(\.id))
      #expect(try snapshot.count(Message.all) == visible.count)
      #expect(try snapshot.count(Message.filter { $0.isUnread }) == visible.count { $0.isUnread })
      #expect(
        try snapshot.count(Message.filter { $0.position == nil }) == visible.count { $0.position == nil })
      #expect(try snapshot.count(MessagePart.all) == visible.count)
      for number in model.conversations.keys {
        let id = Self.id(number)
        let messages = visible.filter { $0.conversation == number }
        #expect(try snapshot.count(Message.filter { $0.conversation == id }) == messages.count)
        #expect(
          try snapshot.count(Message.filter { $0.conversation == id && $0.isUnread })
            == messages.count { $0.isUnread })
        let last = try snapshot.first(
          Message.filter { $0.conversation == id }.order { $0.position.descending })
        #expect(last?.id == (messages.isEmpty ? nil : model.last(of: number)?.id))
      }
      for title in 0..<5 {
        let named = model.conversations.filter { key, value in
          value.isVisible && value.title == "title \(title)" && model.last(of: key) != nil
        }
        #expect(
          try snapshot.count(Conversation.filter { $0.metadata.title == "title \(title)" }) == named.count)
      }
    }
  }
}
