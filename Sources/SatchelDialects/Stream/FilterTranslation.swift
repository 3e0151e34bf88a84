import SatchelModel
public import SatchelQuery

extension Filter {
  /// Returns the predicate that the filter stands for: `Conversation.filter(try filter.predicate())`.
  ///
  /// It follows the service where the SDK's own translation differs: `$nin` is none of the values, not "not all of them"; `$autocomplete` is
  /// beginnings of words, not a text within; what the SDK leaves out, such as all custom keys, is asked for.
  ///
  /// Types do not convert. A custom key is compared with values of the type that the filter has. JSON has no dates, so that a text that is one in RFC
  /// 3339 is compared with dates and with texts; a key of dates, such as `created_at`, reads a text as a date.
  /// - Throws: ``SatchelModel/SatchelError`` with the list, the key and the operator, and what to do `instead`: `notAvailable` for a key that means
  ///   something a store does not have, `unsupportedPredicate` for an operator that the key does not have, `invalidValue` for a value of
  ///   another type, `unqueryableProperty` for a custom key that is none.
  /// - Complexity: O(n) for n comparisons and values.
  public func predicate() throws -> QueryPredicate { try FilterTranslation(Scope.list).predicate(of: self) }
}

/// Makes predicates of filters.
package struct FilterTranslation {
  let list: FilteredList
  /// The path to the objects that the filter is about, from those that the predicate is about.
  let prefix: [String]
  private let table: FilterTable

  package init(_ list: FilteredList, behind prefix: [String] = []) {
    self.list = list
    self.prefix = prefix
    table = FilterTable.of(list)
  }

  func predicate<Scope>(of filter: Filter<Scope>) throws -> QueryPredicate {
    let predicate = try joined(filter)
    if case .invalid = predicate.form { throw tooLarge }
    return predicate
  }

  private var tooLarge: SatchelError {
    SatchelError(
      .unsupportedPredicate, "A filter has at most 200 levels and 10,000 comparisons and groups",
      ["list": list.rawValue])
  }

  private func joined<Scope>(_ filter: Filter<Scope>) throws -> QueryPredicate {
    switch filter.form {
    case .group(.or, let filters): .or(try filters.map { try joined($0) })
    case .group(.nor, let filters): .not(.or(try filters.map { try joined($0) }))
    case .group(_, let filters): .and(try filters.map { try joined($0) })
    case .comparison(let key, let comparing, let operand):
      try FilterComparison(
        translation: self, key: key, comparing: comparing, operand: operand,
        meaning: try meaning(of: key, comparing)
      ).predicate()
    case .tooDeep: throw tooLarge
    }
  }

  /// Returns what a key means, if it has the operator.
  private func meaning(of key: String, _ comparing: FilterOperator) throws -> KeyMeaning {
    let meaning = try table.meaning(of: key) ?? custom(key, comparing)
    guard !meaning.operators.contains(comparing) else { return meaning }
    let context = context(key, comparing)
    switch meaning {
    case .refused(let refusal), .missing(let refusal): throw refusal.error(context)
    case _ where comparing == .query && meaning.operators.contains(.autocomplete):
      throw Refusal.search.error(context)
    default:
      throw SatchelError(.unsupportedPredicate, "The key does not have the operator", context)
        .adding(["instead": meaning.operators.spelled])
    }
  }

  private func custom(_ key: String, _ comparing: FilterOperator) throws -> KeyMeaning {
    if case .refused(let refusal) = table.custom { return .refused(refusal) }
    let keys = MetadataPath(dotted: key)
    let fault = key.utf8.first == UInt8(ascii: "$") ? "a key that begins with $" : keys.fault(.stored)
    if let fault {
      throw SatchelError(
        .unqueryableProperty, "A custom key is a key of metadata, or several joined by dots",
        context(key, comparing)
      ).adding([
        "found": fault, "instead": "one of \(table.keys.map(\.name).joined(separator: " ")), or a custom key",
      ])
    }
    return .value(["metadata"] + keys.keys, .custom)
  }

  func context(_ key: String, _ comparing: FilterOperator) -> [String: String] {
    ["list": list.rawValue, "key": key, "operator": comparing.rawValue]
  }
}

extension FilterTranslation {
  /// Returns the keys to sort by.
  package func sort<Scope>(_ sorting: [Sorting<ListSortingKey<Scope>>]) throws -> [SortKey] {
    try sorting.flatMap { sorting in
      try paths(of: sorting.key.rawValue).map { SortKey(prefix + $0, descending: !sorting.isAscending) }
    }
  }

  /// Returns the properties that a key sorts by, most significant first.
  private func paths(of key: String) throws -> [[String]] {
    let context = ["list": list.rawValue, "key": key]
    switch (table.meaning(of: key), table.custom) {
    // A message has several parts.
    case (.value(let path, let kind)?, _)
    where kind != .participants && kind != .list && path.first != "parts":
      return [path]
    case (.flag(let path, [.boolean(true)])?, _): return [path]
    case (.firstDate(let first, let second)?, _): return [first, second]
    case (.refused(let refusal)?, _), (.missing(let refusal)?, _), (nil, .refused(let refusal)):
      throw refusal.error(context)
    case (nil, .metadata) where MetadataPath(dotted: key).fault(.stored) == nil:
      return [["metadata"] + MetadataPath(dotted: key).keys]
    default:
      throw SatchelError(.unsupportedSort, "The list is not sorted by this key", context)
        .adding(["instead": "a key with one text, number, date or Boolean"])
    }
  }
}
