import Foundation
import Satchel
import Testing

/// The code of WritingMessages.md that makes metadata.
@Suite struct WritingMetadata {
  private let chats: GuideStore
  private var store: MessageStore { chats.store }

  init() throws { chats = try GuideStore() }

  @Test func makingMetadata() throws {
    let (title, color) = ("Lunch", "red")
    var metadata: Metadata = ["title": title, "theme": ["color": color, "size": "large"]]
    metadata["theme.color"] = "green"
    metadata["theme.size"] = nil
    try metadata.merge(Metadata(["team": "north"]))
    try metadata.set(5, at: "priority")
    print(metadata.value(at: "priority")?.integerValue ?? 0)
    for (key, value) in metadata {
      switch value {
      case .text(let text): print(key, "is", text)
      case .integer, .number, .boolean, .date: print(key, "is", value)
      case .list(let texts): print(key, "is each of", texts)
      case .dictionary(let inner): print(key, "has", inner)
      case .reference(let reference): print(key, "refers to", reference)
      @unknown default: print(key, "is of a kind that came later")
      }
    }
    let another = try store.write { try $0.createConversation(with: ["bob"], metadata: metadata) }
    let expected: Metadata = ["title": "Lunch", "theme": ["color": "green"], "team": "north", "priority": 5]
    #expect(try store.conversation(another.id)?.metadata == expected)
  }

  @Test func keysThatAreNoNames() throws {
    try chats.chat("lunch", messages: 1)
    try store.write { transaction in
      let path = ["readAt", "alice@example.org"]
      try transaction.setMetadata(Date.now, at: path, of: .conversation("lunch"))
      try transaction.mergeMetadata(["readAt": ["bob@example.org": 7]], into: .conversation("lunch"))
      try transaction.removeMetadata(at: ["readAt", "bob@example.org"], of: .conversation("lunch"))
    }
    let readAt = try store.conversation("lunch")?.metadata.value(at: ["readAt", "alice@example.org"])
    #expect(readAt?.timestampValue != nil)
    #expect(try store.conversation("lunch")?.metadata.value(at: ["readAt", "bob@example.org"]) == nil)
  }

  @Test func variablesInOperations() throws {
    try chats.chat("lunch", messages: 1)
    let color = "blue"
    try store.write { transaction in
      try transaction.setMetadata(color, at: "theme.color", of: .conversation("lunch"))
      try transaction.setMetadata(["a": color, "b": ["c": color]], at: "more", of: .conversation("lunch"))
      try transaction.mergeMetadata(["theme": ["size": color]], into: .conversation("lunch"))
      try transaction.put(Identity(userID: "bob", metadata: ["team": color]))
    }
    let metadata = try #require(try store.conversation("lunch")).metadata
    #expect(
      metadata == ["theme": ["color": "blue", "size": "blue"], "more": ["a": "blue", "b": ["c": "blue"]]])
    var bob = try #require(try store.identity("bob"))
    bob.metadata["team"] = "north"
    try store.write { try $0.put(bob) }
    #expect(try store.identity("bob")?.metadata["team"] == "north")
    // What a subscript let through is refused here.
    bob.metadata["not..a key"] = "x"
    let error = #expect(throws: SatchelError.self) { try store.write { try $0.put(bob) } }
    #expect(error?.code == .invalidKey)
  }
}
