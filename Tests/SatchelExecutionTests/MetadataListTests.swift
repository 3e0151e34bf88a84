import Foundation
import SatchelExecution
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading
import SatchelStorage
import SatchelWriting
import TestSupport
import Testing

/// Lists of conditions on the metadata of one object.
@Suite final class MetadataListTests {
  private let directory: String
  private let store: Store
  private static let messages = 120

  /// Messages and conversations with some of twelve texts each, at two depths.
  init() throws {
    directory =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("satchel-metadata-\(UUID().uuidString)").path
    var options = Store.Options()
    options.create = true
    options.durability = .temporaryImport
    store = try Store.open(directory: directory, user: "ann", options: options)
    var random = SeededGenerator(seed: 11)
    func metadata() -> Metadata {
      var metadata = Metadata()
      for key in 0..<6 where random.oneIn(3) { metadata["k\(key)"] = "v\(random.below(3))" }
      for key in 0..<6 where random.oneIn(3) {
        metadata["deep.k\(key)"] = "caf\u{65}\u{301} \(random.below(3))"
      }
      return metadata
    }
    try store.write { writer in
      for row in 0..<6 {
        _ = try writer.createConversation(
          ConversationDraft(
            identifier: Conversation.ID("c\(row)"), participants: ["bob"], metadata: metadata()))
      }
      for number in 0..<Self.messages {
        _ = try writer.insertMessage(
          MessageDraft(
            identifier: Message.ID("m\(number)"), sender: "bob", parts: [.text("x")], metadata: metadata()),
          in: Conversation.ID("c\(number % 6)"))
      }
    }
  }

  deinit {
    store.close()
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// However many keys a list asks for, the metadata of a message is looked through once.
  @Test(arguments: ["OR", "AND"]) func aListIsDecidedByOneSearch(_ word: String) throws {
    let sign = word == "OR" ? "=" : "!="
    let text = (0..<500).map { "metadata.k\($0) \(sign) 'v1'" }.joined(separator: " \(word) ")
    try store.read { snapshot in
      let before = snapshot.metrics.metadataSearches
      let found = try foundRows(text, in: snapshot)
      #expect(snapshot.metrics.metadataSearches - before == Self.messages)
      #expect(!found.isEmpty && found.count < Self.messages)
    }
    let inner = (0..<500).map { "conversation.metadata.k\($0) \(sign) 'v1'" }.joined(separator: " \(word) ")
    try store.read { snapshot in
      _ = try foundRows(inner, in: snapshot)
      // Once by the planner, and once by what it has planned.
      #expect(snapshot.metrics.metadataSearches <= 2 * 6)
    }
  }

  /// The rows of a list are the union or the intersection of those of its members.
  @Test func listsFindWhatTheirMembersFind() throws {
    var random = SeededGenerator(for: "metadata lists")
    let operators = ["= 'v1'", "!= 'v0'", "IN {'v0', 'v2'}", "= NULL", "!= NULL", "LIKE 'v*'", "> 'v0'"]
    let deep = ["= 'café 1'", "CONTAINS 'é 2'", "!= NULL", "BEGINSWITH 'café'"]
    for round in 0..<TestEnvironment.rounds(60) {
      let relation = random.pick(["", "conversation."])
      let members = (0..<4 + random.below(8)).map { _ in
        random.oneIn(3)
          ? "\(relation)metadata.deep.k\(random.below(6)) \(random.pick(deep))"
          : "\(relation)metadata.k\(random.below(6)) \(random.pick(operators))"
      }
      let word = random.pick(["OR", "AND"])
      try store.read { snapshot in
        let parts = try members.map { try foundRows($0, in: snapshot) }
        let expected = parts.dropFirst().reduce(parts[0]) {
          word == "OR" ? $0.union($1) : $0.intersection($1)
        }
        let list = members.joined(separator: " \(word) ")
        #expect(try foundRows(list, in: snapshot) == expected, "round \(round): \(list)")
      }
    }
  }
}
