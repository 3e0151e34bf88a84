extension WrongText {
  static let all = logic + literals + spellings

  private static let operators =
    "an operator: =, !=, <, <=, >, >=, IN, NOT IN, BETWEEN, LIKE, BEGINSWITH, ENDSWITH, CONTAINS, AUTOCOMPLETE, MATCHES-TEXT or RELATED"
  private static let reference = "( behind REFERENCE; a property of this name is written #reference"
  private static let beginning = "a property, a value, NOT, (, TRUEPREDICATE or FALSEPREDICATE"

  /// Conditions that are not joined, not finished or not balanced.
  private static let logic: [WrongText] = [
    WrongText("", 1, found: "the end", expected: beginning),
    WrongText("   ", 4, found: "the end", expected: beginning),
    WrongText("isUnread =", 11, found: "the end", expected: "a value or a property"),
    WrongText("= TRUE", 1, found: "=", expected: beginning),
    WrongText("isUnread == == TRUE", 13, found: "==", expected: "a value or a property"),
    WrongText("isUnread === TRUE", 12, found: "=", expected: "a value or a property"),
    WrongText("isUnread = TRUE AND", 20, found: "the end", expected: beginning),
    WrongText("AND isUnread", 1, found: "AND", expected: beginning),
    WrongText("isUnread AND AND isSent", 14, found: "AND", expected: beginning),
    WrongText("isUnread isSent", 10, found: "isSent", expected: "AND, OR or " + operators),
    WrongText("isUnread, isSent", 9, found: ",", expected: "AND, OR or " + operators),
    WrongText("isUnread = TRUE sentAt > 5", 17, found: "sentAt", expected: "AND, OR or the end"),
    WrongText("isUnread & isSent", 10, found: "&", expected: "a name, a value, an operator or a parenthesis"),
    WrongText("isUnread XOR isSent", 10, found: "XOR", expected: "AND, OR or " + operators),
    WrongText("NOT", 4, found: "the end", expected: beginning),
    WrongText("(isUnread", 10, found: "the end", expected: "AND, OR or )"),
    WrongText("isUnread)", 9, found: ")", expected: "AND, OR or the end"),
    WrongText("((isUnread)", 12, found: "the end", expected: "AND, OR or )"),
    WrongText("()", 2, found: ")", expected: beginning),
    WrongText(
      "(isUnread = TRUE AND (position > 5 OR isSent)", 46, found: "the end", expected: "AND, OR or )"),
  ]

  /// Values that are written in another way, and paths.
  private static let literals: [WrongText] = [
    WrongText(
      "sender.userID = alice@example.org", 22, found: "@",
      expected: "a name, a value, an operator or a parenthesis; a text needs quotes"),
    WrongText(
      "parts.text = Hello there", 20, found: "there", expected: "AND, OR or the end; a text needs quotes"),
    WrongText(
      "sender.userID IN {alice, bob}", 19, found: "alice", expected: "a single value; a text needs quotes"),
    WrongText(
      "parts.mimeType = image/png", 23, found: "/",
      expected: "a name, a value, an operator or a parenthesis; a text needs quotes"),
    WrongText(
      "sentAt > 2026-01-31", 10, found: "2026-01-31",
      expected: "a date that exists, such as 2026-01-31T09:30:00Z"),
    WrongText(
      "sentAt > 2026-02-30T00:00:00Z", 10, found: "2026-02-30T00:00:00Z",
      expected: "a date that exists, such as 2026-01-31T09:30:00Z"),
    WrongText(
      "sentAt > 2026-01-31T09:30:00", 10, found: "2026-01-31T09:30:00",
      expected: "a date that exists, such as 2026-01-31T09:30:00Z"),
    WrongText("sentAt > now()", 13, found: "(", expected: "AND, OR or the end; a text needs quotes"),
    WrongText("position IN (1, 2)", 13, found: "(", expected: "values in braces: {1, 5}"),
    WrongText("position IN [1, 2]", 13, found: "[", expected: "values in braces: {1, 5}"),
    WrongText("position NOT IN (1, 2)", 17, found: "(", expected: "values in braces: {1, 5}"),
    WrongText("position BETWEEN (1, 5)", 18, found: "(", expected: "values in braces: {1, 5}"),
    WrongText("position BETWEEN 1 AND 5", 18, found: "1", expected: "values in braces: {1, 5}"),
    WrongText("isSent AND (position BETWEEN 1 AND 5)", 30, found: "1", expected: "values in braces: {1, 5}"),
    WrongText(
      "position IN {position}", 14, found: "position", expected: "a single value; a text needs quotes"),
    WrongText("parts.size > 100 KB", 18, found: "KB", expected: "AND, OR or the end"),
    WrongText(
      "metadata = {'a': nil}", 18, found: "nil",
      expected: "a text, a number, a date, a Boolean, a reference, a list of texts or a dictionary"),
    WrongText("metadata = {a: 'b'}", 13, found: "a", expected: "a single value; a text needs quotes"),
    WrongText("metadata = {'a': {1, 2}}", 19, found: "1", expected: "a quoted key, a quoted text or }"),
    WrongText("metadata = {'a': 1, 'a': 2}", 24, found: ":", expected: "each key once"),
    WrongText(
      "metadata.tags[0] = 'x'", 14, found: "[",
      expected:
        "an operator; the keys of a path are joined by dots, one that is no name has quotes: metadata.'two words'"
    ),
    WrongText(
      "metadata['title'] = 'x'", 9, found: "[",
      expected:
        "an operator; the keys of a path are joined by dots, one that is no name has quotes: metadata.'two words'"
    ),
    WrongText(
      "metadata.tags.@count > 2", 15, found: "@", expected: "a name, a value, an operator or a parenthesis"),
    WrongText("metadata.a b = 1", 12, found: "b", expected: "AND, OR or " + operators),
    WrongText("metadata..a = 1", 10, found: ".", expected: "a name"),
    WrongText("metadata. = 1", 11, found: "=", expected: "a name"),
    WrongText(
      "receivedAt - sentAt > 60", 12, found: "-",
      expected: "digits behind the sign: the language does not calculate"),
    WrongText(
      "position + 1 = 5", 10, found: "+", expected: "digits behind the sign: the language does not calculate"),
    WrongText("parts.text = 'noon", 19, found: "the end", expected: "a closing quotation mark"),
    WrongText("parts.text = 'it's'", 18, found: "s", expected: "AND, OR or the end"),
    WrongText(
      "parts.text = 'a\\q'", 16, found: "\\q", expected: "one of the escapes \\\" \\' \\\\ \\n \\r \\t \\u{…}"
    ),
    WrongText(
      "parts.text = \u{201C}noon\u{201D}", 14, found: "\u{201C}",
      expected: "a straight quotation mark: ' or \""),
    WrongText("parts.text = `noon`", 14, found: "`", expected: "a straight quotation mark: ' or \""),
  ]

  /// Operators, options and functions of other languages, and what stands in the wrong place.
  private static let spellings: [WrongText] = [
    WrongText("parts.text LIKE[x] 'a'", 17, found: "x", expected: "c, d or cd"),
    WrongText("parts.text LIKE[cd 'a'", 20, found: "'a'", expected: "]"),
    WrongText("parts.text LIKE[] 'a'", 17, found: "]", expected: "c, d or cd"),
    WrongText(
      "parts.text =[c] 'a'", 13, found: "[",
      expected: "a value: only LIKE, BEGINSWITH, ENDSWITH, CONTAINS and AUTOCOMPLETE take options"),
    WrongText("parts.text CONTAINS(c) 'a'", 20, found: "(", expected: "a value or a property"),
    WrongText(
      "parts.text MATCHES '^a'", 12, found: "MATCHES",
      expected:
        "an operator: regular expressions have no bound on their time, use LIKE, BEGINSWITH, ENDSWITH, CONTAINS, AUTOCOMPLETE or MATCHES-TEXT"
    ),
    WrongText("parts.text STARTSWITH 'a'", 12, found: "STARTSWITH", expected: "AND, OR or " + operators),
    WrongText(
      "parts.text NOT LIKE 'a'", 16, found: "LIKE",
      expected: "IN; with another operator NOT stands before the property"),
    WrongText(
      "position NOT BETWEEN {1, 5}", 14, found: "BETWEEN",
      expected: "IN; with another operator NOT stands before the property"),
    WrongText(
      "position IS NULL", 10, found: "IS",
      expected: "an operator; a value that is missing is = nil, one that is not missing is != nil"),
    WrongText("position 5", 10, found: "5", expected: "AND, OR or " + operators),
    WrongText("position ~ 5", 10, found: "~", expected: "a name, a value, an operator or a parenthesis"),
    WrongText("position = 5x", 12, found: "5x", expected: "a number"),
    WrongText("position = 1,000", 13, found: ",", expected: "AND, OR or the end"),
    WrongText("position = .5", 12, found: ".", expected: "a value or a property"),
    WrongText("position = 5;", 13, found: ";", expected: "a name, a value, an operator or a parenthesis"),
    WrongText("position = ?", 12, found: "?", expected: "a name, a value, an operator or a parenthesis"),
    WrongText("position = %d", 12, found: "%", expected: "%@ or %K"),
    WrongText("position = %@", 12, found: "%@", expected: "an argument for each %@"),
    WrongText("%K = 5", 1, found: "%K", expected: "an argument for each %K"),
    WrongText(
      "5 = position", 3, found: "=", expected: "IN; with another operator the property stands on the left"),
    WrongText(
      "nil = position", 5, found: "=", expected: "IN; with another operator the property stands on the left"),
    WrongText(
      "'bob'", 6, found: "the end", expected: "IN; with another operator the property stands on the left"),
    WrongText(
      "TRUE", 5, found: "the end", expected: "IN; with another operator the property stands on the left"),
    WrongText("'x' IN 5", 8, found: "5", expected: "a property"),
    WrongText("'x' IN", 7, found: "the end", expected: "a property"),
    WrongText("sender.userID IN {'a' 'b'}", 23, found: "'b'", expected: ", or }"),
    WrongText("sender.userID IN {'a',}", 23, found: "}", expected: "a single value"),
    WrongText("sender.userID IN {'a'", 22, found: "the end", expected: ", or }"),
    WrongText("sender.userID IN {'a', {'b'}}", 24, found: "{", expected: "a single value"),
    WrongText("TRUEPREDICATE = TRUE", 15, found: "=", expected: "AND, OR or the end"),
    WrongText(
      "CAST(sentAt, 'NSDate') > 5", 5, found: "(",
      expected:
        "an operator; there are no functions, and conditions in parentheses need ANY, ALL or NONE before their path"
    ),
    WrongText(
      "SUBQUERY(parts, $p, $p.size > 5).@count > 0", 9, found: "(",
      expected:
        "an operator; there are no functions, and conditions in parentheses need ANY, ALL or NONE before their path"
    ),
    WrongText(
      "parts (size > 5)", 7, found: "(",
      expected:
        "an operator; there are no functions, and conditions in parentheses need ANY, ALL or NONE before their path"
    ),
    WrongText("ANY (parts.size > 5)", 5, found: "(", expected: "a property or a value"),
    WrongText("ANY parts ()", 12, found: ")", expected: beginning),
    WrongText("ANY parts (size > 5", 20, found: "the end", expected: "AND, OR or )"),
    WrongText("ANY parts", 10, found: "the end", expected: operators),
    WrongText("ANY parts.size", 15, found: "the end", expected: operators),
    WrongText("ANY isUnread", 13, found: "the end", expected: operators),
    WrongText("ANY ANY parts.size > 5", 5, found: "ANY", expected: "a property or a value"),
    WrongText("list = REFERENCE", 17, found: "the end", expected: reference),
    WrongText("list = REFERENCE 'list'", 18, found: "'list'", expected: reference),
    WrongText("reference = 1", 11, found: "=", expected: reference),
    WrongText("list = REFERENCE()", 18, found: ")", expected: "a quoted text: REFERENCE('list', 'work')"),
    WrongText(
      "list = REFERENCE('list')", 24, found: ")",
      expected: ", and an identifier: REFERENCE('list', 'work')"),
    WrongText(
      "list = REFERENCE(list, 'work')", 18, found: "list",
      expected: "a quoted text: REFERENCE('list', 'work')"),
    WrongText(
      "list IN {REFERENCE('list', 5)}", 28, found: "5", expected: "a quoted text: REFERENCE('list', 'work')"),
    WrongText("list = REFERENCE('list', 'work'", 32, found: "the end", expected: ")"),
    WrongText("list = REFERENCE('list', 'work', 'x')", 32, found: ",", expected: ")"),
    WrongText(
      "REFERENCE('list', 'work')", 26, found: "the end",
      expected: "IN; with another operator the property stands on the left"),
    WrongText("SOME parts.size > 5", 6, found: "parts", expected: "AND, OR or " + operators),
  ]
}
