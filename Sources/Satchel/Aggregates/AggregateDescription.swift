package import SatchelCoding
import SatchelExecution

/// An aggregate without its types: what it counts or adds up, and by what it groups. An ``Aggregate`` wraps one, and a
/// store keeps one.
public struct AggregateDescription: Hashable, Sendable, Codable {
  /// The name under which it is declared: 1 to 256 bytes of UTF-8, without NUL.
  public let name: String
  /// The kind of the objects that count.
  public let kind: ObjectKind
  /// The condition that the objects must meet to count.
  public let predicate: QueryPredicate
  /// The key path, as its names, of the property that the objects are grouped by; nil for a single group of all
  /// objects.
  public let group: [String]?
  /// The key path, as its names, of the number that is added up; nil to count objects.
  public let sum: [String]?

  /// Makes a description. Nothing is checked until it is declared.
  public init(
    name: String, kind: ObjectKind, predicate: QueryPredicate = .true, group: [String]? = nil,
    sum: [String]? = nil
  ) {
    self.name = name
    self.kind = kind
    self.predicate = predicate
    self.group = group
    self.sum = sum
  }

  /// Compares the bytes of all texts, by which the store distinguishes aggregates.
  public static func == (left: Self, right: Self) -> Bool { left.entry == right.entry }

  /// Hashes the bytes of all texts.
  public func hash(into hasher: inout Hasher) { hasher.combine(entry) }
}

extension AggregateDescription: CustomStringConvertible {
  /// The aggregate on one line: `mentions: messages where isUnread = TRUE by conversation`.
  public var description: String {
    var text = "\(name): \(kind.rawValue)"
    if let sum { text = "\(name): sum of \(SortKey(sum)) of \(kind.rawValue)" }
    if predicate != .true { text += " where \(predicate)" }
    if let group { text += " by \(SortKey(group))" }
    return text
  }
}

extension AggregateDescription {
  /// The definition in the form in which the store keeps it.
  package var entry: AggregateEntry {
    func text(_ path: [String]?) -> [UInt8]? { path.map { Array(SortKey($0).description.utf8) } }
    return AggregateEntry(
      name: Array(name.utf8), kind: AggregateEntry.Kind(kind), predicate: Array(predicate.description.utf8),
      group: text(group), sum: text(sum))
  }

  /// Makes the description of a stored definition.
  /// - Throws: ``SatchelError`` `syntaxError` if a text does not follow this version's predicate language.
  package init(_ entry: AggregateEntry) throws {
    func path(_ text: [UInt8]?) throws -> [String]? {
      try text.map { try SortKey(String(decoding: $0, as: UTF8.self)).path }
    }
    self.init(
      name: String(decoding: entry.name, as: UTF8.self), kind: ObjectKind(entry.kind),
      predicate: try QueryPredicate(format: String(decoding: entry.predicate, as: UTF8.self)),
      group: try path(entry.group), sum: try path(entry.sum))
  }
}
