public import Satchel
import SatchelExecution
import SatchelModel
public import SatchelQuery

extension StoreSnapshot {
  /// Returns what a query finds, the best matches of its pattern first.
  ///
  /// ```swift
  /// let lunches = Message.filter { $0.conversation == lunch && $0.parts.any { $0.text.matches("noon place") } }
  /// for result in try store.search(lunches.limit(20)) {
  ///   let snippet = result.snippet(bytes: 80)
  ///   print(result.object.sender, result.text[snippet.range])
  /// }
  /// ```
  ///
  /// One of the query's conditions, or several, are `matches`: MATCHES-TEXT. The words of their texts have to be in complete indexes of
  /// words. Objects are better that have rare words of the pattern, have them often, and have short texts: BM25, with k1 1.2 and b 0.75. How rare a word
  /// is, is counted in all objects of the index, not only in those that meet the other conditions. What stands behind a NOT does not count. Of equally
  /// good objects the one comes first that was created first.
  ///
  /// Of a pattern that names fields, such as `title:work milk`, each field has its own index, in which its words and its lengths are counted, and the
  /// score is the sum over the fields. So it is of several patterns. An object that matches by one of two patterns alone has a score of that one.
  /// What other objects have to match, such as the name of a message's sender or the title of its conversation, narrows the search and does not count.
  ///
  /// The order is that of this snapshot: each message that comes in changes it a little. A list that is kept up to date has an order
  /// by a property, and is searched again to have one by relevance.
  /// - Parameter query: A query without sort keys and anchor. Its limit and offset apply to the order by relevance.
  /// - Throws: ``SatchelError`` `invalidValue` for a query with sort keys or an anchor, for one without a pattern, and for parts and members of a
  ///   conversation; `notAvailable` if there is no complete index of the words of a property, with the column that one needs; as `fetch(_:)`.
  /// - Complexity: O(f + b) index entries for f objects that are found, with how often they have the words, in b blocks of 256 objects that were
  ///   created one after the other, and 16 bytes for each; and the texts of the results. The texts of all objects that are found are read if the
  ///   pattern has phrases, parts or ends of words, or words of more than 64 bytes: `"usual place"`, `*unch*`, `*oon`, a run of three Chinese
  ///   characters. Of several properties, for each.
  public func search<Object: StoredObject>(_ query: Query<Object>) throws -> [SearchResult<Object>] {
    try perform {
      guard let search = try RelevanceSearch(executor.question(query.untyped), executor) else { return [] }
      let best = try search.best()
      let objects: [Object] = try objects(at: best.map(\.reference), of: query)
      return try zip(best, objects).map { row, object in
        let match = try search.match(of: row.reference)
        return SearchResult(object: object, score: row.score, text: match.text, pattern: match.pattern)
      }
    }
  }

  /// Returns words that begin as the last word of what somebody has typed does: those that most objects have first.
  ///
  /// ```swift
  /// for suggestion in try store.suggestions(for: "usual pla", in: "words") {
  ///   print(suggestion.word, suggestion.count)
  /// }
  /// ```
  ///
  /// Words are those of the index, without case and diacritics, and compounds such as `example.org`. Of scripts that put no space between words they
  /// are the characters that follow the last one. The other words that were typed do not narrow them.
  /// - Parameters:
  ///   - text: What was typed. If it does not end with a word, there are no suggestions.
  ///   - name: The name of an index of words.
  ///   - limit: The most suggestions.
  /// - Returns: Each with the number of objects that have the word. Of equal numbers the one comes first whose bytes do.
  /// - Throws: ``SatchelError`` `unknownIndex` if no index has the name; `invalidValue` if it is not one of words, or for a negative limit;
  ///   `notAvailable` if it is not complete; as `fetch(_:)`.
  /// - Complexity: O(t · log n) for t different words that begin so. Reads no object.
  public func suggestions(
    for text: String, in name: String, limit: Int = 10
  ) throws -> [SearchSuggestion] {
    try perform {
      guard limit >= 0 else {
        throw SatchelError(.invalidValue, "A limit is 0 or more", ["limit": String(limit)])
      }
      return try IndexedWords(named: name, in: base).suggestions(for: text, atMost: limit).map {
        SearchSuggestion(word: String(decoding: $0.term, as: UTF8.self), count: $0.count)
      }
    }
  }
}
