/// Finds out whether objects match a pattern, by reading their texts: what a condition on a row does where no index answers it, and what
/// decides on the candidates of an index.
///
/// One matcher serves many objects, one after the other: `begin()`, then each text of the object, then ``isMatch``. It keeps its buffers, so that a text costs no
/// allocation.
///
/// **What matches.** Texts are folded by ``TextFolder``, and split into words and characters by ``TextTokens``.
/// - A word matches a text of which it is a word, a compound or a fragment; `word*` and `*word` one of which one of these begins or ends with
///   it.
/// - `*part*`, and a word of characters only, match a text in whose folded form they stand anywhere.
/// - Several words in quotation marks, and a word that is several tokens, such as a link, match a text in which these words and characters
///   follow one another, whatever spaces, punctuation and symbols are between; characters that stand together have to do so in the text. With
///   a star the last one may be the beginning of a word, or the first one the end.
/// - An object matches if what is looked for is found in any of its texts, or of those of the field; each word and phrase for itself.
package struct SearchMatcher: Sendable {
  package let condition: SearchCondition
  /// Which leaves were found in the object.
  package private(set) var found: [Bool]
  private(set) var folder = TextFolder()
  private var phrases: PhraseSearch
  /// The leaves that are whole words, by the number of the word.
  private var wholeWords = ByteTable()
  private var leavesOfWords: [[Int]] = []
  private var edges: [(leaf: Int, bytes: [UInt8], isEnding: Bool)] = []
  private var parts: [(leaf: Int, search: ByteSearch)] = []
  /// Which bytes may begin a word that is looked for: all if its end is.
  private var firstBytes = ByteSet()
  private var missing = 0
  /// Where the tokens of the text begin that count for phrases; only if hits are collected.
  private var starts: [Int] = []
  private(set) var hits: [SearchHit] = []

  package init(_ condition: SearchCondition) {
    self.condition = condition
    found = [Bool](repeating: false, count: condition.leaves.count)
    var sequences: [(leaf: Int, phrase: SearchPhrase)] = []
    for (leaf, form) in condition.leaves.map(\.form).enumerated() {
      switch form {
      case .word(let bytes):
        let number = wholeWords.insert(bytes)
        firstBytes.insert(bytes[0])
        if number == leavesOfWords.count { leavesOfWords.append([]) }
        leavesOfWords[number].append(leaf)
      case .beginning(let bytes):
        edges.append((leaf, bytes, false))
        firstBytes.insert(bytes[0])
      case .ending(let bytes):
        edges.append((leaf, bytes, true))
        firstBytes = .all
      case .part(let bytes): parts.append((leaf, ByteSearch(bytes)))
      case .phrase(let phrase): sequences.append((leaf, phrase))
      }
    }
    phrases = PhraseSearch(sequences)
    begin()
  }

  package init(_ pattern: SearchTree) { self.init(SearchCondition(pattern)) }

  /// Begins another object.
  package mutating func begin() {
    for leaf in found.indices { found[leaf] = false }
    missing = found.count
  }

  /// Whether the object matches, by the texts that were added.
  package var isMatch: Bool { condition.isMatch(found) }

  /// Whether one text matches, of no field.
  package mutating func matches(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    begin()
    unsafe add(utf8)
    return isMatch
  }

  /// Whether one text matches, of no field.
  package mutating func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { unsafe matches($0) }
  }

  /// Adds a text of the object.
  /// - Parameter field: The number of its field in the condition; nil if the condition does not name it.
  /// - Complexity: O(text · (1 + words with one star + words with two + elements of phrases / 64)), for any text.
  package mutating func add(_ utf8: UnsafeBufferPointer<UInt8>, field: Int? = nil) {
    guard missing > 0 else { return }
    unsafe read(utf8, field: field, collectsHits: false)
  }

  mutating func read(_ utf8: UnsafeBufferPointer<UInt8>, field: Int?, collectsHits: Bool) {
    unsafe folder.fold(utf8, keepingPlaces: collectsHits)
    hits.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
    // Taken out, so that nothing is copied when it is written to.
    let folder = folder
    unsafe folder.bytes.withUnsafeBufferPointer { folded in
      unsafe findParts(folded, field, collectsHits)
      if wholeWords.count > 0 || !edges.isEmpty || !phrases.isEmpty {
        unsafe findWords(folded, folder.breaks, field, collectsHits)
      }
    }
  }

  private func isWanted(_ leaf: Int, _ field: Int?, _ collectsHits: Bool) -> Bool {
    (collectsHits || !found[leaf]) && (condition.leaves[leaf].field.map { $0 == field } ?? true)
  }

  private mutating func find(_ leaf: Int, _ range: Range<Int>, _ field: Int?, _ collectsHits: Bool) {
    guard isWanted(leaf, field, collectsHits) else { return }
    if !found[leaf] {
      found[leaf] = true
      missing -= 1
    }
    if collectsHits { hits.append(SearchHit(leaf: leaf, range: range)) }
  }

  private mutating func findParts(_ folded: UnsafeBufferPointer<UInt8>, _ field: Int?, _ collectsHits: Bool) {
    for (leaf, search) in parts where isWanted(leaf, field, collectsHits) {
      unsafe search.forEach(in: folded) { end in
        find(leaf, end - search.literal.count..<end, field, collectsHits)
        return collectsHits
      }
    }
  }

  private mutating func findWords(
    _ folded: UnsafeBufferPointer<UInt8>, _ breaks: [Int], _ field: Int?, _ collectsHits: Bool
  ) {
    phrases.begin()
    var tokens = unsafe TextTokens(folded, breaks: breaks)
    while missing > 0 || collectsHits, let token = unsafe tokens.next() {
      let range = token.range
      let bytes = unsafe UnsafeBufferPointer(rebasing: folded[range])
      if !token.isCharacter, unsafe firstBytes.contains(bytes[0]) {
        if let number = unsafe wholeWords.number(of: bytes) {
          for leaf in leavesOfWords[number] { find(leaf, range, field, collectsHits) }
        }
        for (leaf, edge, isEnding) in edges where bytes.count >= edge.count {
          let rest = isEnding ? bytes.count - edge.count : 0
          if unsafe ByteTable.isEqual(bytes, from: rest, edge) {
            let lower = range.lowerBound + rest
            find(leaf, lower..<lower + edge.count, field, collectsHits)
          }
        }
      }
      if !phrases.isEmpty, token.isPosition {
        if collectsHits { starts.append(range.lowerBound) }
        unsafe phrases.take(token, bytes)
        for index in phrases.completed.indices {
          let (leaf, count) = phrases.completed[index]
          let start = collectsHits ? starts[starts.count - count] : range.lowerBound
          find(leaf, start..<range.upperBound, field, collectsHits)
        }
      }
    }
  }
}

/// A place in a folded text where a word or a phrase of the pattern is.
struct SearchHit: Equatable, Sendable {
  let leaf: Int
  let range: Range<Int>
}
