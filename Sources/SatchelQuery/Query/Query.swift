public import SatchelModel
package import SatchelRecords

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A query for objects of one kind: which objects, in which order, and which section of that order.
///
/// A query is a value: each method returns a changed copy. A query is checked only when a store runs it.
public struct Query<Object: Queryable>: Hashable, Sendable {
  /// The query without its type. Its kind is the kind of `Object`.
  public private(set) var untyped: QueryDescription

  /// Creates a query for every object of the kind, in the order of creation.
  public init() { untyped = QueryDescription(kind: Object.kind) }

  /// Creates a query for every record of a type, in the order of creation.
  package init(recordType: String) where Object == Record {
    untyped = QueryDescription(kind: .records)
    untyped.recordType = recordType
  }

  /// Creates a query from a description; nil if the description is for another kind of object.
  public init?(_ description: QueryDescription) {
    guard description.kind == Object.kind else { return nil }
    untyped = description
  }

  /// Creates a query for the objects that meet a text of the predicate language. `%@` takes the next argument as a
  /// value, `%K` as a key path: see ``QueryPredicate/init(format:_:)``.
  /// - Throws: ``SatchelError`` `syntaxError` with the column, `invalidValue` if an argument is not a value.
  public init(format: String, _ arguments: (any Sendable)?...) throws {
    untyped = QueryDescription(
      kind: Object.kind, predicate: try QueryPredicate(format: format, arguments: arguments))
  }

  func with(_ change: (inout QueryDescription) -> Void) -> Query {
    var copy = self
    change(&copy.untyped)
    return copy
  }
}

extension Query {
  /// Returns the query with a further predicate that its objects have to meet.
  public func filter(_ predicate: QueryPredicate) -> Query {
    with { $0.predicate = $0.predicate == .true ? predicate : $0.predicate && predicate }
  }

  /// Returns the query with a further predicate that its objects have to meet.
  public func filter<Filter: PredicateConvertible>(_ predicate: (Object.Fields) -> Filter) -> Query {
    filter(predicate(Object.fields).predicate)
  }

  /// Returns the query with its objects sorted by `keys`, which replace earlier sort keys.
  public func order(_ keys: [SortKey]) -> Query {
    with {
      $0.sort = keys
      $0.isUnordered = false
    }
  }

  /// Returns the query with its objects in whatever order costs least. Use it for sums, searches and copies, which do
  /// not depend on the order.
  ///
  /// Reads of the query then sort nothing. A read of most messages of the store reads them in the order in which the
  /// file stores them. Each object is still returned exactly once. With a limit or an offset, it is not specified
  /// which objects are returned. Live queries and anchors need an order, and use the order of creation.
  public func unordered() -> Query {
    with {
      $0.sort = []
      $0.isUnordered = true
    }
  }

  /// Returns the query with its objects sorted by a key, which replaces earlier sort keys.
  public func order<Key: SortKeyConvertible>(_ key: (Object.Fields) -> Key) -> Query {
    order([key(Object.fields).sortKey])
  }

  /// Returns the query with its objects sorted by several keys: `.order { ($0.sentAt.descending, $0.position) }`.
  /// They replace earlier sort keys.
  ///
  /// The first two keys are not part of the parameter pack: a pack may be empty, and then a closure that returns
  /// anything at all would compile.
  public func order<First: SortKeyConvertible, Second: SortKeyConvertible, each Key: SortKeyConvertible>(
    _ keys: (Object.Fields) -> (First, Second, repeat each Key)
  ) -> Query {
    order(Self.sortKeys(keys))
  }

  private static func sortKeys<each Key: SortKeyConvertible>(
    _ keys: (Object.Fields) -> (repeat each Key)
  ) -> [SortKey] {
    let chosen = keys(Object.fields)
    var result: [SortKey] = []
    for key in repeat each chosen { result.append(key.sortKey) }
    return result
  }

  /// Returns the query for objects without the contents that are stored outside their records: those of more than about
  /// 500 bytes.
  ///
  /// A list that shows only beginnings, or pictures that are loaded later, so reads little of them: ``Message/preview``, the
  /// beginning of the first text, still comes with each message. Such a text is ``MessagePart/Content/storedText`` and
  /// such bytes are ``MessagePart/Content/storedData``; ``Message/text`` is nil if the first text is one of them.
  public func withoutContents() -> Query { with { $0.omitsContents = true } }

  /// Returns the query for objects with which another one comes that they refer to: messages with their senders' identities
  /// or their conversations, conversations with the sender of their last message, parts with their messages.
  ///
  /// ```swift
  /// let page = try store.fetch(
  ///   Message.filter { $0.conversation == lunch }.order { $0.position.descending }.limit(20).including(\.sender))
  /// for message in page { print(message.included(\.sender)?.displayName ?? message.sender.rawValue, message.preview ?? "") }
  /// ```
  ///
  /// All of it is read in the same snapshot, each object once, however many results refer to it. What lies on the way comes
  /// as well: `\.conversation.lastMessage.sender` brings the conversation. Several calls add up. Results are selected and counted
  /// as without it. In lists that are kept up to date, a change of an object that comes along is an update of the rows that it comes
  /// with. An included conversation changes with each of its messages.
  /// - Parameters:
  ///   - reference: The property that leads to the object, such as `\.sender`, `\.conversation` or `\.lastMessage.sender`.
  ///   - name: A name for the object, by which ``Message/included(_:as:)`` finds it as well; nil for none. A name that is empty or that
  ///     stands for two paths is refused with `invalidValue` when the query runs.
  /// - Complexity: O(log n) a distinct object, in the objects of the store. A read holds these objects until it ends.
  public func including<Reference: ReferenceField>(
    _ reference: (Object.Fields) -> Reference, as name: String? = nil
  ) -> Query {
    let inclusion = QueryInclusion(reference(Object.fields).propertyPath, name: name)
    return with { if !$0.inclusions.contains(inclusion) { $0.inclusions.append(inclusion) } }
  }

  /// Returns the query for at most `limit` objects, or for all of them if `limit` is nil.
  public func limit(_ limit: Int?) -> Query { with { $0.limit = limit } }

  /// Returns the query without its first `offset` objects.
  public func offset(_ offset: Int) -> Query { with { $0.offset = offset } }

  /// Returns the query for the objects after the object with this identifier.
  public func after(_ id: Object.ID) -> Query { with { $0.anchor = .after(id.identifier) } }

  /// Returns the query for the objects before the object with this identifier. With a limit, these are the last
  /// objects before it.
  public func before(_ id: Object.ID) -> Query { with { $0.anchor = .before(id.identifier) } }

  /// Returns the query for the object with this identifier, `before` objects before it and `after` objects after it. The
  /// object has to be a result of the query: a read otherwise throws `invalidValue`.
  public func around(_ id: Object.ID, before: Int, after: Int) -> Query {
    with { $0.anchor = .around(id.identifier, before: before, after: after) }
  }

  /// Returns the query for `before` objects before a date and `after` objects from that date on. Its first sort key
  /// must be a date, or the position of messages.
  ///
  /// In an order by position, the first row at or after the date (in a descending order, at or before it) is found by
  /// binary search: O(log² n) if an index has the results in order, otherwise they are sorted first. The date of a message
  /// is when it was sent or, if that is missing, received; a message without a date goes with the row after it.
  public func around(_ date: Timestamp, before: Int, after: Int) -> Query {
    with { $0.anchor = .aroundDate(date, before: before, after: after) }
  }

  /// Returns the query for `before` objects before a date and `after` objects from that date on. Its first sort key
  /// must be a date, or the position of messages.
  ///
  /// In an order by position, the first row at or after the date (in a descending order, at or before it) is found by
  /// binary search: O(log² n) if an index has the results in order, otherwise they are sorted first. The date of a message
  /// is when it was sent or, if that is missing, received; a message without a date goes with the row after it.
  public func around(_ date: Date, before: Int, after: Int) -> Query {
    around(Timestamp(date), before: before, after: after)
  }
}

extension Identity {
  /// Returns a query for the members of a conversation: one identity for each of its participants, the store's user among them.
  ///
  /// ```swift
  /// let online = Identity.members(of: lunch).filter { $0.presenceStatus == .available }.order { $0.displayName }
  /// for member in try store.fetch(online) { print(member.displayName ?? member.userID.rawValue) }
  /// ```
  ///
  /// It is filtered, sorted, counted and watched as any query for identities. A participant of whom the store has no identity is
  /// one that has nothing but the user id. There are no members of a conversation in which the store's user does not participate; one
  /// that has no message yet has its members. Without sort keys, the order is that in which the store has met the users.
  ///
  /// In a list that is kept up to date, who joins is inserted, who leaves is deleted, and an identity that is put or changed is an
  /// update of its row.
  /// - Parameter conversation: The identifier of the conversation.
  /// - Complexity: O(p) for p participants, and the record of each that is tested, sorted or returned.
  public static func members(of conversation: Conversation.ID) -> Query<Identity> {
    var query = QueryDescription(kind: .identities)
    query.membersOf = conversation
    return Query(query) ?? Query()
  }
}

extension Query: CustomStringConvertible {
  /// The query in words: the kind, the predicate, the order, the limits.
  public var description: String { untyped.description }
}

extension Query: Codable {
  /// Decodes a ``QueryDescription``.
  /// - Throws: `DecodingError` if the description is for another kind of object.
  public init(from decoder: any Decoder) throws {
    untyped = try QueryDescription(from: decoder)
    guard untyped.kind == Object.kind else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "A query for \(untyped.kind.rawValue), not for \(Object.kind.rawValue)"))
    }
  }

  /// Encodes the query as ``QueryDescription`` does.
  /// - Throws: `EncodingError` if the query computes values.
  public func encode(to encoder: any Encoder) throws { try untyped.encode(to: encoder) }
}
