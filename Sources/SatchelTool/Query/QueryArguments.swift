public import ArgumentParser
public import Satchel
import SatchelModel
import SatchelQuery

extension ResultType: ExpressibleByArgument {}

/// A command that takes objects of some kinds alone.
protocol TakesKinds {
  static var kinds: [ObjectKind] { get }
}

/// A command that takes record types besides kinds.
protocol TakesRecordTypes {}

/// Which objects are wanted, in which order, and how many of them.
struct ListArguments: ParsableArguments {
  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: "A condition of the predicate language, such as \"isUnread = TRUE AND sender.userID != 'alice'\".")
  var predicate: String?

  @Option(
    parsing: .unconditional,
    help: "Of identities: only those of a conversation's members, with the members that have none.")
  var membersOf: String?

  @Option(parsing: .unconditional, help: "Properties to sort by, joined by commas; -sentAt sorts descending.")
  var sort: String?

  @Option(parsing: .unconditional, help: "The most objects to give.")
  var limit: Int?

  @Option(parsing: .unconditional, help: "How many objects to pass over first.")
  var offset: Int?

  func validate() throws {
    for (name, number) in [("limit", limit), ("offset", offset)] {
      guard let number, number < 0 else { continue }
      throw ValidationError("--\(name) takes a number from 0 on, not \(number)")
    }
  }

  /// Whether no argument was given.
  var isEmpty: Bool {
    predicate == nil && membersOf == nil && sort == nil && limit == nil && offset == nil
  }

  /// Returns the query for objects of a kind.
  /// - Throws: ``SatchelError`` `syntaxError`.
  func description(of queried: QueriedKind) throws -> QueryDescription {
    var description = QueryDescription(
      kind: queried.kind,
      predicate: try predicate.map { try QueryPredicate(format: $0, arguments: []) } ?? .true,
      sort: try sort.map(SortKey.keys) ?? [], limit: limit, offset: offset ?? 0)
    description.recordType = queried.recordType
    description.membersOf = membersOf.map { Conversation.ID($0) }
    return description
  }
}

/// A list of objects, or a window of the list around one of them.
struct WindowArguments: ParsableArguments {
  @OptionGroup var list: ListArguments

  @Option(parsing: .unconditional, help: "Only what comes after the object of this identifier.")
  var after: String?

  @Option(parsing: .unconditional, help: "Only what comes before the object of this identifier.")
  var before: String?

  @Option(
    parsing: .unconditional,
    help: """
      The object of this identifier in the middle of --limit objects (21 without): half of the others before it, half \
      after it, an odd one after it. Or a date such as 2024-01-03 or 2024-01-03T12:00:00Z: half of the objects before it, the \
      rest from then on, in a list that is sorted by a date or by position.
      """)
  var around: String?

  func validate() throws {
    guard [after, before, around].count(where: { $0 != nil }) <= 1 else {
      throw ValidationError("--after, --before and --around exclude one another")
    }
  }

  /// Whether neither a limit nor an offset nor an anchor was given.
  var isOfWholeList: Bool {
    list.limit == nil && list.offset == nil && [after, before, around].allSatisfy { $0 == nil }
  }

  /// Whether no argument was given.
  var isEmpty: Bool {
    list.isEmpty && [after, before, around].allSatisfy { $0 == nil }
  }

  /// Returns the query for objects of a kind.
  /// - Throws: ``SatchelError`` `syntaxError`.
  func description(of kind: QueriedKind) throws -> QueryDescription {
    var description = try list.description(of: kind)
    if let after { description.anchor = .after(after) }
    if let before { description.anchor = .before(before) }
    if let around { description.surround(objectOrDate: around) }
    return description
  }
}

extension QueryDescription {
  /// Turns the limit into a window around what a text spells: a point in time, the first one of a day in UTC, or an object.
  mutating func surround(objectOrDate text: String) {
    let microseconds = (try? RFC3339.parse(text)) ?? (try? RFC3339.parse(text + "T00:00:00Z"))
    if let microseconds { surround(Timestamp(microseconds: microseconds)) } else { surround(text) }
  }
}

/// A list of objects, or a window of it, and what to return of it.
struct QueryArguments: ParsableArguments {
  @OptionGroup var window: WindowArguments

  @Option(help: "What to give of the results.")
  var select: ResultType = .objects

  /// Whether no argument was given.
  var isEmpty: Bool { window.isEmpty && select == .objects }

  /// Returns the query for objects of a kind.
  /// - Throws: ``SatchelError`` `syntaxError`.
  func description(of kind: QueriedKind) throws -> QueryDescription { try window.description(of: kind) }
}
