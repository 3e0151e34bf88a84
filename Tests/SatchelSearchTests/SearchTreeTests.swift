import SatchelModel
import SatchelSearch
import TestSupport
import Testing

@Suite struct SearchTreeTests {
  /// What is typed, and how the pattern prints.
  @Test(arguments: [
    ("", ""), ("  ", ""), ("noon", "noon"), ("noon  place", "noon place"), ("noon AND place", "noon place"),
    ("noon OR \"usual place\" lunc*", "noon OR \"usual place\" lunc*"), ("(a OR b) c", "(a OR b) c"),
    ("a or b", "a or b"),
    ("-a", "-a"), ("NOT a b", "-a b"), ("--a", "a"), ("-(a b)", "-(a b)"), ("-NOT a", "a"), ("a - b", "a b"),
    ("e-mail", "e-mail"),
    ("*art*", "*art*"), ("*art", "*art"), ("**art**", "*art*"), ("a*b", "\"a*b\""), ("*", ""), ("a *", "a"),
    ("* a", "a"),
    ("\"usual place\"", "\"usual place\""), ("\"noon\"", "noon"), ("\"usual pla", "\"usual pla\""),
    ("\"usual pla\"*", "\"usual pla\"*"),
    ("*\"al place\"", "*\"al place\""), ("“usual place”", "\"usual place\""), ("„so“ nicht", "so nicht"),
    ("\"he said “hi” to\"", "\"he said “hi” to\""), ("“a\" b", "a b"), ("„a \\“b\\“ c“", "\"a “b“ c\""),
    ("\"\"", ""), ("\"", ""),
    ("\"a \\\"b\\\" \\\\ \\c\"", "\"a \\\"b\\\" \\\\ \\\\c\""), ("say \"hi\"there", "say hi there"),
    ("5\" disk", "5 \" disk\""),
    ("(a (b", "a b"), ("a) b)", "a b"), ("()", ""), ("a () b", "a b"), ("foo()", "foo"),
    ("f(x, y)", "f x, y"),
    ("OR", ""), ("a OR", "a"), ("OR a", "a"), ("a OR OR b", "a OR b"), ("AND a", "a"), ("a NOT", "a"),
    ("NOT OR a", "a"), ("-", ""),
    ("\"OR\"", "\"OR\""), ("(a OR b) OR c", "a OR b OR c"), ("a (b c)", "a b c"), ("((a))", "a"),
    ("a OR (b c)", "a OR b c"),
    ("title:noon", "title:noon"), ("title:(a b)", "title:(a b)"), ("title:\"a b\"*", "title:\"a b\"*"),
    ("title:*a*", "title:*a*"),
    ("title:title:a", "title:title:a"), ("-title:a", "-title:a"), ("title:-a", "title:\"-a\""),
    ("title:(-a)", "title:(-a)"),
    ("title: noon", "\"title:\" noon"), ("title:", "\"title:\""), ("(title:)", "\"title:\""),
    ("body:noon", "\"body:noon\""),
    ("http://title:a", "\"http://title:a\""), ("10:30", "\"10:30\""), ("\"two words\":a", "\"two words\":a"),
    ("\"three words\":a", "\"three words\" \":a\""),
    ("title:()", ""), ("😀", "😀"), ("東京 OR 大阪", "東京 OR 大阪"), ("a\u{3000}b", "a b"), ("Ma\u{301}", "Ma\u{301}"),
  ])
  func reads(_ text: String, _ printed: String) {
    let pattern = SearchTree(text, fields: .named(["title", "two words"]))
    #expect(pattern.description.unicodeScalars.elementsEqual(printed.unicodeScalars), "\(pattern)")
    #expect(SearchTree(pattern.description, fields: .any) == pattern)
  }

  /// What is wrong with a text that a program writes.
  @Test(arguments: [
    ("", 1, "the end", "a word"), ("a OR", 5, "the end", "a word"), ("OR a", 1, "OR", "a word before OR"),
    ("a OR OR b", 6, "OR", "a word before OR"),
    ("a AND", 6, "the end", "a word"), ("AND a", 1, "AND", "a word before AND"),
    ("a AND OR b", 7, "OR", "a word before OR"),
    ("(a", 3, "the end", "a word or )"), ("a)", 2, ")", "a word; no parenthesis is open"),
    ("()", 2, ")", "a word"), ("a -", 4, "the end", "a word directly behind -"),
    ("- a", 2, " ", "a word directly behind -"), ("NOT", 4, "the end", "a word behind NOT"),
    ("NOT )", 5, ")", "a word"),
    ("NOT OR", 5, "OR", "a word; one that is a keyword needs quotation marks"),
    ("\"ab", 1, "\"ab", "a closing quotation mark"),
    ("x \"\"", 3, "\"", "a word between quotation marks"), ("*", 2, "the end", "a word directly behind *"),
    ("a * b", 4, " ", "a word directly behind *"),
    ("a 😀 b", 3, "😀", "a word with a letter or a number; anything else stands between stars: *…*"),
    (
      "*\u{301}*", 1, "*\u{301}*",
      "something between the stars that is compared: nothing is left of marks alone"
    ),
    ("x pro*buf*", 6, "*buf*", "a star before or behind a word, none within: pro* *buf; or quotation marks"),
  ])
  func refuses(_ text: String, _ column: Int, _ found: String, _ expected: String) {
    let error = #expect(throws: SatchelError.self) { try SearchTree(strictly: text) }
    #expect(error?.code == .syntaxError)
    #expect(
      error?.context == ["column": String(column), "found": found, "expected": expected],
      "\(String(describing: error))")
  }

  @Test func limits() throws {
    let deep = String(repeating: "(", count: 200) + "a" + String(repeating: ")", count: 200)
    #expect(try SearchTree(strictly: deep) == .text("a"))
    #expect(throws: SatchelError.self) { try SearchTree(strictly: "(" + deep + ")") }
    #expect(SearchTree("(" + deep + ")") == .text("a"))
    #expect(SearchTree(String(repeating: "(", count: 16_000) + "a") == .text("a"))
    #expect(SearchTree(String(repeating: "-", count: 16_001) + "a") == .not(.text("a")))
    let fields = SearchTree(String(repeating: "x:", count: 8000) + "a", fields: .any)
    #expect(SearchTree(fields.description, fields: .any) == fields)
    let many = Array(repeating: "a", count: 1000).joined(separator: " ")
    #expect(try SearchTree(strictly: many).description == many)
    #expect(throws: SatchelError.self) { try SearchTree(strictly: many + " b") }
    #expect(SearchTree(many + " b").description == many)
    let long = String(repeating: "é", count: 8192)
    #expect(try SearchTree(strictly: long) == .text(long))
    let error = #expect(throws: SatchelError.self) { try SearchTree(strictly: long + "é") }
    #expect(error?.context["expected"] == "at most 16384 bytes of UTF-8")
    #expect(
      SearchTree(long + "é") == .text(long) && SearchTree("a" + long) == .text("a" + long.dropLast()))
  }

  @Test func printedPatternsParseBack() throws {
    var texts = RandomTexts(random: SeededGenerator())
    for _ in 0..<TestEnvironment.rounds(3000) {
      let pattern = texts.pattern(for: texts.text(upTo: 20))
      let printed = pattern.description
      let again = SearchTree(printed, fields: .any)
      #expect(again == pattern && again.description.utf8.elementsEqual(printed.utf8), "\(printed)")
    }
  }

  /// Whatever is typed is a pattern that prints and parses back; a text that is accepted strictly means the same as typed.
  @Test func anythingMayBeTyped() {
    var random = SeededGenerator()
    let pieces = [
      "a", "b c", "\"", "(", ")", "*", "-", " ", " OR ", "NOT ", "AND", "title:", ":", "\\", "東京", "😀",
      "\u{301}", "“",
    ]
    var accepted = 0
    for _ in 0..<TestEnvironment.rounds(5000) {
      let text = (0..<random.below(12)).map { _ in random.pick(pieces) }.joined()
      let pattern = SearchTree(text, fields: .named(["title"]))
      #expect(SearchTree(pattern.description, fields: .any) == pattern, "\(text)")
      if let strict = try? SearchTree(strictly: text, fields: .named(["title"])) {
        accepted += 1
        #expect(strict == pattern, "\(text)")
      }
    }
    #expect(accepted > 0)
  }
}
