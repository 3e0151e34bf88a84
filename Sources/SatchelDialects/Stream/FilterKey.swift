public import SatchelQuery

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The values that filters compare with: those that predicates do, and URLs.
public typealias FilterValue = PredicateConstantConvertible

extension URL: PredicateConstantConvertible {
  /// The text of the URL.
  public var predicateConstant: QueryPredicate.Constant { .text(absoluteString) }
}

/// A key that a filter compares: one of those that Stream has, such as `.members`, or a custom one, which is a text: `"priority"`.
///
/// A custom key leads to the value of the object's metadata that has this key. Dots in it lead into dictionaries: `"custom_score.value"`.
public struct FilterKey<Scope: FilterScope, Value: FilterValue>: RawRepresentable, ExpressibleByStringLiteral,
  Hashable, Sendable
{
  /// The key in JSON.
  public let rawValue: String

  /// Makes a key from its spelling in JSON.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Makes a key from its spelling in JSON.
  public init(stringLiteral value: String) { rawValue = value }
}
