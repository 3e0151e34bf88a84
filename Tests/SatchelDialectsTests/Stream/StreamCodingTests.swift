import Foundation
import SatchelDialects
import SatchelModel
import SatchelQuery
import TestSupport
import Testing

/// Filters in Stream's JSON, both ways, and JSON that is none.
@Suite struct StreamCodingTests {
  private typealias Channels = Filter<ChannelListFilterScope>

  private static func decode(_ json: String) throws -> Channels {
    try JSONDecoder().decode(Channels.self, from: Data(json.utf8))
  }

  private static func encode(_ filter: Channels) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(filter), as: UTF8.self)
  }

  @Test func encodedAsStreamDoes() throws {
    let cases: [(Channels, String)] = [
      (.in(.members, values: ["bob"]), #"{"members":{"$in":["bob"]}}"#),
      (.equal(.type, to: .messaging), #"{"type":{"$eq":"messaging"}}"#),
      (
        .and([.greater("priority", than: 5), .nor([.exists(.team), .equal(.frozen, to: true)])]),
        #"{"$and":[{"priority":{"$gt":5}},{"$nor":[{"team":{"$exists":true}},{"frozen":{"$eq":true}}]}]}"#
      ),
      (.equal(.team, to: nil), #"{"team":{"$eq":null}}"#),
      (
        .greater(.lastMessageAt, than: Date(timeIntervalSince1970: 0)),
        #"{"last_message_at":{"$gt":"1970-01-01T00:00:00Z"}}"#
      ),
      (.autocomplete(.memberName, text: "li"), #"{"member.user.name":{"$autocomplete":"li"}}"#),
      (.or([]), #"{"$or":[]}"#),
    ]
    for (filter, json) in cases {
      #expect(try Self.encode(filter) == json)
      #expect(try Self.encode(Self.decode(json)) == json)
    }
  }

  /// What the service takes besides, and of which the SDK reads the first key alone.
  @Test func shortForms() throws {
    let cases = [
      (
        #"{"type": "messaging", "members": {"$in": ["bob"]}}"#,
        "participants IN {'bob'} AND metadata.type = 'messaging'"
      ),
      (#"{"member_count": {"$gt": 2, "$lte": 9}}"#, "participantCount > 2 AND participantCount <= 9"),
      (#"{"priority": 5}"#, "metadata.priority = 5"), (#"{"a.b": null}"#, "metadata.a.b = nil"),
      (#"{"filter_tags": ["a", "b"]}"#, "metadata.filter_tags = 'a' AND metadata.filter_tags = 'b'"),
      (#"{}"#, "TRUEPREDICATE"),
      (#"{"$and": [], "$or": [{"name": "x"}]}"#, "TRUEPREDICATE AND metadata.name = 'x'"),
      (#"{"k": 12345678901234567890}"#, "metadata.k = 12345678901234567000.0"),
      (
        #"{"k": {"$in": [1, 2.5, true, "x", null]}}"#,
        "metadata.k = 'x' OR metadata.k IN {1, 2.5} OR metadata.k = TRUE OR metadata.k = nil"
      ),
      (#"{"created_at": {"$lt": "2024-02-01T13:00:00+01:00"}}"#, "createdAt < 2024-02-01T12:00:00Z"),
    ]
    for (json, text) in cases {
      let predicate = try Self.decode(json).predicate()
      #expect(try predicate == QueryPredicate(format: text), "\(json): \(predicate)")
    }
  }

  /// JSON that is no filter says where, what was found and what could stand there.
  @Test(arguments: [
    ("5", "the whole text", "an object"), (#""x""#, "the whole text", "an object"),
    ("null", "the whole text", "an object"), (#"[{"name": "x"}]"#, "the whole text", "an object"),
    (#"{"$not": {"name": "x"}}"#, "$not", "$and $or $nor"), (#"{"$in": ["x"]}"#, "$in", "$and $or $nor"),
    (#"{"$and": {"name": "x"}}"#, "$and", "a list of filters"),
    (#"{"$and": 5}"#, "$and", "a list of filters"),
    (#"{"$and": [{"name": "x"}, 5]}"#, "$and[1]", "an object"), (#"{"$or": [[]]}"#, "$or[0]", "an object"),
    (#"{"name": {}}"#, "name", "$eq $ne"), (#"{"name": {"$regex": "a"}}"#, "name", "$eq $ne"),
    (#"{"name": {"$and": []}}"#, "name", "$eq $ne"), (#"{"name": {"x": 1}}"#, "name", "$eq $ne"),
    (#"{"name": {"$eq": {"a": 1}}}"#, "name.$eq", "a text, a number"),
    (#"{"name": {"$in": [["a"]]}}"#, "name.$in[0]", "a text, a number"),
    (#"{"name": {"$in": [{}]}}"#, "name.$in[0]", "a text, a number"),
    (#"{"k": {"$eq": 1e999}}"#, "k.$eq", "a text, a number"),
  ]) func wrongJSONSaysWhere(_ json: String, _ path: String, _ expected: String) throws {
    let error = #expect(throws: SatchelError.self) { try Self.decode(json) }
    #expect(error?.code == .syntaxError && error?.context["path"] == path, "\(error?.context ?? [:])")
    #expect(error?.context["expected"]?.contains(expected) == true, "\(error?.context ?? [:])")
  }

  /// None of this traps, however large it is.
  @Test func hostileJSON() throws {
    func nested(_ levels: Int, _ open: String, _ inner: String, _ close: String) -> String {
      String(repeating: open, count: levels) + inner + String(repeating: close, count: levels)
    }
    for levels in [150, 201, 250, 400, 10_000] {
      let groups = nested(levels, #"{"$and":["#, #"{"name":"x"}"#, "]}")
      let list = #"{"k":"# + nested(levels, "[", "1", "]") + "}"
      let object = nested(levels, #"{"k":"#, "1", "}")
      if levels <= QueryPredicate.maximumDepth {
        #expect(throws: Never.self) { try Self.decode(groups).predicate() }
      } else {
        #expect(throws: (any Error).self) { try Self.decode(groups) }
      }
      #expect(throws: (any Error).self) { try Self.decode(list) }
      #expect(throws: (any Error).self) { try Self.decode(object) }
    }
    let values = (0..<200_000).map { #""user\#($0)""# }.joined(separator: ",")
    guard
      case .comparison(let comparison) = try Self.decode(#"{"members":{"$in":[\#(values)]}}"#).predicate()
        .form,
      case .list(let list) = comparison.operand
    else {
      Issue.record("no comparison with a list")
      return
    }
    #expect(list.count == 200_000)
    let wide = try Self.decode(
      #"{"$or":["# + Array(repeating: #"{"k":1}"#, count: 20_000).joined(separator: ",") + "]}")
    #expect(#expect(throws: SatchelError.self) { try wide.predicate() }?.code == .unsupportedPredicate)
  }

  /// Random filters mean the same after a way through JSON. A date comes back as a text, which is compared with both.
  @Test func randomRoundTrips() throws {
    var random = SeededGenerator()
    var predicates = 0
    for _ in 0..<2000 {
      let filter = Self.filter(&random, levels: 4)
      let json = try Self.encode(filter)
      let decoded = try Self.decode(json)
      #expect(try Self.encode(decoded) == json)
      // Equal in what they mean, and in what they refuse.
      let before = Result { try filter.predicate() }
      let after = Result { try decoded.predicate() }
      switch (before, after) {
      case (.success(let before), .success(let after)):
        #expect(before == after, "\(json)")
        predicates += 1
      case (.failure(let before), .failure(let after)):
        #expect((before as? SatchelError)?.code == (after as? SatchelError)?.code, "\(json)")
      default: Issue.record("\(json): \(before), then \(after)")
      }
    }
    #expect(predicates > 300)
  }

  private static func filter(_ random: inout SeededGenerator, levels: Int) -> Channels {
    if levels > 0, random.percent(40) {
      let filters = (0..<random.below(4)).map { _ in filter(&random, levels: levels - 1) }
      return random.pick([Channels.and(filters), .or(filters), .nor(filters)])
    }
    let keys = ["members", "name", "priority", "a.b", "created_at", "frozen", "last_updated", "muted", "cid"]
    let values: [QueryPredicate.Constant] = [
      .text("a"), .text("é\"\\\u{0}"), .text("2024-02-01T12:00:00Z"), .integer(.min), .number(0.1),
      .boolean(false), .null,
    ]
    let value = random.pick(values)
    let operand: QueryPredicate.Operand =
      random.percent(50) ? .constant(value) : .list((0..<random.below(3)).map { _ in random.pick(values) })
    return Channels(
      operator: random.pick(FilterOperator.allCases.filter { !$0.isGroupOperator }),
      key: FilterKey<_, String>(rawValue: random.pick(keys)), value: operand)
  }
}
