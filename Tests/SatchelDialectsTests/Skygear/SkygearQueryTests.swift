import Foundation
import SatchelDialects
import SatchelModel
import SatchelQuery
import SatchelRecords
import Testing

/// Queries in Skygear's JSON, as its SDK for iOS serialises them.
@Suite struct SkygearQueryTests {
  private static func decode(_ json: String) throws -> SkygearQuery {
    try JSONDecoder().decode(SkygearQuery.self, from: Data(json.utf8))
  }

  private static func predicate(_ json: String) throws -> QueryPredicate {
    try decode(#"{"record_type": "todo", "predicate": \#(json)}"#).query.untyped.predicate
  }

  /// A key path. `@name` stands for it below.
  private static func expanded(_ json: String) -> String {
    json.replacing(#/@([A-Za-z_.]+)/#) { #"{"$type": "keypath", "$val": "\#($0.1)"}"# }
  }

  /// The predicates of the samples of Skygear's page, and of the tests of its SDK.
  @Test(arguments: [
    ("[]", "TRUEPREDICATE"),
    (#"["eq", @name, "Peter"]"#, "name = 'Peter'"), (#"["eq", @name, 12]"#, "name = 12"),
    (#"["eq", @done, true]"#, "done = TRUE"), (#"["eq", @name, null]"#, "name = nil"),
    (#"["neq", null, @name]"#, "name != nil"), (#"["neq", @name, 2.5]"#, "name != 2.5"),
    (#"["gt", @age, 12]"#, "age > 12"), (#"["gte", @age, 12]"#, "age >= 12"),
    (#"["lt", @age, 12]"#, "age < 12"), (#"["lte", @age, 12]"#, "age <= 12"),
    (#"["lt", 12, @age]"#, "age > 12"), (#"["gte", 12, @age]"#, "age <= 12"),
    (
      #"["eq", @dob, {"$type": "date", "$date": "2001-01-01T00:00:00.000000Z"}]"#,
      "dob = 2001-01-01T00:00:00Z"
    ),
    (
      #"["eq", @city, {"$type": "ref", "$id": "city/hongkong", "$recordType": "city", "$recordID": "hongkong"}]"#,
      "city = REFERENCE('city', 'hongkong')"
    ),
    (
      #"["eq", @resturant, {"$type": "ref", "$id": "restaurant/my resturant"}]"#,
      "resturant = REFERENCE('restaurant', 'my resturant')"
    ),
    (
      #"["and", ["eq", @name, "Peter"], ["gte", @age, 12], ["neq", @interest, "reading"]]"#,
      "name = 'Peter' AND age >= 12 AND interest != 'reading'"
    ),
    (#"["or", ["eq", @name, "Peter"], ["gte", @age, 12]]"#, "name = 'Peter' OR age >= 12"),
    (#"["not", ["eq", @name, "Peter"]]"#, "NOT name = 'Peter'"), (#"["and"]"#, "TRUEPREDICATE"),
    (#"["like", @content, "hello%"]"#, "content BEGINSWITH 'hello'"),
    (#"["like", @content, "%hello"]"#, "content ENDSWITH 'hello'"),
    (#"["like", @content, "%hello%"]"#, "content CONTAINS 'hello'"),
    (#"["like", @content, "hello"]"#, "content = 'hello'"),
    (#"["like", @content, "%"]"#, "content CONTAINS ''"),
    (#"["like", @content, "100\\%%"]"#, "content BEGINSWITH '100%'"),
    (#"["like", @content, "a\\\\%"]"#, "content BEGINSWITH 'a\\\\'"),
    (#"["like", @content, "a\\%"]"#, "content = 'a%'"),
    (#"["ilike", @content, "%hello_"]"#, "content LIKE '%hello_'"),
    (#"["in", @category, ["recipe", "fiction"]]"#, "category IN {'recipe', 'fiction'}"),
    (#"["in", "fiction", @categories]"#, "'fiction' IN categories"),
    (#"["in", @_id, ["a", "b"]]"#, "identifier IN {'a', 'b'}"),
    (#"["eq", @restaurant.cuisine, "thai"]"#, "restaurant.cuisine = 'thai'"),
    (#"["eq", @_owner, {"$type": "ref", "$id": "user/bob"}]"#, "owner = 'bob'"),
    (#"["eq", @list._id, "work"]"#, "list.identifier = 'work'"),
    (#"["gt", @_updated_at, @_created_at]"#, "updatedAt > createdAt"),
    (#"["eq", @tags, ["a", "b"]]"#, "tags = {'a', 'b'}"),
  ]) func predicates(_ json: String, _ text: String) throws {
    let predicate = try Self.predicate(Self.expanded(json))
    #expect(try predicate == QueryPredicate(format: text), "\(predicate)")
  }

  @Test(arguments: [
    ("_follow", "outward", "_owner", "owner RELATED 'following'"),
    ("_follow", "inward", "_created_by", "createdBy RELATED {'following', 'inward'}"),
    ("_follow", "mutual", "list._owner", "list.owner RELATED {'following', 'mutual'}"),
    ("_friend", "mutual", "_owner", "owner RELATED 'friend'"),
    ("_friend", "outward", "_owner", "owner RELATED {'friend', 'outward'}"),
    ("colleague", "outward", "assignee", "assignee RELATED 'colleague'"),
  ]) func relations(_ name: String, _ direction: String, _ path: String, _ text: String) throws {
    let relation = #"{"$type": "relation", "$name": "\#(name)", "$direction": "\#(direction)"}"#
    let predicate = try Self.predicate(Self.expanded(#"["func", "userRelation", @\#(path), \#(relation)]"#))
    #expect(try predicate == QueryPredicate(format: text), "\(predicate)")
  }

  @Test func everythingElseOfAQuery() throws {
    let query = try Self.decode(
      Self.expanded(
        #"""
        {"record_type": "child", "predicate": ["gt", @age, 5], "sort": [[@_updated_at, "desc"], [@parent.name, "asc"]],
         "include": {"parentRecord": @parent, "home": @parent.home}, "limit": 10, "offset": 5, "count": true}
        """#))
    #expect(
      query.query.description
        == "child where age > 5 order -updatedAt, parent.name limit 10 offset 5 including parent.home as 'home', parent as 'parentRecord'"
    )
    #expect(query.wantsTotalCount)
    let least = try Self.decode(#"{"record_type": "todo", "predicate": null, "limit": 0, "count": false}"#)
    #expect(least.query == RecordType("todo").query && !least.wantsTotalCount)
  }

  @Test(arguments: [
    (#"["lt", ["func", "distance", @location, {"$type": "geo", "$lng": 2, "$lat": 1}], 3]"#, "rectangle"),
    (#"["eq", @a, {"$type": "geo", "$lng": 2, "$lat": 1}]"#, "references"),
    (#"["eq", @a, {"$type": "seq"}]"#, "references"),
    (#"["eq", @a, {"$type": "asset", "$name": "x"}]"#, "references"),
    (#"["eq", @a, {"b": 1}]"#, "key paths"), (#"["like", @a, "a%b"]"#, "ilike"),
    (#"["like", @a, "_b"]"#, "ilike"),
    (#"["eq", @_access, "x"]"#, "owner"),
  ]) func whatAStoreHasNotIsRefused(_ json: String, _ instead: String) {
    let error = #expect(throws: SatchelError.self) { try Self.predicate(Self.expanded(json)) }
    #expect(error?.code == .notAvailable && error?.context["found"] != nil, "\(String(describing: error))")
    #expect(error?.context["instead"]?.contains(instead) == true, "\(String(describing: error))")
  }

  @Test(arguments: [
    #"["and", null]"#, "5", #""eq""#, "{}", #"["eq"]"#, #"["eq", 1]"#, #"["eq", 1, 2]"#,
    #"["eq", @a, 1, 2]"#,
    #"["matches", @a, "x"]"#,
    #"[5, @a, 1]"#, #"["not"]"#, #"["not", ["eq", @a, 1], ["eq", @a, 2]]"#, #"["and", 5]"#, #"["in", @a, 5]"#,
    #"["in", 1, 2]"#, #"["in", [1], @a]"#, #"["like", @a, 5]"#, #"["like", @a, "a\\"]"#,
    #"["like", "x", @a]"#,
    #"["eq", @a, {"$type": "nothing"}]"#,
    #"["eq", @a, {"$type": "date", "$date": "yesterday"}]"#, #"["eq", @a, {"$type": "date"}]"#,
    #"["eq", @a, {"$type": "ref"}]"#, #"["eq", @a, {"$type": "ref", "$id": "work"}]"#, #"["func"]"#,
    #"["func", "max", @a]"#,
    #"["eq", {"$type": "keypath"}, 1]"#, #"["eq", {"$type": "keypath", "$val": 5}, 1]"#,
    #"["eq", {"$type": "keypath", "$val": "a", "b": 1}, 1]"#, #"["eq", @a, [[1]]]"#, "1e999",
    #"["func", "userRelation"]"#, #"["func", "userRelation", @_owner]"#,
    #"["func", "userRelation", @_owner, {"$type": "relation", "$name": "_follow"}]"#,
    #"["func", "userRelation", @_owner, {"$type": "relation", "$name": "_follow", "$direction": "up"}]"#,
    #"["func", "userRelation", @_owner, {"$type": "relation", "$name": "", "$direction": "inward"}]"#,
    #"["func", "userRelation", @_owner, "_follow"]"#,
    #"["func", "userRelation", 5, {"$type": "relation", "$name": "_follow", "$direction": "inward"}]"#,
    #"["eq", ["func", "userRelation", @_owner, {"$type": "relation"}], 1]"#,
  ]) func wrongPredicatesAreErrors(_ json: String) {
    let error = #expect(throws: SatchelError.self) { try Self.predicate(Self.expanded(json)) }
    #expect(
      error?.code == .syntaxError && error?.context["expected"]?.isEmpty == false,
      "\(String(describing: error))")
  }

  @Test(arguments: [
    "[]", "5", #""x""#, "null", "{}", #"{"record_type": 5}"#, #"{"record_type": ""}"#,
    #"{"record_type": "a", "limit": -1}"#,
    #"{"record_type": "a", "limit": 2.5}"#, #"{"record_type": "a", "offset": "5"}"#,
    #"{"record_type": "a", "count": 1}"#,
    #"{"record_type": "a", "sort": {}}"#, #"{"record_type": "a", "sort": [5]}"#,
    #"{"record_type": "a", "sort": [[@a, "up"]]}"#,
    #"{"record_type": "a", "sort": [[@a]]}"#, #"{"record_type": "a", "sort": [["a", "asc"]]}"#,
    #"{"record_type": "a", "include": ["a"]}"#, #"{"record_type": "a", "include": {"a": "b"}}"#,
    #"{"record_type": "a", "desired_keys": ["b"]}"#,
  ]) func wrongQueriesAreErrors(_ json: String) {
    let error = #expect(throws: SatchelError.self) { try Self.decode(Self.expanded(json)) }
    #expect(error?.code == .syntaxError && error?.context["found"] != nil, "\(String(describing: error))")
  }

  /// Names that lead to no field.
  @Test(arguments: ["", "a..b", "owner", "list.createdAt"]) func wrongKeysAreErrors(_ key: String) {
    let error = #expect(throws: SatchelError.self) {
      try Self.predicate(#"["eq", {"$type": "keypath", "$val": "\#(key)"}, 1]"#)
    }
    #expect(error?.code == .unqueryableProperty && error?.context["property"] == key)
  }

  @Test func hostileJSON() throws {
    for levels in [100, 199, 300, 10_000] {
      let nots =
        String(repeating: #"["not","#, count: levels) + #"["eq", @a, 1]"#
        + String(repeating: "]", count: levels)
      let lists =
        #"["eq", @a, "# + String(repeating: "[", count: levels) + String(repeating: "]", count: levels) + "]"
      if levels < QueryPredicate.maximumDepth {
        #expect(throws: Never.self) { try Self.predicate(Self.expanded(nots)) }
      } else {
        #expect(throws: (any Error).self) { try Self.predicate(Self.expanded(nots)) }
      }
      #expect(throws: (any Error).self) { try Self.predicate(Self.expanded(lists)) }
    }
    let values = (0..<200_000).map { #""r\#($0)""# }.joined(separator: ",")
    #expect(throws: Never.self) { try Self.predicate(Self.expanded(#"["in", @_id, [\#(values)]]"#)) }
    let wide = Array(repeating: #"["eq", @a, 1]"#, count: 10_001).joined(separator: ",")
    let error = #expect(throws: SatchelError.self) { try Self.predicate(Self.expanded(#"["or", \#(wide)]"#)) }
    #expect(error?.code == .unsupportedPredicate)
  }
}
