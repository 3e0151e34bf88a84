public import SatchelModel

/// Which objects are asked for, in which order, and which stretch of them: what a ``Query`` wraps.
public struct QueryDescription: Hashable, Sendable, Codable {
  /// The kind of object.
  public var kind: ObjectKind
  /// What the objects have to meet.
  public var predicate: Predicate
  /// The order; without keys that of creation.
  public var sort: [SortKey]
  /// The most objects to give; nil for all.
  public var limit: Int?
  /// How many objects of the order to pass over first.
  public var offset: Int
  /// Where in the order the stretch lies.
  public var anchor: Anchor?
  /// True where reads may give the objects in whatever order costs least; see ``Query/unordered()``.
  public var isUnordered = false

  /// Everything of a kind, or less.
  public init(
    kind: ObjectKind, predicate: Predicate = .true, sort: [SortKey] = [], limit: Int? = nil, offset: Int = 0,
    anchor: Anchor? = nil
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
  /// Reads a description; one that says nothing of ``isUnordered`` has an order.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    kind = try container.decode(ObjectKind.self, forKey: .kind)
    predicate = try container.decode(Predicate.self, forKey: .predicate)
    sort = try container.decode([SortKey].self, forKey: .sort)
    limit = try container.decodeIfPresent(Int.self, forKey: .limit)
    offset = try container.decode(Int.self, forKey: .offset)
    anchor = try container.decodeIfPresent(Anchor.self, forKey: .anchor)
    isUnordered = try container.decodeIfPresent(Bool.self, forKey: .isUnordered) ?? false
  }
}

extension QueryDescription: CustomStringConvertible {
  /// The query on one line: `messages where isUnread = TRUE order -position limit 20`.
  public var description: String {
    var text = kind.rawValue
    if predicate != .true { text += " where " + predicate.description }
    if isUnordered { text += " unordered" }
    if !sort.isEmpty { text += " order " + sort.map(\.description).joined(separator: ", ") }
    if let limit { text += " limit \(limit)" }
    if offset != 0 { text += " offset \(offset)" }
    if let anchor { text += " " + anchor.description }
    return text
  }
}

/// A place in the order of a query's results.
public enum Anchor: Sendable, Codable {
  /// The objects that come after the one of an identifier.
  case after(String)
  /// The objects that come before the one of an identifier: the last of them, with a limit.
  case before(String)
  /// The object of an identifier with so many before it and so many after it.
  case around(String, before: Int, after: Int)
  /// So many objects before a date and so many from it on, by the first sort key.
  case aroundDate(Timestamp, before: Int, after: Int)
}

extension Anchor: Hashable {
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

extension Anchor: CustomStringConvertible {
  public var description: String {
    switch self {
    case .after(let identifier): "after \(Predicate.Constant.text(identifier))"
    case .before(let identifier): "before \(Predicate.Constant.text(identifier))"
    case .around(let identifier, let before, let after):
      "around \(Predicate.Constant.text(identifier)) before \(before) after \(after)"
    case .aroundDate(let date, let before, let after):
      "around \(Predicate.Constant.date(date)) before \(before) after \(after)"
    }
  }
}
