import Satchel
import TestSupport
import Testing

/// Which indexes are advised, and that they do what the advice says.
@Suite struct IndexAdviceTests {
  /// Checks that an index is advised, and that the query, once it is declared, reads what the advice says.
  private static func expectAdvice(
    _ query: Query<Message>, as type: ResultType = .objects, _ columns: String, _ store: MessageStore,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try store.explain(query, as: type, advising: true)
    let advice = try #require(before.advice, sourceLocation: sourceLocation)
    #expect(
      advice.index.columns.map(\.description).joined(separator: ", ") == columns,
      sourceLocation: sourceLocation)
    #expect(before.description.hasSuffix(advice.description), sourceLocation: sourceLocation)
    try store.declare(advice.index)
    let after = try store.explain(query, as: type, advising: true)
    #expect(after.paths[after.chosen] == advice.path, sourceLocation: sourceLocation)
    #expect(try store.indexes().map(\.entries) == [advice.entries], sourceLocation: sourceLocation)
    #expect(after.advice == nil, sourceLocation: sourceLocation)
    try store.dropIndex(named: advice.index.name)
  }

  @Test func theIndexDoesWhatTheAdviceSays() throws {
    let store = try DeclaredIndexTests.store()
    let tickets = Message.filter { $0.metadata.kind == "ticket" }
    try Self.expectAdvice(
      tickets.order { ($0.metadata.priority.descending, $0.sentAt) }.limit(20),
      "metadata.kind, -metadata.priority, sentAt", store)
    try Self.expectAdvice(
      Message.filter { $0.metadata.kind == "ticket" && $0.metadata.priority.number > 3 }, as: .count,
      "metadata.kind, metadata.priority", store)
    try Self.expectAdvice(
      Message.filter { $0.metadata.tags.list.contains("t1") }.order { $0.sentAt.descending }.limit(5),
      "each metadata.tags, -sentAt", store)
    try Self.expectAdvice(
      Message.filter { $0.conversation == "b" && $0.metadata.priority.number == 2 }.order { $0.sentAt }.limit(
        5),
      "conversation, metadata.priority, sentAt", store)
  }

  @Test func whatAnIndexAnswersAlreadyNeedsNoOther() throws {
    let store = try DeclaredIndexTests.store()
    for query in [
      Message.all.order { $0.sentAt },
      Message.filter { $0.conversation == "a" }.order { $0.position }.limit(20),
      Message.filter { $0.parts.any { $0.text.contains("zzz") } },
    ] {
      #expect(try store.explain(query, advising: true).advice == nil, "\(query)")
    }
    // Metadata alone is in an index of the store's own.
    let tickets = Message.filter { $0.metadata.kind == "ticket" }
    #expect(try store.explain(tickets, as: .count, advising: true).advice == nil)
    #expect(try store.explain(tickets.order { $0.metadata.priority }).advice == nil)
  }
}
