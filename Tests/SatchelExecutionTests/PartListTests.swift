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

/// Lists of conditions on the parts of one message.
@Suite final class PartListTests {
  private let directory: String
  private let store: Store
  private static let messages = 150
  /// The messages whose text is kept outside their records.
  private static let longTexts = 30

  /// Messages with up to three parts of four types, some with texts.
  init() throws {
    directory =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("satchel-parts-\(UUID().uuidString)").path
    var options = Store.Options()
    options.create = true
    options.durability = .temporaryImport
    store = try Store.open(directory: directory, user: "ann", options: options)
    var random = SeededGenerator(seed: 12)
    func part() -> MessagePart.Draft {
      switch random.below(3) {
      case 0:
        .text("caf\u{65}\u{301} \(random.below(4))", mimeType: random.pick(["text/plain", "text/html"]))
      case 1: .data([UInt8](repeating: 7, count: random.below(6)), mimeType: random.pick(["a/b", "c/d"]))
      default: .url("https://example.org", mimeType: "a/b", size: random.oneIn(2) ? 3 : nil)
      }
    }
    try store.write { writer in
      _ = try writer.createConversation(
        ConversationDraft(identifier: "c", participants: ["bob"]))
      for number in 0..<Self.messages {
        var parts = (0..<random.below(4)).map { _ in part() }
        if number < Self.longTexts { parts.append(.text(String(repeating: "long ", count: 20_000))) }
        _ = try writer.insertMessage(
          MessageDraft(identifier: Message.ID("m\(number)"), sender: "bob", parts: parts), in: "c")
      }
    }
  }

  deinit {
    store.close()
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// However many alternatives a part has, the parts of a message are gone through once, for those that need no text and for those that do.
  @Test(arguments: ["ANY", "NONE"]) func alternativesAreDecidedByOneSearch(_ quantifier: String) throws {
    let groups = (0..<500).map { "(size >= \($0 % 7 + 4) AND transferStatus = 'complete')" }
    try store.read { snapshot in
      let found = try foundRows(
        "\(quantifier) parts (\(groups.joined(separator: " OR ")))", in: snapshot)
      #expect(snapshot.metrics.partSearches == Self.messages)
      #expect(!found.isEmpty && found.count < Self.messages)
    }
    let texts = (0..<500).map { "(text CONTAINS 'no \($0)' AND size > 3)" }
    try store.read { snapshot in
      let found = try foundRows("\(quantifier) parts (\(texts.joined(separator: " OR ")))", in: snapshot)
      #expect(snapshot.metrics.partSearches == Self.messages)
      // Whoever asks for 500 texts reads each once.
      #expect(snapshot.metrics.bodiesRead == Self.longTexts)
      #expect(found.count == (quantifier == "ANY" ? 0 : Self.messages))
    }
  }

  /// However many alternatives ask for words of a text, it is folded and divided into words once, alone and beside another condition.
  @Test(arguments: ["", " AND size > 8"]) func wordsAreFoundOnce(_ besides: String) throws {
    let texts = (0..<500).map { "(text AUTOCOMPLETE 'no \($0)'\(besides))" }
    try store.read { snapshot in
      let parts = try foundRows("text != nil\(besides)", .parts, in: snapshot).count
      #expect(parts >= Self.longTexts)
      #expect(try foundRows("ANY parts (\(texts.joined(separator: " OR ")))", in: snapshot).isEmpty)
      #expect(snapshot.metrics.textsFolded == parts)
    }
    // For a few, each reads the text for itself.
    try store.read { snapshot in
      let found = try foundRows("ANY parts (\(texts.prefix(3).joined(separator: " OR ")))", in: snapshot)
      #expect(found.isEmpty)
      #expect(snapshot.metrics.textsFolded == 0)
    }
  }

  /// The rows of a group of alternatives are the union of those of its members, with a group or without; of none they are the others.
  @Test func groupsFindWhatTheirMembersFind() throws {
    var random = SeededGenerator(for: "lists of parts")
    let tests = [
      "size > 2", "size = nil", "size != 3", "text != nil", "text = nil", "text BEGINSWITH 'café'",
      "text LIKE '% 1'", "mimeType = 'a/b'", "mimeType LIKE 'text/%'", "mimeType != 'c/d'",
      "transferStatus = 'complete'", "text AUTOCOMPLETE 'CAF'", "text AUTOCOMPLETE '2 cafe'",
      "text AUTOCOMPLETE 'lon'", "NOT text AUTOCOMPLETE '3'",
      "text MATCHES-TEXT 'caf*'", "text MATCHES-TEXT 'long OR -\"cafe 1\"'", "NOT text MATCHES-TEXT '*on*'",
    ]
    for round in 0..<TestEnvironment.rounds(80) {
      let members = (0..<2 + random.below(14)).map { _ in
        let first = random.pick(tests)
        return random.oneIn(4) ? first : "\(first) AND \(random.pick(tests))"
      }
      let relation = random.pick(["parts", "message.parts"])
      let kind: ObjectKind = relation == "parts" ? .messages : .parts
      try store.read { snapshot in
        let expected = try members.reduce(into: Set<RowReference>()) {
          $0.formUnion(try foundRows("ANY \(relation) (\($1))", kind, in: snapshot))
        }
        let list = members.map { "(\($0))" }.joined(separator: " OR ")
        #expect(
          try foundRows("ANY \(relation) (\(list))", kind, in: snapshot) == expected,
          "round \(round): \(list)")
        let others = try foundRows("NONE \(relation) (\(list))", kind, in: snapshot)
        #expect(
          try foundRows("TRUEPREDICATE", kind, in: snapshot).subtracting(expected) == others,
          "round \(round): \(list)")
      }
    }
  }
}
