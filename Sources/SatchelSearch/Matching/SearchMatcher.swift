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
  /// What may decide about each word and phrase before the words of a text are known; none if there are too many of them.
  private var looks: [(leaf: Int, look: FirstLook)] = []
  /// Which bytes may begin a word that is looked for: all if its end is.
  private var firstBytes = ByteSet()
  private var missing = 0
  /// Where the last tokens of the text begin that count for phrases, as many as the longest phrase has; only if places are kept.
  private var starts: [Int]
  private(set) var hits: SearchHits

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
    looks = Self.looks(condition.leaves.map(\.form))
    starts = [Int](repeating: 0, count: phrases.longest)
    hits = SearchHits(leaves: condition.leaves.count)
    begin()
  }

  /// With more words and phrases, breaking a text into words costs less than looking for each of them first.
  private static let mostLooks = 4

  private static func looks(_ forms: [SearchForm]) -> [(leaf: Int, look: FirstLook)] {
    let ofWords = forms.enumerated().filter { if case .part = $1 { false } else { true } }
    let looks = ofWords.compactMap { leaf, form in FirstLook(form).map { (leaf, $0) } }
    return looks.count == ofWords.count && looks.count <= mostLooks ? looks : []
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
    unsafe read(utf8, field: field, for: .matching)
  }

  /// What a text is read for.
  enum Purpose {
    /// Whether it matches: no further than to where nothing is missing.
    case matching
    /// How often it has each word and phrase.
    case counting
    /// Where it has what is to be shown.
    case marking
    /// Where it has the first hits of each word and phrase that is to be shown: no further than to where each has as many as count.
    case choosing

    var keepsPlaces: Bool { self == .marking || self == .choosing }
  }

  /// - Parameter window: If it is read for marking, only hits count that have something of this part of the text.
  mutating func read(
    _ utf8: UnsafeBufferPointer<UInt8>, field: Int?, for purpose: Purpose, within window: Range<Int>? = nil
  ) {
    unsafe folder.fold(utf8, keepingPlaces: purpose.keepsPlaces)
    if purpose != .matching {
      hits.begin(open: condition.leaves.count { $0.isWanted && ($0.field.map { $0 == field } ?? true) })
    }
    // Taken out, so that nothing is copied when it is written to.
    let folder = folder
    let scope = Scope(
      field: field, purpose: purpose, window: window == 0..<utf8.count ? nil : window, textCount: utf8.count)
    unsafe folder.bytes.withUnsafeBufferPointer { folded in
      unsafe findParts(folded, scope)
      if wholeWords.count > 0 || !edges.isEmpty || !phrases.isEmpty,
        unsafe !isDecidedByFirstLook(folded, folder.breaks, scope)
      {
        unsafe findWords(folded, folder.breaks, scope)
      }
    }
  }

  /// What holds for all hits of a text.
  private struct Scope {
    let field: Int?
    let purpose: Purpose
    let window: Range<Int>?
    let textCount: Int
  }

  /// Whether a leaf has more to be found in the text.
  private func isWanted(_ leaf: Int, _ scope: Scope) -> Bool {
    guard condition.leaves[leaf].field.map({ $0 == scope.field }) ?? true else { return false }
    return switch scope.purpose {
    case .matching: !found[leaf]
    case .counting: true
    case .marking: condition.leaves[leaf].isWanted
    case .choosing: condition.leaves[leaf].isWanted && !hits.isFull(leaf)
    }
  }

  private mutating func find(_ leaf: Int, _ range: Range<Int>, _ scope: Scope) {
    guard isWanted(leaf, scope) else { return }
    if !found[leaf] {
      found[leaf] = true
      missing -= 1
    }
    switch scope.purpose {
    case .matching: break
    case .counting: hits.count(leaf)
    case .marking:
      if let window = scope.window,
        !folder.original(of: range, textCount: scope.textCount).overlaps(window)
      {
        return
      }
      hits.mark(range)
    case .choosing: hits.choose(leaf, range)
    }
  }

  private mutating func findParts(_ folded: UnsafeBufferPointer<UInt8>, _ scope: Scope) {
    for (leaf, search) in parts where isWanted(leaf, scope) {
      hits.beginStream()
      unsafe search.forEach(in: folded) { end in
        find(leaf, end - search.literal.count..<end, scope)
        return scope.purpose != .matching && isWanted(leaf, scope)
      }
      hits.endStream()
    }
  }

  /// Looks for the words and phrases that are wanted without breaking the text into words; returns whether nothing is left open. A word that a
  /// break is within has fragments, about which only words tell.
  private mutating func isDecidedByFirstLook(
    _ folded: UnsafeBufferPointer<UInt8>, _ breaks: [Int], _ scope: Scope
  ) -> Bool {
    guard scope.purpose == .matching, !looks.isEmpty else { return false }
    for (leaf, look) in looks where isWanted(leaf, scope) {
      switch unsafe look.answer(in: folded) {
      case .absent: if !breaks.isEmpty, !look.passesOverBreaks { return false }
      case .present: find(leaf, 0..<0, scope)
      case .open: return false
      }
    }
    return true
  }

  private func isDone(_ purpose: Purpose) -> Bool {
    switch purpose {
    case .matching: missing == 0
    case .counting, .marking: false
    case .choosing: hits.isFull
    }
  }

  private mutating func findWords(_ folded: UnsafeBufferPointer<UInt8>, _ breaks: [Int], _ scope: Scope) {
    hits.beginStream()
    phrases.begin()
    var tokens = unsafe TextTokens(folded, breaks: breaks)
    var position = 0
    while !isDone(scope.purpose), let token = unsafe tokens.next() {
      let range = token.range
      let bytes = unsafe UnsafeBufferPointer(rebasing: folded[range])
      if !token.isCharacter, unsafe firstBytes.contains(bytes[0]) {
        if let number = unsafe wholeWords.number(of: bytes) {
          for leaf in leavesOfWords[number] { find(leaf, range, scope) }
        }
        for (leaf, edge, isEnding) in edges where bytes.count >= edge.count {
          let rest = isEnding ? bytes.count - edge.count : 0
          if unsafe ByteTable.isEqual(bytes, from: rest, edge) {
            let lower = range.lowerBound + rest
            find(leaf, lower..<lower + edge.count, scope)
          }
        }
      }
      if !phrases.isEmpty, token.isPosition {
        if scope.purpose.keepsPlaces { starts[position % starts.count] = range.lowerBound }
        position += 1
        unsafe phrases.take(token, bytes)
        for index in phrases.completed.indices {
          let (leaf, count) = phrases.completed[index]
          let start =
            scope.purpose.keepsPlaces ? starts[(position - count) % starts.count] : range.lowerBound
          find(leaf, start..<range.upperBound, scope)
        }
      }
    }
    hits.endStream()
  }
}
