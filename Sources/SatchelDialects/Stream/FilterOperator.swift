/// The operators of filters, as Stream writes them in JSON.
///
/// What each asks of the values of a key is said by the functions that make filters, such as ``Filter/in(_:values:)``. Where the service and
/// its SDK do not agree, the service's documentation decides.
public enum FilterOperator: String, Hashable, Sendable, CaseIterable, Codable {
  case equal = "$eq"
  /// The complement of ``equal``. The service no longer has it; a store answers it from an index.
  case notEqual = "$ne"
  case greater = "$gt"
  case greaterOrEqual = "$gte"
  case less = "$lt"
  case lessOrEqual = "$lte"
  case `in` = "$in"
  /// The complement of ``in``: none of the values. The service no longer has it, and its SDK translated it to "not all of the values".
  case notIn = "$nin"
  /// Full-text search.
  case query = "$q"
  /// Beginnings of words.
  case autocomplete = "$autocomplete"
  case exists = "$exists"
  /// A list has a value.
  case contains = "$contains"
  case and = "$and"
  case or = "$or"
  /// None of the filters.
  case nor = "$nor"

  /// Whether it joins filters, and compares no key.
  public var isGroupOperator: Bool { Self.groups.contains(self) }

  static let groups: [FilterOperator] = [.and, .or, .nor]
  /// The operators that compare a key with a value.
  static let comparisons = allCases.filter { !groups.contains($0) }
}

extension [FilterOperator] {
  /// The operators in an error.
  var spelled: String { map(\.rawValue).joined(separator: " ") }
}
