import Satchel

/// What was searched for, and what was found: messages, newest first.
struct Search {
  let pattern: SearchPattern
  let hits: [Message]
  private(set) var row = 0

  /// Looks for what somebody typed.
  init(_ typed: String, in store: MessageStore) async throws {
    let pattern = SearchPattern(typed: typed)
    self.pattern = pattern
    let query = Message.filter { $0.parts.any { $0.text.matches(pattern) } }.order { $0.sentAt.descending }
    hits = pattern.isEmpty ? [] : try await store.fetch(query.limit(100).including(\.sender))
  }

  var selected: Message? { hits.indices.contains(row) ? hits[row] : nil }

  mutating func move(by rows: Int) { row = max(0, min(row + rows, hits.count - 1)) }

  /// The piece of a message that has most of what was searched for, each of it in brackets.
  func snippet(of message: Message) -> String {
    let text = message.text ?? ""
    let snippet = pattern.snippet(of: text, bytes: 80)
    var line = snippet.isCutBefore ? "…" : ""
    var place = snippet.range.lowerBound
    for range in snippet.highlights {
      line += text[place..<range.lowerBound] + "[" + text[range] + "]"
      place = range.upperBound
    }
    return line + text[place..<snippet.range.upperBound] + (snippet.isCutBehind ? "…" : "")
  }
}
