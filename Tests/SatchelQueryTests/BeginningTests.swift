import SatchelModel
import SatchelQuery
import SatchelText
import Testing

/// What may stand where somebody is writing a predicate.
@Suite struct BeginningTests {
  static let beginnings:
    [(text: String, start: Int, word: PredicateBeginning.Word, place: PredicateBeginning.Place?)] = [
      ("", 0, .name("", behind: []), .comparison),
      ("isU", 0, .name("isU", behind: []), .comparison),
      ("lastMessage.se", 0, .name("se", behind: ["lastMessage"]), .comparison),
      ("lastMessage.sender.", 0, .name("", behind: ["lastMessage", "sender"]), .comparison),
      ("NOT (i", 5, .name("i", behind: []), .comparison),
      ("ANY parts.", 4, .name("", behind: ["parts"]), .comparison),
      ("ANY parts (mime", 11, .name("mime", behind: []), .comparison),
      ("ANY parts (size ", 16, .name("", behind: []), .operator(of: ["parts", "size"])),
      ("isUnread ", 9, .name("", behind: []), .operator(of: ["isUnread"])),
      ("parts.text BEG", 11, .name("BEG", behind: []), .operator(of: ["parts", "text"])),
      ("position NOT ", 13, .name("", behind: []), .in),
      ("position =", 10, .name("", behind: []), .operand(of: ["position"], .equal)),
      ("sender.userID != 'al", 17, .text("al", quote: "'"), .operand(of: ["sender", "userID"], .notEqual)),
      ("a = \"b\\\"c", 4, .text("b\"c", quote: "\""), .operand(of: ["a"], .equal)),
      ("a = 'b\\", 4, .text("", quote: "'"), .operand(of: ["a"], .equal)),
      ("a IN {'b', 'c", 11, .text("c", quote: "'"), .operand(of: ["a"], .in)),
      ("isUnread = T", 11, .name("T", behind: []), .operand(of: ["isUnread"], .equal)),
      ("isUnread = TRUE ", 16, .name("", behind: []), .conjunction),
      ("(isUnread = TRUE) A", 18, .name("A", behind: []), .conjunction),
      ("TRUEPREDICATE ", 14, .name("", behind: []), .conjunction),
      ("a = 1 AND ", 10, .name("", behind: []), .comparison),
      ("a = 1 AND b = 2 OR c.d", 19, .name("d", behind: ["c"]), .comparison),
      ("'bob' I", 6, .name("I", behind: []), .in),
      ("'bob' IN p", 9, .name("p", behind: []), .comparison),
      ("'bob' IN participants ", 22, .name("", behind: []), .conjunction),
      ("午 = 'é", 4, .text("é", quote: "'"), .operand(of: ["午"], .equal)),
      ("a = = b", 6, .name("b", behind: []), nil),
      (") isU", 2, .name("isU", behind: []), nil),
      ("a = 1 2 ", 8, .name("", behind: []), nil),
      ("list = REFERENCE('li", 17, .text("li", quote: "'"), .operand(of: ["list"], .equal)),
      ("list = REFERENCE('list', 'work') ", 33, .name("", behind: []), .conjunction),
      ("recipientStatus.'A", 16, .text("A", quote: "'"), .comparison),
    ]

  @Test func tellsWhatMayStandThere() {
    for (text, start, word, place) in Self.beginnings {
      let beginning = PredicateBeginning(text)
      #expect(beginning.start == start, "\(text)")
      #expect(beginning.word == word, "\(text)")
      #expect(beginning.place == place, "\(text)")
    }
  }

  /// The words that stand for values of a field of a record, whose type is known only from the value.
  @Test func wordsOfRecords() {
    #expect(PredicateBeginning("list = ").words(of: .records) == ["nil", "REFERENCE"])
    #expect(PredicateBeginning("list > ").words(of: .records) == [])
    #expect(PredicateBeginning("metadata.list = ").words(of: .messages) == ["nil"])
    #expect(PredicateBeginning("owner = ").words(of: .records) == [])
  }

  @Test func tellsWhichElementsConditionsAreWritten() {
    #expect(PredicateBeginning("ANY parts (size > 5 AND m").relation == ["parts"])
    #expect(PredicateBeginning("ANY parts (size > 5) AND m").relation == [])
    #expect(PredicateBeginning("NONE message.parts (").relation == ["message", "parts"])
  }

  /// No beginning of any of these texts is taken for more than it is, or traps.
  @Test func everyBeginningOfATextIsOne() throws {
    let texts = [
      "NOT (isUnread = TRUE AND sender.userID != 'ali\\'ce') OR ANY parts.mimeType BEGINSWITH[cd] \"image/\"",
      "participants = {'alice', 'bob'} AND metadata = {'a': {'b': 'c'}} AND sentAt > 2024-01-01T00:00:00Z",
      "NONE parts (mimeType = 'image/png' AND (size > 5 OR text = nil)) AND isUnread",
      "list != REFERENCE('list', 'it\\'s') AND REFERENCE('list', 'work') IN links",
      "'bob' IN participants || #'a b'.c NOT IN {1, -2.5e3} && !(x BETWEEN {1, 2})",
    ]
    for text in texts {
      _ = try QueryPredicate(format: text)
      for end in 0...text.unicodeScalars.count {
        let part = String(String.UnicodeScalarView(text.unicodeScalars.prefix(end)))
        let beginning = PredicateBeginning(part)
        #expect(beginning.start <= end)
        // What is before an unfinished word of a right text is never wrong, but for a sign or a number without its rest.
        if case .text = beginning.word { #expect(beginning.place != nil, "\(part)") }
      }
    }
  }

  @Test(arguments: ["", "a'b\"c\\", "\u{1B}[31m", "午後é", "\u{202E}\n\t"], ["'", "\""] as [Unicode.Scalar])
  func literalsAreReadBack(_ text: String, _ quote: Unicode.Scalar) throws {
    let literal = QueryPredicate.Constant.literal(text, quote: quote)
    #expect(!literal.unicodeScalars.contains { $0.isUnsafeToDisplay })
    #expect(try QueryPredicate(format: "a = \(literal)") == .comparison(.init(["a"], .equal, .text(text))))
  }
}
