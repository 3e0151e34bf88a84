import SatchelModel
import SatchelQuery
import Testing

@Suite struct ParserTests {
  /// Texts and the canonical spelling of what they parse to.
  @Test(arguments: [
    ("isUnread", "isUnread = TRUE"),
    ("not isUnread and ! isSent", "NOT isUnread = TRUE AND NOT isSent = TRUE"),
    ("isUnread == YES || position=<5&&position => -3", "isUnread = TRUE OR position <= 5 AND position >= -3"),
    ("(a = 1 OR b <> 2) AND c != nil", "(a = 1 OR b != 2) AND c != nil"),
    ("((((a = NULL))))", "a = nil"),
    ("NOT (a = 1 AND b = 2)", "NOT (a = 1 AND b = 2)"),
    ("a = 1 AND (b = 2 AND c = 3)", "a = 1 AND (b = 2 AND c = 3)"),
    ("TRUEPREDICATE or FalsePredicate", "TRUEPREDICATE OR FALSEPREDICATE"),
    ("any parts.mimeType beginswith[dc] \"image/\"", "ANY parts.mimeType BEGINSWITH[cd] 'image/'"),
    ("NONE parts.size between {1, 2.5}", "NONE parts.size BETWEEN {1, 2.5}"),
    ("'bob' IN participants", "'bob' IN participants"),
    ("{'bob','eve'} IN participants", "{'bob', 'eve'} IN participants"),
    ("participants not in { }", "participants NOT IN { }"),
    ("a IN b", "a IN b"),
    ("a.b.c = d.e", "a.b.c = d.e"),
    ("metadata.in = 'x' AND metadata.5.and LIKE '%'", "metadata.in = 'x' AND metadata.5.and LIKE '%'"),
    ("recipientStatus.'Alex Crichton' = 'read'", "recipientStatus.'Alex Crichton' = 'read'"),
    ("recipientStatus.\"a.b\" = 'read'", "recipientStatus.'a.b' = 'read'"),
    ("metadata.\"in\".'and' = 1", "metadata.in.and = 1"),
    ("metadata.readAt.'alice@example.org' != nil", "metadata.readAt.'alice@example.org' != nil"),
    ("metadata.'a.b'.'-x'.1 = 1", "metadata.'a.b'.'-x'.1 = 1"),
    (#"metadata.'\\'."it's".'"'.'\u{1F600}' IN {1}"#, #"metadata.'\\'.'it\'s'.'"'.'😀' IN {1}"#),
    ("metadata.größe.'caf\u{E9}'.'cafe\u{301}' = ''", "metadata.'größe'.'caf\u{E9}'.'cafe\u{301}' = ''"),
    ("5 IN metadata.'two words'.'NULL'", "5 IN metadata.'two words'.NULL"),
    ("metadata.''.'\u{1}' = 1", "metadata.''.'\\u{1}' = 1"),
    ("#in = 5 AND #'a b'.c = 1 AND #12 = 3", "#in = 5 AND #'a b'.c = 1 AND #12 = 3"),
    ("metadata = {'a': 'b', 'c': {'d': {}}}", "metadata = {'a': 'b', 'c': {'d': { }}}"),
    ("a = 'it\\'s' AND b = \"\\\"\\\\\\n\\r\\t\\u{1F600}\"", "a = 'it\\'s' AND b = '\"\\\\\\n\\r\\t😀'"),
    ("a = 'two\nlines'", "a = 'two\\nlines'"),
    ("a = 12345678901234567890", "a = 1.2345678901234567e+19"),
    (
      "a = -9223372036854775808 AND b = 1e999 AND c = -1E999",
      "a = -9223372036854775808 AND b = 1e999 AND c = -1e999"
    ),
    ("a = nan", "a = NAN"),
    ("a > 2026-01-31T09:30:00.250+01:00", "a > 2026-01-31T08:30:00.25Z"),
    ("a MATCHES-TEXT 'x'", "a MATCHES-TEXT 'x'"),
    ("all a.b autocomplete[dc] \"x y\"", "ALL a.b AUTOCOMPLETE 'x y'"),
    ("metadata.autocomplete AUTOCOMPLETE ''", "metadata.autocomplete AUTOCOMPLETE ''"),
    ("owner related 'following'", "owner RELATED 'following'"),
    ("related Related {'friend','mutual', \"c\"}", "related RELATED {'friend', 'mutual', 'c'}"),
    ("#autocomplete = 1", "#autocomplete = 1"),
    ("NOTE = 1 AND orbit = 2 AND a-b = 3", "NOTE = 1 AND orbit = 2 AND a-b = 3"),
    ("größe = 1", "#'größe' = 1"),
    ("list == reference(\"list\",'work')", "list = REFERENCE('list', 'work')"),
    (
      "list not in {REFERENCE('list', 'it\\'s'), Reference ( '' , '' )}",
      "list NOT IN {REFERENCE('list', 'it\\'s'), REFERENCE('', '')}"
    ),
    ("REFERENCE('list', 'work') IN links.list", "REFERENCE('list', 'work') IN links.list"),
    ("a = {'k': REFERENCE('b', 'c'), 'l': {'m': 1}}", "a = {'k': REFERENCE('b', 'c'), 'l': {'m': 1}}"),
    ("#reference = 1 AND a.reference = 2", "#reference = 1 AND a.reference = 2"),
  ])
  func parses(_ text: String, _ canonical: String) throws {
    let predicate = try QueryPredicate(format: text)
    #expect(predicate.description.utf8.elementsEqual(canonical.utf8), "\(predicate)")
    #expect(try QueryPredicate(format: canonical) == predicate)
  }

  /// The hint about a text without quotes comes only where one may have been meant.
  @Test(arguments: ["(a = b) c", "a = 'b' c", "a = b AND c d", "(a = b", "a = b)", "a IN {1, {2}}"])
  func doesNotTakeEverythingForAText(_ text: String) throws {
    let error = try #require(throws: SatchelError.self) { try QueryPredicate(format: text) }
    #expect(error.context["expected"]?.contains("quotes") == false, "\(error)")
  }

  /// Wrong texts, the column of the error, and words of what could stand there.
  @Test(arguments: [
    ("", 1, "a property"),
    ("   ", 4, "a property"),
    ("position =", 11, "a value"),
    ("position = ", 12, "a value"),
    ("position = 5 5", 14, "AND, OR or the end"),
    ("metadata..a = 1", 10, "a name"),
    ("metadata. = 1", 11, "a name"),
    ("metadata.'a", 12, "a closing quotation mark"),
    ("metadata.'a\\' = 1", 18, "a closing quotation mark"),
    ("metadata.'a\\q' = 1", 12, "one of the escapes"),
    ("metadata.'a''b' = 1", 13, "an operator"),
    ("metadata.'a'b = 1", 13, "an operator"),
    ("metadata.a@b.c = 1", 11, "a name, a value"),
    ("metadata.a b = 1", 12, "an operator"),
    ("metadata.-a = 1", 10, "digits"),
    ("metadata.{'a'} = 1", 10, "a name"),
    ("metadata.'\\u{110000}' = 1", 11, "one of the escapes"),
    ("position 5", 10, "an operator"),
    ("position foo 5", 10, "an operator"),
    ("(position = 5", 14, "AND, OR or )"),
    ("position = 5)", 13, "AND, OR or the end"),
    ("position NOT 5", 14, "IN"),
    ("text = Hello there", 14, "AND, OR or the end; a text needs quotes"),
    ("(text = Hello there)", 15, "AND, OR or ); a text needs quotes"),
    ("text LIKE Hello%", 16, "%@ or %K; a text needs quotes"),
    ("text IN {'a', Hello}", 15, "a single value; a text needs quotes"),
    ("position = 5 AND", 17, "a property"),
    ("AND position = 5", 1, "a property"),
    ("5 = position", 3, "IN"),
    ("'a' IN 5", 8, "a property"),
    ("a = 'open", 10, "a closing quotation mark"),
    ("a = 'b\\x'", 7, "one of the escapes"),
    ("a = '\\u{110000}'", 6, "one of the escapes"),
    ("a = '\\u{D800}'", 6, "one of the escapes"),
    ("a = '\\", 6, "one of the escapes"),
    ("a =[c] 'x'", 4, "only LIKE"),
    ("a LIKE[x] 'x'", 8, "c, d or cd"),
    ("a AUTOCOMPLETE[x] 'x'", 16, "c, d or cd"),
    ("a AUTOCOMPLETE", 15, "a value"),
    ("autocomplete = 1", 1, "a property"),
    ("a LIKE[c 'x'", 10, "]"),
    ("a LIKE[] 'x'", 8, "c, d or cd"),
    ("a..b = 1", 3, "a name"),
    ("a.-b = 1", 3, "digits"),
    ("a. = 1", 4, "a name"),
    ("a = {1, {2}}", 9, "a single value"),
    ("a = {1,}", 8, "a single value"),
    ("a = {1 2}", 8, ", or }"),
    (
      "a = {'k': nil}", 11,
      "a text, a number, a date, a Boolean, a reference, a list of texts or a dictionary"
    ),
    ("a = {'k': 'v', 'k': 'w'}", 19, "each key once"),
    ("a = 5x", 5, "a number"),
    ("a = 2026-02-30T00:00:00Z", 5, "a date that exists, such as 2026-01-31T09:30:00Z"),
    ("a = 2026-13-01", 5, "a date that exists, such as 2026-01-31T09:30:00Z"),
    ("a = -", 5, "digits"),
    ("a ~ 5", 3, "a name, a value"),
    ("é = 'é' AND $", 13, "a name, a value"),
    ("e\u{301} = 5", 2, "a name, a value"),
    ("a = %x", 5, "%@ or %K"),
    ("a = %@", 5, "an argument"),
    ("%K = 1", 1, "an argument"),
    ("ANY isUnread", 13, "an operator"),
    ("a & b", 3, "a name, a value"),
  ])
  func refuses(_ text: String, column: Int, expected: String) throws {
    let error = try #require(throws: SatchelError.self) { try QueryPredicate(format: text) }
    #expect(error.code == .syntaxError)
    #expect(error.context["column"] == String(column), "\(error)")
    #expect(error.context["expected"]?.contains(expected) == true, "\(error)")
    #expect(error.context["found"] != nil)
  }

  @Test func combiningMarkAfterQuotationMark() throws {
    let predicate = try QueryPredicate(format: "a = '\u{301}' AND b = 'x'\u{20}")
    #expect(predicate.description == "a = '\u{301}' AND b = 'x'")
    let error = try #require(throws: SatchelError.self) { try QueryPredicate(format: "a = 'x'\u{301}") }
    #expect(error.context["column"] == "8")
  }

  @Test func arguments() throws {
    let missing: String? = nil
    let id = Message.ID("m'1")
    let predicate = try QueryPredicate(
      format:
        "%K = %@ AND b IN %@ AND c = %@ AND d = %@ AND e = %@ AND f IN {%@, %@} AND metadata.%K = %@ AND g = %@",
      "a.b", 5, Set([3, 1, 2]), true, missing, id, 2.5, UInt64.max, ["x", "y z"], "50%",
      Timestamp(microseconds: 1))
    #expect(
      predicate.description
        == "a.b = 5 AND b IN {1, 2, 3} AND c = TRUE AND d = nil AND e = 'm\\'1' AND f IN {2.5, 1.8446744073709552e+19} "
        + "AND metadata.x.'y z' = '50%' AND g = 1970-01-01T00:00:00.000001Z")
    #expect(try QueryPredicate(format: "a = %@", ["k": "v"]).description == "a = {'k': 'v'}")
    #expect(try QueryPredicate(format: "a = %@", RecipientStatus.read).description == "a = 'read'")
    #expect(try QueryPredicate(format: "a = {'k': %@}", "v").description == "a = {'k': 'v'}")
    #expect(try QueryPredicate(format: "%@ IN a", "v").description == "'v' IN a")
    let work = Reference(type: "list", name: "work")
    #expect(
      try QueryPredicate(format: "a = %@ AND b IN %@ AND c IN {%@, %@}", work, [work], work, Reference(id))
        .description
        == "a = REFERENCE('list', 'work') AND b IN {REFERENCE('list', 'work')} "
        + "AND c IN {REFERENCE('list', 'work'), REFERENCE('messages', 'm\\'1')}")
    #expect(
      try QueryPredicate(
        format: "a IN %@ AND b = %@", Set([work, Reference(id)]), MetadataValue.reference(work)
      )
      .description
        == "a IN {REFERENCE('list', 'work'), REFERENCE('messages', 'm\\'1')} AND b = REFERENCE('list', 'work')"
    )
    #expect(
      try QueryPredicate(format: "a = REFERENCE('messages', %@) AND b = {'k': %@}", id, work).description
        == "a = REFERENCE('messages', 'm\\'1') AND b = {'k': REFERENCE('list', 'work')}")
  }

  @Test func wrongArguments() throws {
    struct Other: Sendable {}
    for (format, argument) in [("a = %@", Other()), ("%K = 1", 5), ("a IN %@", [[1]])]
      as [(String, any Sendable)]
    {
      let error = try #require(throws: SatchelError.self) { try QueryPredicate(format: format, argument) }
      #expect(error.code == .invalidValue)
    }
    let error = try #require(throws: SatchelError.self) { try QueryPredicate(format: "a = 1", 5) }
    #expect(error.code == .syntaxError)
    #expect(error.context["column"] == "6")
  }

  @Test func sortKeys() throws {
    #expect(
      try SortKey.keys(" lastMessage.receivedAt , -sentAt,metadata.'a,b' ")
        == [
          SortKey(["lastMessage", "receivedAt"]), SortKey(["sentAt"], descending: true),
          SortKey(["metadata", "a,b"]),
        ])
    #expect(try SortKey("-position") == SortKey(["position"], descending: true))
    #expect(SortKey(["metadata", "a,b"], descending: true).description == "-metadata.'a,b'")
    for text in ["", "-", "a,,b", "a b", "--a", "5", "a,"] {
      let error = try #require(throws: SatchelError.self) { try SortKey.keys(text) }
      #expect(error.code == .syntaxError)
    }
  }
}
