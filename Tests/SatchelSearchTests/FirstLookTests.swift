import SatchelSearch
import TestSupport
import Testing

/// What a first look at the bytes of a text says of words and phrases, against what the words of the text say.
@Suite struct FirstLookTests {
  @Test(arguments: [
    ("\"usual place\"", "At the Usual -- place!", FirstLook.Answer.present),
    ("\"usual place\"", "usual_place", .present), ("\"usual place\"", "usual'place.", .present),
    ("\"usual place\"", "unusual place, usual placement, usual old place, usualplace, usual ", .absent),
    ("\"usual place\"", "“usual — place”", .present), ("\"usual place\"", "usual 😀 other, usual 😀", .absent),
    ("\"usual place\"", "ж 😀usual place😀", .present), ("noon", "…noon—", .present),
    ("noon", "noon\u{903}", .open),
    ("\"usual place\"", "usual é place", .absent),
    ("\"usual place\"", "unusual place… usual place", .present),
    ("\"usual place\"", "жusual place", .open), ("\"usual place\"", "usual placeж", .open),
    ("\"usual place\"", "usual placе, usual", .absent),
    ("\"usual pla\"*", "usual place", .present), ("\"usual pla\"*", "usual lap", .absent),
    ("*\"ual place\"", "usual place", .present), ("*\"ual place\"", "usual; places", .absent),
    ("\"x 2 1\"", "x2 1, x 21", .absent), ("\"2 1\"", "x 2-1", .present),
    ("\"как дела\"", "Ну, как дела?", .open), ("\"как дела\"", "как «дела»", .open),
    ("\"как дела\"", "как, дело", .absent), ("\"a 東京\"", "a 東 京", .absent), ("\"a 東京\"", "a東京", .open),
    ("noon", "At noon.", .present), ("noon", "afternoon, noons", .absent), ("*noon", "afternoon", .present),
    ("after*", "afternoon", .present), ("don't", "I don't", .open), ("don't", "I dont, don t", .absent),
  ])
  func answers(_ pattern: String, _ text: String, _ expected: FirstLook.Answer) {
    guard case .words(let words, let stars) = SearchTree(pattern), let form = SearchForm(words, stars) else {
      Issue.record("\(pattern) is no word or phrase")
      return
    }
    #expect(answer(FirstLook(form), text) == expected)
    check(SearchTree(pattern), text)
  }

  @Test func decidesAsWordsDo() {
    var texts = RandomTexts(random: SeededGenerator())
    var answers: [FirstLook.Answer: Int] = [:]
    let rounds = TestEnvironment.rounds(4000)
    for _ in 0..<rounds {
      let text = texts.mostlyASCII(upTo: 30)
      let longest = texts.random.oneIn(10) ? 24 : 8
      let piece = texts.piece(of: text, upTo: longest)
      let stars = texts.random.pick([SearchTree.Stars(), SearchTree.Stars(), .before, .after])
      let pattern = SearchTree.text(piece, stars: stars)
      check(pattern, text)
      check(.and([pattern, .not(.text(texts.piece(of: text, upTo: 4)))]), text)
      guard let form = SearchForm(piece, stars), let answer = answer(FirstLook(form), text) else { continue }
      answers[answer, default: 0] += 1
      let isFound = NaivePattern.matches(pattern, [(nil, NaiveText(text))]) ?? false
      #expect(
        answer == .open || (answer == .present) == isFound,
        "\(piece.debugDescription) \(stars.rawValue) \(text.debugDescription): \(answer)")
    }
    // Each answer is one that texts get.
    for answer in [FirstLook.Answer.absent, .present, .open] {
      #expect(answers[answer] ?? 0 > rounds / 40, "\(answer): \(answers)")
    }
  }

  /// Long words and phrases are not looked for at every place of a text.
  @Test func longOnesAreLeftToWords() {
    let long = String(repeating: "é", count: 65)
    #expect(SearchForm(long, []).flatMap(FirstLook.init) == nil)
    let phrase = "\"" + String(repeating: "a ", count: 12) + "b\""
    check(SearchTree(phrase), String(repeating: "a ", count: 13) + "b")
    check(SearchTree(phrase), String(repeating: "a ", count: 11) + "b")
    check(SearchTree(phrase), String(repeating: "a ", count: 8) + "c")
  }

  /// What is not seen makes no difference for phrases; single words may be fragments.
  @Test(arguments: [
    ("\"usual place\"", "us\u{AD}ual\u{200B} pla\u{200D}ce"),
    ("\"usual place\"", "usual pl\u{AD}ace, un\u{AD}usual place"),
    ("\"usual place\"", "usual place\u{AD}ment"), ("*\"usual place\"", "un\u{AD}usual place"),
    ("\"usual pla\"*", "usual\u{200B} pla\u{AD}ce"), ("\"usual place\"", "usual\u{AD}place"),
    ("place", "usual pla\u{AD}ce"), ("pla", "usual pla\u{AD}ce"), ("*pla", "x\u{AD}pla\u{AD}ce"),
    ("cex", "pla\u{AD}ce"),
  ])
  func breaks(_ pattern: String, _ text: String) { check(SearchTree(pattern), text) }

  /// Returns what the look says of a text; nil if only words can tell, as there is a break in one, or if there is no look.
  private func answer(_ look: FirstLook?, _ text: String) -> FirstLook.Answer? {
    var folder = TextFolder()
    var text = text
    text.withUTF8 { folder.fold($0) }
    guard let look else { return nil }
    let answer = folder.bytes.withUnsafeBufferPointer { look.answer(in: $0) }
    return answer == .present || look.passesOverBreaks || folder.breaks.isEmpty ? answer : nil
  }

  /// A pattern is found with a first look and without one, which a pattern of many words has not, as the definition has it.
  private func check(_ pattern: SearchTree, _ text: String) {
    var matcher = SearchMatcher(pattern)
    var withoutLook = SearchMatcher(.and(Array(repeating: .or([pattern, pattern]), count: 5)))
    let found = [matcher.matches(text), withoutLook.matches(text)]
    let expected = NaivePattern.matches(pattern, [(nil, NaiveText(text))]) ?? false
    #expect(found == [expected, expected], "\(pattern) \(text.debugDescription)")
  }
}

extension RandomTexts {
  private static let ascii: [Unicode.Scalar] = [
    "a", "a", "b", "b", "A", "c", "1", "2", " ", " ", " ", ".", ",", "'", "_", "-", "\"", "\n",
  ]

  /// A text of short words of ASCII, with what joins and parts words, and sometimes with anything else.
  mutating func mostlyASCII(upTo count: Int) -> String {
    let others = random.pick([0, 0, 5, 30])
    var text = String.UnicodeScalarView()
    for _ in 0..<random.below(count + 1) {
      text.append(random.percent(others) ? scalar() : random.pick(Self.ascii))
    }
    return String(text)
  }
}
