public import SatchelModel
package import SatchelRecords
import SatchelText

/// A query without the type of its objects: which objects, in which order, and which section of that order. A
/// ``Query`` wraps it.
public struct QueryDescription: Hashable, Sendable, Codable {
  /// The kind of object.
  public var kind: ObjectKind
  /// The name of the record type whose records are asked for; nil for the other kinds of objects.
  public var recordType: String?
  /// The condition that the objects have to meet.
  public var predicate: QueryPredicate
  /// The sort keys. Without keys, the order is the order of creation.
  public var sort: [SortKey]
  /// The greatest number of objects to return; nil for all.
  public var limit: Int?
  /// The number of objects that are skipped first.
  public var offset: Int
  /// The point in the order that the section is taken from; nil for the start of the order.
  public var anchor: QueryAnchor?
  /// Whether reads may return the objects in whatever order costs least; see ``Query/unordered()``.
  public var isUnordered = false
  /// Whether objects come without contents that are stored outside their records; see ``Query/withoutContents()``.
  public var omitsContents = false
  /// The objects that come with the results; see ``Query/including(_:as:)``.
  public var inclusions: [QueryInclusion] = []
  /// What the program computes of each record; see ``Query/computing(_:_:)``.
  package var computations: [RecordComputation] = []
  /// The conversation whose members are asked for; nil for all objects of the kind. See ``Identity/members(of:)``.
  public var membersOf: Conversation.ID?

  /// Creates a description. The defaults describe all objects of the kind, in the order of creation.
  public init(
    kind: ObjectKind, predicate: QueryPredicate = .true, sort: [SortKey] = [], limit: Int? = nil,
    offset: Int = 0,
    anchor: QueryAnchor? = nil
  ) {
    self.kind = kind
    self.predicate = predicate
    self.sort = sort
    self.limit = limit
    self.offset = offset
    self.anchor = anchor
  }
}

extension QueryDescription {
  private enum CodingKeys: CodingKey {
    case kind, recordType, predicate, sort, limit, offset, anchor, isUnordered, omitsContents, inclusions,
      membersOf
  }

  /// Decodes a description. What it does not mention of ``isUnordered``, ``omitsContents`` and ``inclusions`` is false or empty; without
  /// ``membersOf`` it is for all objects of the kind.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    kind = try container.decode(ObjectKind.self, forKey: .kind)
    recordType = try container.decodeIfPresent(String.self, forKey: .recordType)
    predicate = try container.decode(QueryPredicate.self, forKey: .predicate)
    sort = try container.decode([SortKey].self, forKey: .sort)
    limit = try container.decodeIfPresent(Int.self, forKey: .limit)
    offset = try container.decode(Int.self, forKey: .offset)
    anchor = try container.decodeIfPresent(QueryAnchor.self, forKey: .anchor)
    isUnordered = try container.decodeIfPresent(Bool.self, forKey: .isUnordered) ?? false
    omitsContents = try container.decodeIfPresent(Bool.self, forKey: .omitsContents) ?? false
    inclusions = try container.decodeIfPresent([QueryInclusion].self, forKey: .inclusions) ?? []
    membersOf = try container.decodeIfPresent(Conversation.ID.self, forKey: .membersOf)
  }

  /// Encodes the description; ``recordType``, ``inclusions`` and ``membersOf`` only if there are some.
  /// - Throws: `EncodingError` if the query computes values: closures are of this process alone. The error names them.
  public func encode(to encoder: any Encoder) throws {
    guard computations.isEmpty else {
      throw EncodingError.invalidValue(
        self,
        .init(
          codingPath: encoder.codingPath,
          debugDescription:
            "A query that computes values cannot be encoded, because closures are of this process alone: add them "
            + "to the decoded query (\(computations.map(\.name).joined(separator: ", ")))"))
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .kind)
    try container.encodeIfPresent(recordType, forKey: .recordType)
    try container.encode(predicate, forKey: .predicate)
    try container.encode(sort, forKey: .sort)
    try container.encodeIfPresent(limit, forKey: .limit)
    try container.encode(offset, forKey: .offset)
    try container.encodeIfPresent(anchor, forKey: .anchor)
    try container.encode(isUnordered, forKey: .isUnordered)
    try container.encode(omitsContents, forKey: .omitsContents)
    if !inclusions.isEmpty { try container.encode(inclusions, forKey: .inclusions) }
    try container.encodeIfPresent(membersOf, forKey: .membersOf)
  }
}

extension QueryDescription: CustomStringConvertible {
  /// The query on one line: `messages where isUnread = TRUE order -position limit 20`. Records have the name of their type.
  public var description: String {
    var text = recordType ?? kind.rawValue
    if let membersOf { text += " of members of \(QueryPredicate.Constant.text(membersOf.rawValue))" }
    if predicate != .true { text += " where " + predicate.description }
    if isUnordered { text += " unordered" }
    if !sort.isEmpty { text += " order " + sort.map(\.description).joined(separator: ", ") }
    if let limit { text += " limit \(limit)" }
    if offset != 0 { text += " offset \(offset)" }
    if let anchor { text += " " + anchor.description }
    if omitsContents { text += " without contents" }
    if !inclusions.isEmpty { text += " including " + inclusions.map(\.description).joined(separator: ", ") }
    if !computations.isEmpty {
      text += " computing " + computations.map { SortKey([$0.name]).description }.joined(separator: ", ")
    }
    return text
  }
}

/// A point in the order of a query's results, and the results that are asked for beside it.
public enum QueryAnchor: Sendable, Codable {
  /// The objects after the object with this identifier.
  case after(String)
  /// The objects before the object with this identifier. With a limit, these are the last objects before it.
  case before(String)
  /// The object with this identifier, `before` objects before it and `after` objects after it.
  case around(String, before: Int, after: Int)
  /// The last `before` objects before a date and the first `after` objects from that date on, by the first sort key.
  case aroundDate(Timestamp, before: Int, after: Int)
}

extension QueryAnchor: Hashable {
  /// Whether both anchor at the same object or date, with the same numbers of rows.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.after(let left), .after(let right)), (.before(let left), .before(let right)):
      UTF8Order.areEqual(left, right)
    case (.around(let left, let before1, let after1), .around(let right, let before2, let after2)):
      UTF8Order.areEqual(left, right) && before1 == before2 && after1 == after2
    case (.aroundDate(let left, let before1, let after1), .aroundDate(let right, let before2, let after2)):
      left == right && before1 == before2 && after1 == after2
    default: false
    }
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .after(let identifier):
      hasher.combine(0)
      UTF8Order.hash(identifier, into: &hasher)
    case .before(let identifier):
      hasher.combine(1)
      UTF8Order.hash(identifier, into: &hasher)
    case .around(let identifier, let before, let after):
      hasher.combine(2)
      UTF8Order.hash(identifier, into: &hasher)
      hasher.combine(before)
      hasher.combine(after)
    case .aroundDate(let date, let before, let after):
      hasher.combine(3)
      hasher.combine(date)
      hasher.combine(before)
      hasher.combine(after)
    }
  }
}

extension QueryAnchor: CustomStringConvertible {
  /// The anchor in words.
  public var description: String {
    switch self {
    case .after(let identifier): "after \(QueryPredicate.Constant.text(identifier))"
    case .before(let identifier): "before \(QueryPredicate.Constant.text(identifier))"
    case .around(let identifier, let before, let after):
      "around \(QueryPredicate.Constant.text(identifier)) before \(before) after \(after)"
    case .aroundDate(let date, let before, let after):
      "around \(QueryPredicate.Constant.date(date)) before \(before) after \(after)"
    }
  }
}
