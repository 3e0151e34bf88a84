import SatchelSearch
import SatchelText
import TestSupport
import Testing

/// An index of the terms of objects, in dictionaries: what an executor finds by an expression, against what is found by reading.
struct ToyIndex {
  var objects: [[(field: String?, text: String)]] = []
  /// The objects that have a term, of each field and of all.
  var terms: [String?: [[UInt8]: Set<Int>]] = [:]

  mutating func insert(_ object: [(field: String?, text: String)]) {
    for (field, text) in object {
      var terms = TextTerms()
      terms.add(text)
      terms.forEach { term, _ in
        self.terms[nil, default: [:]][Array(term), default: []].insert(objects.count)
        if let field { self.terms[field, default: [:]][Array(term), default: []].insert(objects.count) }
      }
    }
    objects.append(object)
  }

  func found(_ expression: SearchExpression, field: String? = nil) -> Set<Int> {
    func union(_ isWanted: ([UInt8]) -> Bool) -> Set<Int> {
      (terms[field] ?? [:]).reduce(into: Set<Int>()) { if isWanted($1.key) { $0.formUnion($1.value) } }
    }
    switch expression {
    case .nothing: return []
    case .everything: return Set(objects.indices)
    case .term(let bytes): return terms[field]?[bytes] ?? []
    case .prefix(let bytes): return union { $0.starts(with: bytes) }
    case .suffix(let bytes):
      return union { $0.count >= bytes.count && $0.suffix(bytes.count).elementsEqual(bytes) }
    case .part(let bytes):
      return union { term in
        term.count >= bytes.count
          && (0...term.count - bytes.count).contains { term[$0...].starts(with: bytes) }
      }
    case .cutTerm: return union { $0.last == TextTerms.cutMark }
    case .and(let parts):
      return parts.reduce(Set(objects.indices)) { $0.intersection(found($1, field: field)) }
    case .or(let parts): return parts.reduce([]) { $0.union(found($1, field: field)) }
    case .not(let part): return Set(objects.indices).subtracting(found(part, field: field))
    case .field(let name, let part): return found(part, field: name)
    case .reading: fatalError("A bound has nothing to read")
    }
  }

  func matching(_ pattern: SearchTree) -> Set<Int> {
    var matcher = SearchMatcher(pattern)
    return Set(
      objects.indices.filter { object in
        matcher.begin()
        for (field, text) in objects[object] {
          var text = text
          text.withUTF8 { matcher.add($0, field: field.flatMap { matcher.condition.field(named: $0) }) }
        }
        return matcher.isMatch
      })
  }
}

@Suite struct RecallTests {
  /// What an index finds, is what reading finds: all of it, and nothing else where nothing has to be read.
  @Test func indexesFindWhatReadingFinds() {
    var texts = RandomTexts(random: SeededGenerator())
    var (exact, sharp, all) = (0, 0, 0)
    for _ in 0..<TestEnvironment.rounds(60) {
      var index = ToyIndex()
      let long = String(repeating: "ab", count: 31 + texts.random.below(3))
      for _ in 0..<20 {
        let object = (0..<1 + texts.random.below(2)).map { _ in
          let text = texts.text(upTo: 15) + (texts.random.oneIn(8) ? long + texts.text(upTo: 2) : "")
          return (field: texts.random.pick([nil, "title", "body"]), text: text)
        }
        index.insert(object)
      }
      for _ in 0..<20 {
        let about = texts.random.pick(index.objects)[0].text
        let piece = texts.random.oneIn(8) ? long + about : about
        let pattern = texts.pattern(for: piece, depth: 2)
        check(pattern, index, &exact, &sharp)
        all += 1
        for stars in 0..<4 {
          check(
            .text(texts.piece(of: piece, upTo: 70), stars: .init(rawValue: UInt8(stars))), index, &exact,
            &sharp)
          all += 1
        }
      }
    }
    #expect(exact > all / 5 && sharp > all / 2)
  }

  private func check(_ pattern: SearchTree, _ index: ToyIndex, _ exact: inout Int, _ sharp: inout Int) {
    let expression = SearchCondition(pattern).expression
    let matching = index.matching(pattern)
    let upper = index.found(expression.upper)
    let lower = index.found(expression.lower)
    #expect(upper.isSuperset(of: matching) && lower.isSubset(of: matching), "\(pattern): \(expression)")
    if !expression.needsReading {
      exact += 1
      #expect(upper == matching && lower == matching, "\(pattern): \(expression)")
    }
    sharp += upper == matching ? 1 : 0
  }

  /// Words, beginnings, ends and parts of words, characters and pairs of the texts of many languages, against a scan of its own.
  @Test func textsOfManyLanguages() {
    var random = SeededGenerator()
    var index = ToyIndex()
    for text in LanguageTexts.all { index.insert([(nil, text)]) }
    let scanned = LanguageTexts.all.map(NaiveText.init)
    for _ in 0..<TestEnvironment.rounds(600) {
      let text = random.pick(scanned)
      let token = random.pick(text.tokens)
      let word = Array(text.scalars[token.range])
      let (wanted, stars): ([UInt32], SearchTree.Stars)
      switch random.below(5) {
      case 0: (wanted, stars) = (word, [])
      case 1: (wanted, stars) = (Array(word.prefix(1 + random.below(word.count))), .after)
      case 2: (wanted, stars) = (Array(word.suffix(1 + random.below(word.count))), .before)
      case 3:
        (wanted, stars) = (Array(word.dropFirst(random.below(word.count)).prefix(1 + random.below(4))), .both)
      default:
        let start = random.below(text.scalars.count)
        (wanted, stars) = (
          Array(text.scalars[start..<min(start + 2 + random.below(2), text.scalars.count)]), .both
        )
      }
      var string = String.UnicodeScalarView()
      string.append(contentsOf: wanted.map { Unicode.Scalar($0) ?? "\u{FFFD}" })
      let pattern = SearchTree.text(String(string), stars: stars)
      let scan = Set(
        scanned.indices.filter { number in
          let words = scanned[number].words
          if token.kind == .character || token.kind == .nextCharacter || stars == .both {
            return NaivePattern.holds(scanned[number].scalars, wanted)
          }
          return words.contains {
            stars == .after
              ? $0.starts(with: wanted) : stars == .before ? $0.ends(with: wanted) : $0 == wanted
          }
        })
      // A piece of a word that has no letter says nothing; one that is no word of its own is not asked for.
      guard NaiveText(String(string)).scalars == wanted, SearchForm(String(string), stars) != nil else {
        continue
      }
      if stars != .both, NaiveText(String(string)).tokens.first.map({ $0.range != wanted.indices }) ?? true {
        continue
      }
      let expression = SearchCondition(pattern).expression
      #expect(index.matching(pattern) == scan, "\(pattern)")
      #expect(index.found(expression.upper).isSuperset(of: scan), "\(pattern): \(expression)")
      #expect(index.found(expression.lower).isSubset(of: scan), "\(pattern): \(expression)")
    }
  }

  /// A phrase that is copied from a text is found in it, whatever is not seen in the one and in the other: by reading, and among the candidates of
  /// an index.
  @Test func phrasesWithWhatIsNotSeen() {
    var random = SeededGenerator()
    let unseen: [Unicode.Scalar] = [
      "\u{AD}", "\u{200B}", "\u{200C}", "\u{200D}", "\u{200E}", "\u{2060}", "\u{2067}", "\u{FEFF}",
      // Variation selectors, and the joiner of graphemes, which are marks.
      "\u{FE0E}", "\u{FE0F}", "\u{180B}", "\u{34F}", "\u{E0100}",
    ]
    let words = ["Donaudampf", "fährt", "این", "ها", "can't", "x2", "Vie\u{302}\u{323}t", "東京", "3.14", "a"]
    func sprinkled(_ text: String, _ random: inout SeededGenerator) -> String {
      var result = String.UnicodeScalarView()
      for scalar in text.unicodeScalars {
        result.append(scalar)
        if random.percent(30) { result.append(random.pick(unseen)) }
      }
      return String(result)
    }
    for _ in 0..<TestEnvironment.rounds(1000) {
      let all = (0..<2 + random.below(4)).map { _ in random.pick(words) }
      let start = random.below(all.count - 1)
      let phrase = all[start..<start + 2 + random.below(all.count - start - 1)].joined(separator: " ")
      let text = all.joined(separator: random.pick([" ", ", ", " — "]))
      let texts = [text, sprinkled(text, &random)]
      var index = ToyIndex()
      for text in texts { index.insert([(nil, text)]) }
      for wanted in [phrase, sprinkled(phrase, &random)] {
        let pattern = SearchTree("\"\(wanted)\"")
        #expect(index.matching(pattern) == [0, 1], "\(wanted.debugDescription) \(texts[1].debugDescription)")
        #expect(
          index.found(SearchCondition(pattern).expression.upper) == [0, 1], "\(wanted.debugDescription)")
      }
    }
  }

  /// The expressions themselves.
  @Test(arguments: [
    ("noon", "noon"), ("noon*", "noon…"), ("*noon", "(…noon | ?cut)"), ("*noon*", "(…noon… | ?cut)"),
    ("a b", "(a & b)"), ("a OR b", "(a | b)"),
    ("a a", "a"), ("-a", "!a"), ("\"a b\"", "?(a & b)"), ("\"a b\"*", "?(a & b…)"),
    ("*\"a b\"", "?((…a | cut) & b)"), ("東", "東"),
    ("東京", "東京"), ("東京都", "?(東京 & 京都)"), ("a東京", "?(a & 東京)"), ("*a東*", "?((…a | cut) & 東)"),
    ("*.a-b.*", "?(a & b)"),
    ("*a-b*", "?((…a | cut) & b…)"), ("*...*", "?all"), ("-\"a b\"", "!?(a & b)"), ("", "none"),
    ("title:(a -b)", "(title:a & !title:b)"),
    ("don't", "don't"), ("example.org/a", "?(example & org & a)"), ("*\"ab \"*", "?(…ab | cut)"),
    ("*\u{AD}ab*", "(…ab… | ?cut)"), ("*ab\u{AD}-*", "?(…ab | cut)"), ("a\u{AD}b’s", "ab's"), ("²", "²"),
    ("*²*", "?²"),
  ])
  func expressions(_ pattern: String, _ expected: String) {
    func described(_ expression: SearchExpression) -> String {
      func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
      return switch expression {
      case .nothing: "none"
      case .everything: "all"
      case .term(let bytes): text(bytes)
      case .prefix(let bytes): text(bytes) + "…"
      case .suffix(let bytes): "…" + text(bytes)
      case .part(let bytes): "…" + text(bytes) + "…"
      case .cutTerm: "cut"
      case .and(let parts): "(" + parts.map(described).joined(separator: " & ") + ")"
      case .or(let parts): "(" + parts.map(described).joined(separator: " | ") + ")"
      case .not(let part): "!" + described(part)
      case .field(let name, let part): name + ":" + described(part)
      case .reading(let part): "?" + described(part)
      }
    }
    let expression = SearchCondition(SearchTree(pattern, fields: .named(["title"]))).expression
    #expect(described(expression) == expected)
  }

  @Test func longWords() {
    let long = String(repeating: "a", count: 65)
    let cut = [UInt8](repeating: 0x61, count: 64) + [TextTerms.cutMark]
    let whole = [UInt8](repeating: 0x61, count: 64)
    #expect(SearchForm(long, [])?.expression == .reading(.term(cut)))
    #expect(SearchForm(long, .after)?.expression == .reading(.term(cut)))
    #expect(SearchForm(String(long.dropLast()), [])?.expression == .term(whole))
    #expect(SearchForm(String(long.dropLast()), .after)?.expression == .prefix(whole))
    #expect(SearchExpression.not(.reading(.term(cut))).upper == .everything)
    #expect(SearchExpression.not(.reading(.term(cut))).lower == .not(.term(cut)))
  }
}
