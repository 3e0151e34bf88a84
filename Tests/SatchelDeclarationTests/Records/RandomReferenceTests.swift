import Satchel
import SatchelScenes
import TestSupport
import Testing

/// Random writes of records that refer to each other, to messages and to conversations, beside a model of them in memory that goes through
/// all references after each write.
@Suite struct RandomReferenceTests {
  private static let fields = ["r", "n", "c", "any", "m", "k"]

  /// What the store is to have.
  private struct Model {
    var records: [Record.ID: [String: Reference]] = [:]
    var conversations: Set<String> = []
    /// The messages, with their conversations.
    var messages: [String: String] = [:]
    var actions: [String: ReferenceAction?] = [:]
    /// What the write has deleted.
    var removed: Set<Reference> = []

    var type: RecordType {
      RecordType("a") { fields in
        for name in RandomReferenceTests.fields {
          let action = actions[name] ?? nil
          switch name {
          case "any": fields.reference(name, onDelete: action)
          case "m": fields.reference(name, to: Reference.messages, onDelete: action)
          case "k": fields.reference(name, to: Reference.conversations, onDelete: action)
          default: fields.reference(name, to: "a", onDelete: action)
          }
        }
      }
    }

    private func isThere(_ reference: Reference) -> Bool {
      switch reference.type {
      case Reference.messages: messages[reference.name] != nil
      case Reference.conversations: conversations.contains(reference.name)
      default: records[reference] != nil
      }
    }

    private func action(of field: String, to target: Reference) -> ReferenceAction {
      (actions[field] ?? nil) ?? .standard(for: target.type)
    }

    /// The end of a write. Returns whether it may be: then what was to go has gone.
    mutating func settle() -> Bool {
      var gone = removed.filter { !isThere($0) }
      removed = []
      var doomed: Set<Record.ID> = []
      while true {
        let more = records.filter { id, fields in
          !doomed.contains(id)
            && fields.contains { gone.contains($1) && action(of: $0, to: $1) == .cascade }
        }
        if more.isEmpty { break }
        doomed.formUnion(more.keys)
        gone.formUnion(more.keys)
      }
      let stay = records.filter { !doomed.contains($0.key) }
      for (_, fields) in stay
      where fields.contains(where: { gone.contains($1) && action(of: $0, to: $1) == .restrict }) {
        return false
      }
      records = stay.mapValues { fields in fields.filter { !gone.contains($1) } }
      return true
    }
  }

  private static func record(_ random: inout SeededGenerator) -> Record.ID {
    Record.ID(type: "a", name: "\(Int.random(in: 0..<12, using: &random))")
  }

  private static func conversation(_ random: inout SeededGenerator) -> String {
    ["x", "y"].randomElement(using: &random)!
  }

  private static func message(_ random: inout SeededGenerator) -> String {
    conversation(&random) + "\(Int.random(in: 0..<4, using: &random))"
  }

  private static func target(_ field: String, _ random: inout SeededGenerator) -> Reference {
    switch field {
    case "m": Reference(Message.ID(message(&random)))
    case "k": Reference(Conversation.ID(conversation(&random)))
    case "any" where Bool.random(using: &random): target(["m", "k"].randomElement(using: &random)!, &random)
    default: record(&random)
    }
  }

  private static func step(
    _ tx: WriteTransaction, _ model: inout Model, _ random: inout SeededGenerator
  ) throws {
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<5:
      var record = Record(id: record(&random))
      var references: [String: Reference] = [:]
      for field in fields where Int.random(in: 0..<4, using: &random) == 0 {
        let target = target(field, &random)
        references[field] = target
        record[field] = .reference(target)
      }
      try tx.save(record)
      model.records[record.id] = references
    case 5..<8:
      let id = record(&random)
      guard model.records.removeValue(forKey: id) != nil else { return }
      try tx.delete(id)
      model.removed.insert(id)
    case 8, 9:
      let name = message(&random)
      let conversation = String(name.prefix(1))
      if model.messages.removeValue(forKey: name) != nil {
        try tx.delete(Message.ID(name))
        model.removed.insert(Reference(Message.ID(name)))
      } else if model.conversations.contains(conversation) {
        try tx.receive(
          [.text("x")], in: Conversation.ID(conversation), from: "bob", id: Message.ID(name),
          restoresDeleted: true)
        model.messages[name] = conversation
      }
    default:
      let name = conversation(&random)
      if model.conversations.remove(name) != nil {
        try tx.delete(Conversation.ID(name))
        model.removed.insert(Reference(Conversation.ID(name)))
        for (message, conversation) in model.messages where conversation == name {
          model.messages[message] = nil
          model.removed.insert(Reference(Message.ID(message)))
        }
      } else {
        try tx.createConversation(with: ["bob"], id: Conversation.ID(name))
        model.conversations.insert(name)
      }
    }
  }

  private static func expectSame(_ store: MessageStore, _ model: Model, _ place: String) throws {
    #expect(try store.recordCount(of: model.type) == model.records.count, "\(place)")
    for (id, references) in model.records {
      let found = try store.record(id)?.fields.entries ?? []
      let values = Dictionary(found.map { ($0.key, $0.value) }) { first, _ in first }
      #expect(values == references.mapValues { .reference($0) }, "\(place): \(id)")
    }
  }

  @Test func theStoreDoesWhatTheModelDoes() throws {
    let seed = TestEnvironment.seed()
    var random = SeededGenerator(seed: seed)
    for round in 0..<TestEnvironment.rounds(3) {
      let scratch = try Scratch()
      var store = scratch.store
      var model = Model()
      var refused = 0
      for number in 0..<200 {
        let place = "seed \(seed), round \(round), write \(number)"
        if number % 15 == 0 {
          for field in Self.fields {
            let actions: [ReferenceAction?] = [nil, .restrict, .nullify, .nullify, .cascade, .cascade]
            model.actions[field] = actions.randomElement(using: &random)!
          }
          try store.declare(model.type)
          #expect(try store.types().map(\.type) == [model.type], "\(place)")
        }
        var next = model
        do {
          try store.write { tx in
            for _ in 0..<Int.random(in: 1...8, using: &random) { try Self.step(tx, &next, &random) }
          }
          let isAllowed = next.settle()
          #expect(isAllowed, "\(place): a deletion that is restricted was carried out")
          model = next
        } catch let error as SatchelError where error.code == .referenced {
          let isAllowed = next.settle()
          #expect(!isAllowed, "\(place): \(error)")
          refused += 1
        }
        try Self.expectSame(store, model, place)
        if number % 60 == 59 {
          try expectSound(store)
          store.close()
          store = try scratch.reopened()
        }
      }
      #expect(refused > 0 && refused < 200, "seed \(seed), round \(round): \(refused)")
      try Self.expectSame(store, model, "seed \(seed), round \(round)")
      try expectSound(store)
    }
  }
}
