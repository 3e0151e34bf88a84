import Foundation
import Satchel
import SatchelRelevance
import Testing

/// The code of the article "Searching texts".
@Suite struct SearchGuide {
  private let chats: GuideStore
  private var store: MessageStore { chats.store }

  init() throws {
    chats = try GuideStore()
    try chats.chat("lunch", metadata: ["title": "Lunch"], messages: 1)
    try chats.receive("Noon, or late?", in: "lunch", id: "noon", at: 2)
    try chats.receive(
      "The usual place. " + String(repeating: "Many words. ", count: 20), in: "lunch", id: "place", at: 3)
    try chats.receive("Luncheon", in: "lunch", from: "carol", id: "luncheon", at: 4)
    try chats.write { try $0.put(Identity(userID: "carol", displayName: "Carol Müller")) }
  }

  @Test func asking() throws {
    let lunch: Conversation.ID = "lunch"
    let found = [
      Message.filter { $0.parts.any { $0.text.matches("noon OR \"usual place\"") } },
      Message.filter { $0.conversation == lunch && $0.parts.any { $0.text.matches("lunc* -late") } },
      Message.filter { $0.sender.displayName.matches("müller") },
    ]
    let foundAsText: [Query<Message>] = try [
      Query(format: "parts.text MATCHES-TEXT 'noon OR \"usual place\"'"),
      Query(format: "conversation = %@ AND parts.text MATCHES-TEXT 'lunc* -late'", lunch),
      Query(format: "sender.displayName MATCHES-TEXT 'müller'"),
    ]
    let titled = Conversation.filter { $0.metadata.title.matches("lunch") }
    #expect(found == foundAsText)
    #expect(
      try found.map { try Set(store.identifiers($0)) } == [["noon", "place"], ["luncheon"], ["luncheon"]])
    #expect(try store.identifiers(titled) == ["lunch"])
  }

  /// Each pattern of the table parses, and finds a text that its row describes.
  @Test func patterns() throws {
    let rows = try Repository.table("Patterns", of: "Search")
    let texts = [
      "A place at noon", "No place!", "noon, early", "the usual; place", "Lunch", "luncheon", "Two lunches",
      "midnight: the place",
    ]
    let others = [
      "noon", "never", "too late at noon", "usual, the place", "brunch", "moon", "lunch", "midnight",
    ]
    #expect(rows.count == texts.count)
    for (row, (text, other)) in zip(rows, zip(texts, others)) {
      let pattern = try SearchPattern(try #require(row[0].first))
      #expect(pattern.matches(text) && !pattern.matches(other), "\(pattern)")
    }
    for (pattern, text) in [
      ("cafe", "Café"), ("don't", "I don’t know: don't"), ("3.14", "3.14"), ("example.org", "an example.org"),
      ("東京", "東京都"), ("don't", "I don’t know"), ("اینها", "این\u{200C}ها"), ("ها", "این\u{200C}ها"),
    ] {
      #expect(try SearchPattern(pattern).matches(text), "\(pattern)")
    }
  }

  @Test func fields() throws {
    try chats.write {
      try $0.put(Identity(userID: "bob", displayName: "Bob", emailAddress: "bob@example.org"))
    }
    try chats.chat("dinner", metadata: ["title": "The usual", "topic": "people"], messages: 1)
    try chats.receive("At noon", in: "lunch", from: "carol", id: "carols", at: 5)
    let byCarol = Message.filter { $0.parts.any { $0.text.matches("noon sender.displayName:carol") } }
    let aboutFood = Conversation.filter { $0.metadata.topic.matches("food OR title:\"the usual\"") }
    let notCarol = Identity.filter { $0.emailAddress.matches("example.org -name:carol") }
    #expect(try store.identifiers(byCarol) == ["carols"])
    #expect(try store.identifiers(aboutFood) == ["dinner"])
    #expect(try store.identifiers(notCarol) == ["bob"])
    let spelledOut = try Query<Message>(
      format: "parts.text MATCHES-TEXT 'noon' AND sender.displayName MATCHES-TEXT 'carol'")
    #expect(try store.identifiers(spelledOut) == ["carols"])
    let wrong = Message.filter { $0.parts.any { $0.text.matches("note:this") } }
    #expect(throws: SatchelError.self) { try store.count(wrong) }
    let title = "The usual"
    let pattern = SearchPattern(typed: "title:usual noon", fields: ["title"])
    #expect(pattern.inField("title").highlights(in: title).map { title[$0] } == ["usual"])
  }

  @Test func anIndexOfWords() throws {
    let words = [
      Index(named: "texts", on: Message.self, wordsOf: { $0.parts.each { $0.text } }),
      Index(named: "titles", on: Conversation.self, wordsOf: { $0.metadata.title }),
      Index(named: "names", on: Identity.self, wordsOf: \.displayName),
      Index(
        named: "notes", on: Message.self, where: { $0.metadata.kind == "note" },
        wordsOf: { $0.metadata.body }),
    ]
    for index in words { try store.declare(index) }
    let status = try store.indexes()
    #expect(status.map(\.index) == words && status.allSatisfy(\.isComplete))
    #expect(status.map { $0.entries > 0 } == [true, true, true, false])
    #expect("\(words[0])" == "texts: messages by words parts.text")
    let found = Message.filter { $0.parts.any { $0.text.matches("usual") } }
    #expect(try store.identifiers(found) == ["place"])
  }

  @Test func whatSomebodyTypes() throws {
    let typed = SearchPattern(typed: "(noon OR \"usual pla")
    let query = Message.filter { $0.parts.any { $0.text.matches(typed) } }
    let hits = typed.isEmpty ? [] : try store.fetch(query.order { $0.sentAt.descending }.limit(20))
    #expect(hits.map(\.id) == ["noon"])
    for hit in hits {
      guard let text = hit.text else { continue }
      let snippet = typed.snippet(of: text, bytes: 80)
      var line = snippet.isCutBefore ? "…" : ""
      var place = snippet.range.lowerBound
      for range in snippet.highlights {
        line += text[place..<range.lowerBound] + "[" + text[range] + "]"
        place = range.upperBound
      }
      print(line + text[place..<snippet.range.upperBound] + (snippet.isCutBehind ? "…" : ""))
    }
    let text = try #require(hits.first?.text)
    #expect(typed.highlights(in: text).map { text[$0] } == ["Noon"])
    #expect(SearchPattern(typed: "( -").isEmpty)
  }

  @Test func theBestFirst() throws {
    try chats.receive("Place, a place at noon", in: "lunch", id: "best", at: 5)
    try store.declare(Index(named: "words", on: Message.self, wordsOf: { $0.parts.each { $0.text } }))
    let places = Message.filter { $0.parts.any { $0.text.matches("noon OR place") } }
    for result in try store.search(places.limit(20)) {
      let snippet = result.snippet(bytes: 80)
      print(result.object.sender, result.score, result.text[snippet.range])
    }
    let results = try store.search(places.limit(20))
    #expect(results.first?.object.id == "best")
    #expect(Set(results.map(\.object.id)) == ["best", "noon", "place"])
    #expect(results[0].highlights.map { results[0].text[$0] } == ["Place", "place", "noon"])
  }

  @Test func whatMayBeMeant() throws {
    try chats.receive("Places to go, places to be", in: "lunch", id: "places", at: 5)
    try chats.receive("Another place", in: "lunch", id: "another", at: 6)
    try store.declare(Index(named: "words", on: Message.self, wordsOf: { $0.parts.each { $0.text } }))
    for suggestion in try store.suggestions(for: "the usual pla", in: "words", limit: 5) {
      print(suggestion.word, suggestion.count)
    }
    let suggestions = try store.suggestions(for: "the usual pla", in: "words", limit: 5)
    #expect(suggestions.map(\.description) == ["place 2", "places 1"])
  }

  @Test func aroundAHit() throws {
    let hits = try store.fetch(Message.filter { $0.parts.any { $0.text.matches("noon") } })
    #expect(hits.map(\.id) == ["noon"])
    for hit in hits {
      let conversation = Message.filter { $0.conversation == hit.conversation }.order { $0.position }
      let neighbours = try store.fetch(conversation.around(hit.id, before: 10, after: 10))
      let row = try store.rank(of: hit.id, in: conversation)
      let list = store.controller(for: conversation, window: .tail(25))
      try list.execute()
      try list.loadAround(hit.id, before: 10, after: 10)
      print(neighbours.count, row ?? 0, list.rowsBefore, list.count, list.rowsAfter)
    }
    let conversation = Message.filter { $0.conversation == "lunch" }.order { $0.position }
    let neighbours = try store.fetch(conversation.around("noon", before: 10, after: 10))
    #expect(neighbours.map(\.id) == ["lunch-1", "noon", "place", "luncheon"])
    #expect(try store.rank(of: "noon", in: conversation) == 1)
  }
}
