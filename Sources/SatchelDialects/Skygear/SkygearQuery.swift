import SatchelModel
public import SatchelQuery
public import SatchelRecords

/// A query in Skygear's JSON, as its SDKs sent it: `record_type`, `predicate`, `sort`, `include`, `limit`, `offset` and `count`.
///
/// ```
/// {"record_type": "todo", "predicate": ["gt", {"$type": "keypath", "$val": "order"}, 5],
///  "sort": [[{"$type": "keypath", "$val": "_updated_at"}, "desc"]], "limit": 10, "offset": 5, "count": true}
/// ```
///
/// Decoding makes a query for records of it. What a store has no meaning for is refused by an error that names it, and nothing is left out. A missing value is
/// compared as everywhere in a store: `neq` and `not` are complements and true for it, which they are not in the service's SQL.
public struct SkygearQuery: Decodable, Hashable, Sendable {
  /// The query for the records.
  public let query: Query<Record>
  /// Whether the number of all records is wanted, whatever the limit and the offset (`overallCount`): `totalCount` of a page is that number.
  public let wantsTotalCount: Bool

  /// Decodes Skygear's JSON.
  /// - Throws: ``SatchelModel/SatchelError`` `syntaxError` for what is not in its form, `notAvailable` for what a store has not,
  ///   `unqueryableProperty` for a key that is none, with what was found and what could stand there or be done `instead`.
  /// - Complexity: O(n) for n values.
  public init(from decoder: any Decoder) throws {
    guard case .object(let members) = try SkygearJSON(from: decoder) else {
      throw SkygearError.syntax("an object with a record_type", found: "another value")
    }
    let names = ["count", "include", "limit", "offset", "predicate", "record_type", "sort"]
    if let other = members.keys.sorted().first(where: { !names.contains($0) }) {
      throw SkygearError.syntax("one of " + names.joined(separator: ", "), found: other)
    }
    guard case .text(let type)? = members["record_type"], !type.isEmpty else {
      throw SkygearError.syntax("the name of a record_type", found: members["record_type"]?.kind ?? "none")
    }
    var description = Query<Record>(recordType: type).untyped
    switch members["predicate"] {
    case nil, .null?: break
    case let predicate?: description.predicate = try SkygearPredicate.predicate(predicate)
    }
    if case .invalid = description.predicate.form {
      throw SatchelError(
        .unsupportedPredicate, "A predicate has at most 200 levels and 10,000 comparisons, ANDs, ORs and NOTs"
      )
    }
    description.sort = try Self.list("sort", members["sort"]).map { try Self.sortKey($0) }
    description.inclusions = try Self.inclusions(members["include"])
    // None is 0, as in the SDK.
    let limit = try Self.number("limit", members["limit"])
    description.limit = limit == 0 ? nil : limit
    description.offset = try Self.number("offset", members["offset"])
    guard let query = Query<Record>(description) else {
      throw SkygearError.syntax("a query for records", found: description.kind.rawValue)
    }
    self.query = query
    switch members["count"] {
    case nil, .null?: wantsTotalCount = false
    case .boolean(let wants)?: wantsTotalCount = wants
    case let other?: throw SkygearError.syntax("true or false for count", found: other.kind)
    }
  }

  private static func number(_ name: String, _ value: SkygearJSON?) throws -> Int {
    if case .integer(let number)? = value, number >= 0, let number = Int(exactly: number) { return number }
    switch value {
    case nil, .null?: return 0
    case let other?:
      throw SkygearError.syntax("a whole number from 0 on for \(name)", found: other.kind)
    }
  }

  private static func list(_ name: String, _ value: SkygearJSON?) throws -> [SkygearJSON] {
    switch value {
    case nil, .null?: return []
    case .list(let list)?: return list
    case let other?: throw SkygearError.syntax("a list for \(name)", found: other.kind)
    }
  }

  private static func sortKey(_ value: SkygearJSON) throws -> SortKey {
    guard case .list(let pair) = value, pair.count == 2, case .text(let direction) = pair[1],
      direction == "asc" || direction == "desc"
    else { throw SkygearError.syntax("a key path and asc or desc in sort", found: value.kind) }
    return SortKey(try SkygearPredicate.path(pair[0]), descending: direction == "desc")
  }

  private static func inclusions(_ value: SkygearJSON?) throws -> [QueryInclusion] {
    switch value {
    case nil, .null?: return []
    case .object(let members)?:
      return try members.sorted { $0.key < $1.key }.map { name, path in
        QueryInclusion(try SkygearPredicate.path(path), name: name)
      }
    case let other?: throw SkygearError.syntax("names with key paths for include", found: other.kind)
    }
  }
}
