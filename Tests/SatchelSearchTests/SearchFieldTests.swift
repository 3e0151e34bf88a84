import SatchelModel
import SatchelSearch
import TestSupport
import Testing

/// Names of fields in patterns: what is one, what is asked of which field, and what is left of a pattern for one.
@Suite struct SearchFieldTests {
  /// How conditions are written here: what names no field has a bare pattern.
  private func spelled(_ conditions: FieldConditions) -> String {
    switch conditions {
    case .words(let words, let field): (field.map { $0 + "~" } ?? "") + "'\(words)'"
    case .all(let parts): "(" + parts.map(spelled).joined(separator: " & ") + ")"
    case .any(let parts): "(" + parts.map(spelled).joined(separator: " | ") + ")"
    case .none(let part): "!" + spelled(part)
    }
  }

  @Test(arguments: [
    ("noon place", "'noon place'"), ("-noon", "'-noon'"), ("title:work", "title~'work'"),
    ("title:work AND milk", "('milk' & title~'work')"), ("a title:b c", "('a c' & title~'b')"),
    ("title:\"to do\" OR milk OR eggs", "('milk OR eggs' | title~'\"to do\"')"),
    ("title:a title:b", "(title~'a' & title~'b')"), ("title:(a b)", "title~'a b'"),
    ("title:(-a)", "title~'-a'"),
    ("-title:a", "!title~'a'"), ("-a title:b", "('-a' & title~'b')"),
    ("NOT (a title:b)", "!('a' & title~'b')"),
    ("--title:a", "title~'a'"), ("(a OR title:b) c", "('c' & ('a' | title~'b'))"),
    ("title:(a body:b OR c)", "(title~'c' | (title~'a' & body~'b'))"), ("title:body:a", "body~'a'"),
    ("title:(-(a body:b))", "!(title~'a' & body~'b')"), ("list.title:*a*", "list.title~'*a*'"),
    ("\"to do\":a*", "to do~'a*'"), ("\"12\":30 \"tel\":5", "(12~'30' & tel~'5')"),
    ("title:/a", "title~'/a'"),
  ])
  func dividesIntoFields(_ text: String, _ expected: String) throws {
    let tree = try SearchTree(strictly: text, fields: .any)
    #expect(spelled(tree.fieldConditions) == expected)
    #expect(try SearchTree(strictly: tree.description, fields: .any) == tree, "\(tree)")
  }

  /// The conditions together say what the whole pattern says of an object with one text of each field.
  @Test func theConditionsSayWhatTheWholeSays() throws {
    var texts = RandomTexts(random: SeededGenerator())
    var matching = 0
    for _ in 0..<TestEnvironment.rounds(3000) {
      var pieces: [String] = []
      for _ in 0...texts.random.below(5) {
        pieces.append(
          texts.random.pick(["", "", "-", "NOT "]) + texts.random.pick(["", "", "title:", "body:"])
            + texts.random.pick(["a", "b", "(a b)", "(a OR -b)", "\"a b\"", "*a*"]))
        pieces.append(texts.random.pick(["", "OR", "AND"]))
      }
      pieces.removeLast()
      let pattern = pieces.joined(separator: " ")
      var text: [String: String] = [:]
      for name in ["", "title", "body"] {
        text[name] = (0..<texts.random.below(4)).map { _ in texts.random.pick(["a", "b", "c"]) }
          .joined(separator: " ")
      }
      let tree = try SearchTree(strictly: pattern, fields: .any)
      let conditions = tree.fieldConditions
      #expect(holds(conditions, text) == holds(tree, text, in: ""), "\(pattern) of \(text)")
      if holds(conditions, text) { matching += 1 }
    }
    #expect(matching > 0)
  }

  private func holds(_ conditions: FieldConditions, _ text: [String: String]) -> Bool {
    switch conditions {
    case .words(let words, let field):
      var matcher = SearchMatcher(words)
      return matcher.matches(text[field ?? ""] ?? "")
    case .all(let parts): return parts.allSatisfy { holds($0, text) }
    case .any(let parts): return parts.contains { holds($0, text) }
    case .none(let part): return !holds(part, text)
    }
  }

  private func holds(_ tree: SearchTree, _ text: [String: String], in field: String) -> Bool {
    switch tree {
    case .words:
      var matcher = SearchMatcher(tree)
      return matcher.matches(text[field] ?? "")
    case .conjunction(let parts): return parts.allSatisfy { holds($0, text, in: field) }
    case .disjunction(let parts): return parts.contains { holds($0, text, in: field) }
    case .negation(let part): return !holds(part, text, in: field)
    case .inField(let name, let part): return holds(part, text, in: name)
    }
  }

  @Test func whatIsLookedForInOneField() throws {
    let pattern = try SearchPattern("title:(work OR -play) milk -title:late -eggs list.title:home")
    #expect(pattern.fields == ["title", "list.title"])
    #expect(pattern.inField(nil).description == "milk -eggs")
    #expect(pattern.inField("title").description == "(work OR -play) -late")
    #expect(pattern.inField("list.title").description == "home")
    #expect(pattern.inField("nothing").isEmpty)
    let (title, text) = ("Homework: work, late", "Milk and work")
    #expect(pattern.inField("title").highlights(in: title).map { title[$0] } == ["work"])
    // What is looked for elsewhere is not marked.
    #expect(pattern.highlights(in: text).map { text[$0] } == ["Milk"])
    #expect(pattern.snippet(of: text).highlights.map { text[$0] } == ["Milk"])
    #expect(!pattern.matches(text) && pattern.inField(nil).matches(text))
  }

  /// A minus behind the colon would be part of the word.
  @Test func aMinusStandsBeforeTheName() throws {
    let error = #expect(throws: SatchelError.self) { try SearchPattern("milk title:-work") }
    #expect(error?.code == .syntaxError && error?.context["column"] == "12", "\(String(describing: error))")
    #expect(try SearchPattern("milk -title:work") != SearchPattern("milk title:(-work)"))
  }

  /// Of what is typed, only the names that are given are fields.
  @Test func whatIsTyped() throws {
    let typed = SearchPattern(typed: "title:(work note:this", fields: ["title"])
    #expect(typed.description == "title:(work \"note:this\")" && typed.fields == ["title"])
    #expect(try SearchPattern(typed.description) == typed)
    #expect(SearchPattern(typed: "title:work").fields.isEmpty)
  }
}
